// The first page: which game, who sits where, and go.

import { el } from "./dom.js";
import { choices, choose, myGames, playerKey, remember } from "./mine.js";
import { call } from "./net.js";
import { openRules } from "./rules.js";
import { field, options, progressLine } from "./widgets.js";

const WAIT = 700; // milliseconds between two looks at what is being compiled

export async function showLobby(page) {
  const { games } = await call("/menu");
  const lobby = { page, games, about: null, timer: 0, number: 0 };
  const known = choices();
  const first = games.find((game) => game.name === known.game) ?? games[0];
  page.append(el("h1", {}, "Which game?"));
  page.append(gameCards(lobby, first));
  lobby.form = el("form", { class: "setup panel", onsubmit: (event) => begin(event, lobby) });
  page.append(lobby.form, goOn());
  await pick(lobby, first);
  return () => clearTimeout(lobby.timer);
}

function gameCards(lobby, first) {
  const card = (game) => {
    const radio = el("input", { type: "radio", name: "game", value: game.name, onchange: () => pick(lobby, game), ...(game === first ? { checked: true } : {}) });
    return el("label", { class: `game-card game-${game.name}` }, radio, el("span", { class: "game-title" }, game.title), el("span", { class: "game-meaning" }, game.meaning));
  };
  return el("fieldset", { class: "games" }, el("legend", { class: "spoken" }, "Game"), lobby.games.map(card));
}

function goOn() {
  const open = myGames().filter((game) => !game.over).slice(0, 5);
  if (!open.length) return "";
  const line = (game) => el("li", {}, el("a", { href: `#/game/${game.game}/${game.token}` }, `${game.title}, seat ${game.seat + 1}, begun ${new Date(game.at).toLocaleString()}`));
  return el("section", { class: "panel go-on" }, el("h2", {}, "Go on with"), el("ul", {}, open.map(line)));
}

async function pick(lobby, game) {
  choose({ game: game.name });
  lobby.game = game;
  lobby.words = "";
  const known = choices()[`of ${game.name}`] ?? {};
  const values = (choice) => choice.values.map(({ value, meaning }) => [value, meaning && meaning !== value ? `${value}: ${meaning}` : value]);
  lobby.variant = options("variant", values(game.variants), known.variant, () => refresh(lobby));
  lobby.options = game.options.map((choice) => options(`option-${choice.name}`, values(choice), known.options?.[choice.name], () => refresh(lobby)));
  lobby.seats = el("div", { class: "seats" });
  lobby.ready = el("div", { class: "preparing", role: "status" });
  lobby.coach = el("input", { type: "checkbox", id: "coach", checked: true });
  lobby.error = el("p", { class: "error", role: "alert" });
  lobby.go = el("button", { type: "submit", class: "primary go" }, "Play");
  const more = lobby.options.length ? el("details", {}, el("summary", {}, "Options of the rules"), lobby.options.map((select, i) => field(game.options[i].name, select))) : "";
  const links = el("p", { class: "links" }, el("button", { type: "button", class: "quiet", onclick: () => openRules(game.name) }, "Rules"), el("a", { class: "quiet", href: `#/position/${game.name}` }, "Set up a position"));
  const head = el("h2", {}, game.title);
  lobby.form.replaceChildren(head, field("Variant", lobby.variant), more, lobby.seats, el("p", { class: "check" }, lobby.coach, el("label", { for: "coach" }, "Hints and evaluation allowed")), lobby.ready, lobby.error, el("p", { class: "actions" }, lobby.go, links));
  await refresh(lobby);
}

export function which(lobby) {
  const chosen = Object.fromEntries(lobby.options.map((select, i) => [lobby.game.options[i].name, select.value]));
  return { game: lobby.game.name, variant: lobby.variant.value, options: chosen };
}

