// A game being played or watched: the table, who sits there, what happened, and the coach beside it.

import { coachPanel } from "./coach.js";
import { el } from "./dom.js";
import { choices, choose, myGames, remember } from "./mine.js";
import { call, listen } from "./net.js";
import { openRules } from "./rules.js";
import { drawTable } from "./table.js";
import { button, copyButton, field, options, progressLine } from "./widgets.js";

const SHOWN = [["one by one", "Others' moves one by one"], ["at once", "Others' moves at once"]];
const PACES = [["Slow", 2500], ["Normal", 1200], ["Fast", 350]];

export function showGame(page, game, token) {
  const view = { game, token, message: null, players: el("ol", { class: "players" }), log: el("ol", { class: "log", tabindex: "0", "aria-label": "Moves so far" }) };
  view.title = el("h1", { class: "game-name" }, "The table is being set …");
  view.table = el("div", { class: "game-table" });
  view.notice = el("div", { class: "notice", role: "status" });
  view.error = el("p", { class: "error", role: "alert" });
  view.preparing = el("div", { class: "preparing", role: "status" });
  view.actions = el("div", { class: "actions" });
  view.act = (path, body = {}) => act(view, path, body);
  view.coach = coachPanel(view);
  view.showing = options("showing", SHOWN, choices().pace, () => choose({ pace: view.showing.value }));
  const side = el("aside", { class: "side", "aria-label": "Players, coach and moves" }, section("Players", view.players), view.coach.root, section("Moves", view.log), view.actions, field("Pace", view.showing));
  page.append(view.title, view.preparing, view.notice, view.error, el("div", { class: "game" }, view.table, side));
  const end = listen(game, token, {
    table: (message) => show(view, message),
    preparing: (ready) => view.preparing.replaceChildren(progressLine(ready)),
    lost: () => (view.error.textContent = "The connection is lost; trying again …"),
    refused: (reason) => (view.error.textContent = reason || "This game cannot be opened with this link."),
  });
  return () => {
    clearTimeout(view.timer);
    end();
  };
}

const section = (title, ...inside) => el("section", {}, el("h2", {}, title), ...inside);

async function act(view, path, body) {
  view.error.textContent = "";
  try {
    return await call(`/games/${view.game}${path}`, body, view.token);
  } catch (error) {
    view.error.textContent = error.message;
    return null;
  }
}

function show(view, message) {
  const first = view.message === null;
  view.message = message;
  view.error.textContent = message.trouble;
  if (first) begin(view, message);
  keep(view, message);
  const shown = { ...message, result: message.result?.sentence ?? null, instant: first || view.showing.value === "at once" };
  drawTable(view.table, shown, message.watching ? null : (move) => play(view, move));
  drawPlayers(view, message);
  drawLog(view, message);
  drawNotice(view, message);
  drawActions(view, message);
  view.coach.show(message);
  if (message.kind === "watch") pace(view, message);
}

function begin(view, message) {
  view.title.textContent = message.title;
  document.title = `${message.title} – Meeple`;
}

function keep(view, message) {
  const known = myGames().find((game) => game.game === view.game);
  if (known ? known.over !== message.over : message.kind === "game" && !message.watching) {
    const fresh = { game: view.game, token: view.token, seat: message.seat, title: message.title, at: Date.now(), invites: [], variant: message.variant };
    remember({ ...(known ?? fresh), over: message.over });
  }
}

// A move goes with the version that the person saw, so nobody moves at a table that has changed meanwhile.
function play(view, move) {
  const body = { version: view.message.version, ...(typeof move === "number" ? { action: move } : { text: move }) };
  return call(`/games/${view.game}/move`, body, view.token);
}

function drawPlayers(view, message) {
  const invites = new Map((myGames().find((game) => game.game === view.game)?.invites ?? []).map(({ seat, token }) => [seat, token]));
  const line = (name, seat) => {
    const kind = message.people[seat];
    const own = seat === message.seat && !message.watching;
    const words = kind === "open" ? "waiting for somebody" : own ? "you" : kind === "agent" ? "agent" : "";
    const turn = message.to_move === seat;
    const link = kind === "open" && invites.has(seat) ? copyButton("Copy the invitation", `${location.origin}/#/join/${view.game}/${invites.get(seat)}`) : "";
    return el("li", { class: turn ? "player to-move" : "player", "data-seat": seat }, el("span", { class: "player-name" }, name), words ? el("span", { class: "player-kind" }, words) : "", turn ? el("span", { class: "turn" }, "to move") : "", link);
  };
  view.players.replaceChildren(...message.names.map(line));
}

