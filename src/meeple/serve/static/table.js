// The table of any game: draws the scene of a message, lets pieces be chosen, offers the moves that this leaves, and shows what
// others did at a pace that can be followed.
//
//   drawTable(root, message, onPlay)
//
// Called with every message of the server; onPlay(move) gets a legal action's number or a typed text and may return a promise.

import { drawBar, sayChoice } from "./bar.js";
import { canAdd, kept, minus, most, plus } from "./choice.js";
import { el } from "./dom.js";
import { onArrow, setStops } from "./keys.js";
import { drawScene } from "./scene.js";

const GLOW = 650; // milliseconds that the pieces which a move touches are shown before it is made
const REST = 650; // and that its result is shown before the next
const LONGEST_QUEUE = 3; // further messages are not shown one by one

const tables = new WeakMap();

export function drawTable(root, message, onPlay) {
  const table = tables.get(root) ?? newTable(root);
  table.onPlay = onPlay;
  table.queue.push(message);
  if (table.queue.length > LONGEST_QUEUE || message.instant) table.queue.splice(0, table.queue.length - 1);
  if (!table.busy) showNext(table);
}

function newTable(root) {
  const table = { root, queue: [], busy: false, message: null, chosen: new Map(), marked: new Set(), error: "", signatures: null, pictured: "" };
  table.field = el("div", { class: "field" });
  table.bar = el("div", { class: "bar" });
  table.live = el("p", { class: "spoken", role: "status", "aria-live": "polite" });
  root.replaceChildren(table.field, table.bar, table.live);
  root.classList.add("table");
  root.addEventListener("keydown", (event) => onKey(table, event));
  tables.set(root, table);
  return table;
}

// ---- Pace ----------------------------------------------------------------------------------------------------------

async function showNext(table) {
  table.busy = true;
  while (table.queue.length) {
    const message = table.queue.shift();
    const others = isOthersMove(table, message);
    if (others && glow(table, message)) await pause(GLOW);
    show(table, message);
    if (others && table.queue.length) await pause(REST);
  }
  table.busy = false;
}

function isOthersMove(table, message) {
  return !message.instant && table.message && message.last && isNew(table, message) && message.last.seat !== message.seat;
}

// A move was made or taken back; a version may also grow by a hint.
function isNew(table, message) {
  return ["id", "ply", "takebacks"].some((name) => table.message[name] !== message[name]);
}