async function refresh(lobby) {
  const number = ++lobby.number;
  clearTimeout(lobby.timer);
  const wanted = which(lobby);
  const words = JSON.stringify(wanted);
  if (words !== lobby.words) {
    lobby.go.disabled = true; // its seats are not known yet
    lobby.seats.replaceChildren();
  }
  choose({ [`of ${lobby.game.name}`]: { ...choices()[`of ${lobby.game.name}`], variant: wanted.variant, options: wanted.options } });
  try {
    const about = await call("/variants", { ...wanted, level: (words === lobby.words && opponents(lobby)[0]) || "" });
    if (number !== lobby.number) return;
    const changed = lobby.about?.variant !== about.variant;
    lobby.about = about;
    lobby.words = words;
    lobby.go.disabled = false;
    if (changed || !lobby.seats.childElementCount) drawSeats(lobby);
    lobby.ready.replaceChildren(progressLine(about.ready));
    if (changed || about.ready.compiling.length || !about.ready.rules) lobby.timer = setTimeout(() => refresh(lobby), WAIT);
  } catch (error) {
    if (number === lobby.number) lobby.error.textContent = error.message;
  }
}

function drawSeats(lobby) {
  const { seats, levels } = lobby.about;
  const known = choices()[`of ${lobby.game.name}`] ?? {};
  const list = [["person", "You"], ["open", "Another person (by a link)"], ...levels.map((level) => [`agent ${level.name}`, `${level.name}: ${level.meaning}`])];
  const chosen = (seat) => known.seats?.[seat] ?? (seat === 0 ? "person" : `agent ${lobby.about.default}`);
  const rows = Array.from({ length: seats }, (_, seat) => {
    const select = options(`seat-${seat}`, list, chosen(seat), () => reseat(lobby, seat));
    return field(seats === 1 ? "Who plays" : `Seat ${seat + 1}`, select);
  });
  const name = el("input", { id: "your-name", maxlength: "40", autocomplete: "nickname", value: choices().name ?? "" });
  lobby.name = name;
  lobby.seats.replaceChildren(...rows, field("Your name", name));
}

function reseat(lobby, seat) {
  oneOfYou(lobby, seat);
  const seats = seatSelects(lobby).map((select) => select.value);
  choose({ [`of ${lobby.game.name}`]: { ...choices()[`of ${lobby.game.name}`], seats } });
  refresh(lobby);
}

const seatSelects = (lobby) => [...lobby.seats.querySelectorAll("select")];

const opponents = (lobby) => (lobby.seats ? seatSelects(lobby).map((select) => select.value).filter((value) => value.startsWith("agent ")).map((value) => value.slice(6)) : []);

// You sit in one place only.
function oneOfYou(lobby, changed) {
  const selects = seatSelects(lobby);
  if (selects[changed].value !== "person") return;
  selects.forEach((select, seat) => {
    if (seat !== changed && select.value === "person") select.value = `agent ${lobby.about.default}`;
  });
}

async function begin(event, lobby) {
  event.preventDefault();
  lobby.error.textContent = "";
  lobby.go.disabled = true;
  const values = seatSelects(lobby).map((select) => select.value);
  const name = lobby.name.value.trim();
  choose({ name, [`of ${lobby.game.name}`]: { ...choices()[`of ${lobby.game.name}`], seats: values } });
  const seats = values.map((value) => (value.startsWith("agent ") ? { kind: "agent", level: value.slice(6) } : { kind: value, name: value === "person" ? name : "" }));
  try {
    await start({ ...which(lobby), seats, coach: lobby.coach.checked }, lobby.about.title);
  } catch (error) {
    lobby.error.textContent = error.message;
    lobby.go.disabled = false;
  }
}

// Begin a game, remember its links, and go there.
export async function start(wish, title, token = "") {
  const opened = await call("/games", { ...wish, player: playerKey() }, token);
  remember({ ...opened, title, at: Date.now(), variant: `${wish.game}:${wish.variant}` });
  location.hash = `#/game/${opened.game}/${opened.token}`;
}