function drawLog(view, message) {
  const who = (seat) => (seat === message.seat && !message.watching ? "You" : message.names[seat]);
  const lines = message.log.map(({ ply, seat, text }) => el("li", { value: ply, class: seat === message.seat ? "own" : "" }, el("strong", {}, `${who(seat)}: `), text));
  view.log.replaceChildren(...(lines.length ? lines : [el("li", { class: "none" }, "Nothing yet.")]));
  view.log.scrollTop = view.log.scrollHeight;
}

function drawNotice(view, message) {
  const parts = [];
  if (message.people.includes("open")) parts.push(el("p", {}, "The game begins when everybody is there; copy the invitation of the free seat and send it."));
  if (message.takeback) parts.push(takebackNotice(view, message));
  if (message.takebacks) parts.push(el("p", { class: "marked" }, `Taken back ${message.takebacks} time${message.takebacks === 1 ? "" : "s"}: the cards to come may have been seen.`));
  if (message.over) parts.push(afterwards(view, message));
  view.notice.replaceChildren(...parts);
}

function takebackNotice(view, message) {
  const name = message.names[message.takeback.seat];
  if (message.takeback.seat === message.seat) return el("p", {}, "You asked to take your move back; the others have to agree.");
  const answer = (agree) => () => view.act("/takeback/answer", { version: view.message.version, agree });
  return el("p", {}, `${name} would like to take a move back. `, button("Agree", answer(true), "secondary"), button("Decline", answer(false), "quiet"));
}

function afterwards(view, message) {
  const link = (page) => `#/${page}/${view.game}/${view.token}`;
  const scores = message.result?.scores;
  const told = scores ? el("p", { class: "scores" }, message.names.map((name, seat) => `${name}: ${scores[seat]}`).join(" · ")) : "";
  return el("div", { class: "result" }, el("p", { class: "sentence" }, message.result?.sentence ?? ""), told, el("p", {}, el("a", { class: "secondary", href: link("review") }, "Review"), " ", el("a", { class: "secondary", href: link("replay") }, "Replay"), " ", el("a", { class: "quiet", href: "#/" }, "New game")));
}

function drawActions(view, message) {
  const rules = button("Rules", () => openRules(message.game), "quiet");
  const buttons = [rules];
  if (message.kind === "watch" && !message.over) buttons.unshift(...watchButtons(view));
  if (message.kind === "game" && !message.watching && !message.over) {
    const moved = message.log.some(({ seat }) => seat === message.seat);
    buttons.unshift(button("Take back", () => view.act("/takeback", { version: view.message.version }), "secondary", { disabled: !moved }));
    buttons.push(button("Give up", () => giveUp(view), "quiet"));
  }
  const focused = document.activeElement?.textContent;
  const had = view.actions.contains(document.activeElement);
  view.actions.replaceChildren(...buttons);
  if (had) buttons.find((made) => made.textContent === focused)?.focus();
}

function giveUp(view) {
  const dialog = el("dialog", { class: "ask", "aria-label": "Give up?" });
  const close = () => dialog.close();
  const sure = async () => {
    close();
    await view.act("/resign", { version: view.message.version });
  };
  dialog.append(el("p", {}, "Really give up? The game ends here."), el("p", { class: "actions" }, button("Play on", close, "primary", { autofocus: true }), button("Give up", sure, "secondary")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// ---- Agents among themselves: the one who watches sets the pace ----------------------------------------------------

function watchButtons(view) {
  view.pace ??= PACES[1][1];
  const paused = view.pace === 0;
  const set = (milliseconds) => () => {
    view.pace = milliseconds;
    drawActions(view, view.message);
    pace(view, view.message);
  };
  const paces = PACES.map(([text, ms]) => button(text, set(ms), "quiet", { "aria-pressed": String(view.pace === ms) }));
  const step = button("One move", () => view.act("/step", { version: view.message.version }), "secondary", { disabled: !paused });
  return [button("Pause", set(0), "quiet", { "aria-pressed": String(paused) }), ...paces, step];
}

function pace(view, message) {
  clearTimeout(view.timer);
  if (message.over || !(view.pace ?? PACES[1][1])) return;
  view.timer = setTimeout(() => view.act("/step", { version: view.message.version }), view.pace ?? PACES[1][1]);
}
