// The bar below a table: what is to be decided, the moves that the choice allows, moves without pieces, and a line to type one.

import { bare, exact, fitting, typed } from "./choice.js";
import { el } from "./dom.js";

const KEYS = "Keys: arrows go from piece to piece, Space chooses, Enter plays what is chosen, Escape clears.";

export function drawBar(bar, table, does) {
  const moves = table.message.moves ?? [];
  const playing = moves.length > 0 && Boolean(table.onPlay);
  const text = bar.querySelector("input")?.value ?? "";
  bar.replaceChildren(saying(table, moves), playing ? offers(table, moves, does) : "", playing ? ways(bar, table, moves, does) : "");
  if (text && bar.querySelector("input")) bar.querySelector("input").value = table.error ? text : "";
}

function saying(table, moves) {
  const { message } = table;
  const last = message.last;
  const name = (seat) => message.names?.[seat] ?? `Seat ${seat + 1}`;
  const lines = [el("strong", { class: "ask" }, question(table, moves, name))];
  if (last) lines.push(el("span", { class: "last" }, `${last.seat === message.seat ? "You" : name(last.seat)}: ${last.text}`));
  if (table.error) lines.push(el("span", { class: "error" }, table.error));
  return el("div", { class: "saying" }, lines);
}

function question(table, moves, name) {
  const { message } = table;
  if (message.over) return message.result || "The game is over.";
  if (!table.onPlay) return message.to_move === null ? "" : `${name(message.to_move)} to move`;
  if (!moves.length) return `${name(message.to_move)} is thinking …`;
  if (!table.chosen.size) return message.scene.ask || "Your move.";
  const left = fitting(moves, table.chosen).length;
  const found = exact(moves, table.chosen).length;
  if (found) return left > found ? "Play this, or choose more." : found > 1 ? "Which of these?" : "Play this?";
  return `${left} move${left === 1 ? "" : "s"} with this: choose more.`;
}

// For those who listen: what the choice allows.
export function sayChoice(table) {
  const moves = table.message.moves ?? [];
  const found = exact(moves, table.chosen).map((move) => move.text);
  const left = fitting(moves, table.chosen).length;
  if (!table.chosen.size) return "Nothing is chosen.";
  return found.length ? `Enter plays: ${found.join(", or ")}. ${left - found.length} more with this.` : `${left} moves with this.`;
}

// What is chosen exactly, then moves without pieces.
function offers(table, moves, does) {
  const found = exact(moves, table.chosen);
  const buttons = found.map((move) => moveButton(move, "primary exact", does));
  if (!table.chosen.size) buttons.push(...bare(moves).map((move) => moveButton(move, "secondary", does)));
  else buttons.push(el("button", { type: "button", class: "quiet", id: "clear-choice", onclick: does.clear }, "Clear"));
  return el("div", { class: "offers" }, buttons);
}

function moveButton(move, style, does, where = "move") {
  const text = move.text.slice(0, 1).toUpperCase() + move.text.slice(1);
  return el("button", { type: "button", class: style, id: `${where}-${move.action}`, onclick: () => does.play(move.action) }, text);
}

// All moves that fit and the line to type one, folded away.
function ways(bar, table, moves, does) {
  const open = bar.querySelector("details")?.open ?? false;
  const left = fitting(moves, table.chosen);
  const list = el("ul", { class: "all-moves" }, left.map((move) => el("li", {}, moveButton(move, "quiet", does, "list"))));
  const summary = el("summary", { id: "all-moves" }, `${left.length} move${left.length === 1 ? "" : "s"}`);
  return el("details", { class: "ways", open }, summary, el("div", { class: "fold" }, typing(moves, does), el("p", { class: "keys" }, KEYS), list));
}

function typing(moves, does) {
  const hint = el("datalist", { id: "legal-moves" }, moves.slice(0, 200).map((move) => el("option", { value: move.text })));
  const input = el("input", { id: "typed-move", list: "legal-moves", autocomplete: "off", spellcheck: "false", enterkeyhint: "go" });
  const send = (event) => {
    event.preventDefault();
    const found = typed(moves, input.value);
    if (input.value.trim()) does.play(found.length === 1 ? found[0].action : input.value.trim());
  };
  const label = el("label", { for: "typed-move" }, "Type a move");
  return el("form", { class: "typing", onsubmit: send }, label, input, hint, el("button", { type: "submit", class: "quiet" }, "Play"));
}