// The pieces in the middle that a move of another seat is about to touch; are there any?
function glow(table, { last, names }) {
  let found = false;
  const asked = table.bar.querySelector(".ask");
  if (asked) asked.textContent = `${names?.[last.seat] ?? `Seat ${last.seat + 1}`}: ${last.text}`;
  for (const [part, number] of last.parts ?? []) {
    const pieces = [...table.field.querySelectorAll(".middle [data-part]")].filter((node) => node.dataset.part === part);
    for (const piece of pieces.slice(0, number)) {
      piece.classList.add("touched");
      found = true;
    }
  }
  return found;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// ---- Showing -------------------------------------------------------------------------------------------------------

function show(table, message) {
  const moved = table.message !== null && isNew(table, message);
  const before = moved && table.message.id === message.id ? table.signatures : null;
  if (moved) announce(table, message);
  const over = moved || !kept(message.moves ?? [], table.chosen).size;
  const cleared = over && table.chosen.size > 0;
  if (cleared) [table.chosen, table.marked] = [new Map(), new Set()];
  const same = pictured(message, table.onPlay) === table.pictured && !moved && !cleared && !table.error;
  table.message = message;
  if (same) return; // its pieces stay, so a click that has begun is not lost
  table.pictured = pictured(message, table.onPlay);
  table.error = "";
  redraw(table, before);
}

// What the picture depends on. A message may as well be about a hint or the coach, or tell the same after a lost connection.
function pictured({ game, seat, seats, names, to_move, scene, moves, last, over, result }, onPlay) {
  return JSON.stringify([game, seat, seats, names, to_move, scene, moves, last, over, result, Boolean(onPlay)]);
}

function redraw(table, before = null) {
  const focus = focusOf(table);
  const { message } = table;
  const signatures = new Map();
  const context = {
    message,
    before,
    signatures,
    seen: new Map(),
    moves: message.moves ?? [],
    chosen: table.chosen,
    marked: table.marked,
    watching: !table.onPlay,
    onPiece: (part, key, stack, whole) => (whole ? playWhole(table, part) : choose(table, part, key, stack)),
  };
  table.field.replaceChildren(...drawScene(context));
  table.signatures = signatures;
  table.field.className = `field game-${message.game ?? "any"}`;
  drawBar(table.bar, table, { play: (move) => play(table, move), clear: () => clear(table) });
  setStops(table.field);
  restoreFocus(table, focus);
}

function announce(table, message) {
  const { last, names, seat, to_move, over, result } = message;
  const who = last && (last.seat === seat ? "You" : (names?.[last.seat] ?? `Seat ${last.seat + 1}`));
  const done = last ? `${who}: ${last.text}.` : "";
  const next = over ? `The game is over. ${result ?? ""}` : to_move === seat && message.moves?.length ? "Your move." : "";
  table.live.textContent = [done, next].filter(Boolean).join(" ");
}

// ---- Focus: a redrawn table keeps it -------------------------------------------------------------------------------

function focusOf(table) {
  const node = document.activeElement;
  if (!node || !table.root.contains(node)) return null;
  return { key: node.dataset.key, zone: node.closest(".zone")?.getAttribute("aria-label"), id: node.id };
}

function restoreFocus(table, focus) {
  if (!focus || table.root.contains(document.activeElement)) return;
  const pieces = [...table.field.querySelectorAll("button.piece")];
  const same = pieces.find((piece) => piece.dataset.key === focus.key);
  const near = pieces.find((piece) => piece.closest(".zone").getAttribute("aria-label") === focus.zone);
  const named = focus.id ? document.getElementById(focus.id) : null;
  const node = same ?? named ?? near ?? pieces[0] ?? table.bar.querySelector("button, input") ?? null;
  if (same) for (const piece of same.closest(".zone").querySelectorAll("button.piece")) piece.tabIndex = piece === same ? 0 : -1;
  node?.focus({ preventScroll: true });
}

// ---- Choosing and playing ------------------------------------------------------------------------------------------

function choose(table, part, key, stack) {
  const moves = table.message.moves ?? [];
  const here = table.marked.has(key);
  const more = canAdd(moves, table.chosen, part);
  table.error = "";
  if (here && (stack === 1 || !more || (table.chosen.get(part) ?? 0) >= stack)) {
    table.chosen = minus(table.chosen, part, stack === 1 ? 1 : Infinity);
    table.marked.delete(key);
  } else if (more) {
    table.chosen = plus(table.chosen, part);
    table.marked.add(key);
  } else if (most(moves, part)) {
    // It fits no move together with the rest, so it begins a choice of its own.
    table.chosen = new Map([[part, 1]]);
    table.marked = new Set([key]);
  }
  redraw(table);
  table.live.textContent = sayChoice(table);
}

// A piece that is a whole move is played at once.
function playWhole(table, part) {
  const move = table.message.moves.find(({ parts }) => parts.length === 1 && parts[0][0] === part);
  if (move) play(table, move.action);
}

function clear(table) {
  table.chosen = new Map();
  table.marked = new Set();
  table.error = "";
  redraw(table);
}

async function play(table, move) {
  if (!table.onPlay) return;
  try {
    await table.onPlay(move);
  } catch (error) {
    table.error = error.message;
    table.live.textContent = error.message;
    redraw(table);
  }
}

function onKey(table, event) {
  if (event.key === "Escape" && table.chosen.size) {
    event.preventDefault();
    clear(table);
  } else if (event.key === "Enter" && event.target.closest?.("button.piece[aria-pressed=true]")) {
    // Enter upon what is chosen plays it, where only one move is meant; Space takes the choice back.
    const only = table.bar.querySelectorAll("button.exact");
    if (only.length !== 1) return;
    event.preventDefault();
    only[0].click();
  } else onArrow(table.field, event);
}
