// A game that is over, step by step: from any seat, or open.

import { el } from "./dom.js";
import { start } from "./lobby.js";
import { choices, myGames } from "./mine.js";
import { call } from "./net.js";
import { drawTable } from "./table.js";
import { button, copyButton, field, options } from "./widgets.js";

const OPEN = -1;
const PACE = 1000;

export async function showReplay(page, game, token, from = "") {
  const view = { game, token, ply: 0, seat: OPEN, page, number: 0 };
  const first = await look(view);
  view.plies = first.plies;
  view.slider = el("input", { type: "range", id: "ply", min: "0", max: String(first.plies), value: "0", oninput: () => go(view, Number(view.slider.value)) });
  view.where = el("output", { for: "ply", class: "where" });
  view.tables = el("div", { class: "replay-tables" });
  view.log = el("ol", { class: "log", tabindex: "0", "aria-label": "Moves" });
  view.error = el("p", { class: "error", role: "alert" });
  const seats = [[String(OPEN), "All open"], ...first.names.map((name, seat) => [String(seat), `${name} (seat ${seat + 1})`])];
  const eyes = options("eyes", seats, String(OPEN), () => {
    view.seat = Number(eyes.value);
    go(view, view.ply);
  });
  view.runs = button("Play", () => toggle(view), "secondary");
  const steps = el("p", { class: "steps actions" }, button("First", () => go(view, 0), "quiet"), button("Back", () => go(view, view.ply - 1), "quiet"), view.runs, button("Next", () => go(view, view.ply + 1), "primary"), button("Last", () => go(view, view.plies), "quiet"));
  const share = el("p", { class: "share actions" }, copyButton("Copy as text", () => call(`/games/${game}/record`, undefined, token)), copyButton("Copy link", () => shareLink(view)), el("a", { class: "quiet", href: `#/review/${game}/${token}` }, "Review"), playOn(view, first));
  page.append(el("h1", {}, `${first.title}: replay`), el("div", { class: "replay" }, field("Seen by", eyes), field("Move", view.slider), view.where, steps, view.error, view.tables, el("section", {}, el("h2", {}, "Moves"), view.log), share));
  view.move = (event) => onKey(view, event);
  addEventListener("keydown", view.move);
  await go(view, from === "" ? 0 : Number(from));
  return () => {
    clearInterval(view.timer);
    removeEventListener("keydown", view.move);
  };
}

// For those who look on: their token, where this browser knows it, and not the seat's.
function shareLink(view) {
  const token = myGames().find((game) => game.game === view.game)?.watch || view.token;
  return `${location.origin}/#/replay/${view.game}/${token}/${view.ply}`;
}

const look = (view) => call(`/games/${view.game}/replay?ply=${view.ply}&seat=${view.seat}`, undefined, view.token);

async function go(view, ply) {
  view.ply = Math.max(0, Math.min(view.plies, ply));
  view.slider.value = String(view.ply);
  const number = ++view.number;
  try {
    const message = await look(view);
    if (number === view.number) show(view, message);
  } catch (error) {
    view.error.textContent = error.message;
  }
}

function show(view, message) {
  const last = message.last ? `${message.names[message.last.seat]}: ${message.last.text}` : "the beginning";
  view.where.textContent = `Move ${message.ply} of ${message.plies}: ${last}`;
  const wanted = message.scenes.map(({ seat }) => seat).join();
  if (view.shown !== wanted) {
    view.roots = message.scenes.map(({ seat }) => ({ seat, root: el("div", { class: "game-table" }) }));
    const titled = view.roots.map(({ seat, root }) => el("section", {}, view.roots.length > 1 ? el("h2", {}, `${message.names[seat]} (seat ${seat + 1}) sees`) : "", root));
    view.tables.replaceChildren(...titled);
    view.shown = wanted;
  }
  message.scenes.forEach(({ seat, scene }, i) => {
    const shown = { ...message, seat, scene, moves: [], result: message.result?.sentence ?? null, version: `${message.ply}`, instant: true };
    drawTable(view.roots[i].root, shown, null);
  });
  view.log.replaceChildren(...message.log.map(({ ply, seat, text }) => el("li", { value: ply }, el("strong", {}, `${message.names[seat]}: `), text)));
  view.log.scrollTop = view.log.scrollHeight;
  if (view.ply === view.plies) stop(view);
}

function toggle(view) {
  if (view.timer) stop(view);
  else {
    view.runs.textContent = "Pause";
    view.timer = setInterval(() => go(view, view.ply + 1), PACE);
  }
}

function stop(view) {
  clearInterval(view.timer);
  view.timer = 0;
  view.runs.textContent = "Play";
}

function onKey(view, event) {
  if (event.target.closest("input, select, textarea, .game-table")) return;
  if (event.key === "ArrowRight") go(view, view.ply + 1);
  if (event.key === "ArrowLeft") go(view, view.ply - 1);
}

// Go on from here: what the seat did not know is dealt anew.
function playOn(view, first) {
  const begin = async () => {
    try {
      const [game, ...rest] = first.variant.split(":");
      const [variant, ...pairs] = rest.join(":").split(",");
      const chosen = Object.fromEntries(pairs.map((pair) => pair.split("=")));
      const about = await call("/variants", { game, variant, options: chosen });
      const seat = Math.max(0, view.seat);
      const seats = first.names.map((_, i) => (i === seat ? { kind: "person", name: choices().name } : { kind: "agent", level: about.default }));
      await start({ game, variant, options: chosen, seats, coach: true, branch: { game: view.game, ply: view.ply } }, first.title, view.token);
    } catch (error) {
      view.error.textContent = error.message;
    }
  };
  return button("Play on from here", begin, "secondary");
}
