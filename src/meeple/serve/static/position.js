// A position set up by hand: the numbers of a fresh deal, to be changed; impossible ones are refused with the reason.

import { el } from "./dom.js";
import { start } from "./lobby.js";
import { choices } from "./mine.js";
import { call } from "./net.js";
import { button, field, options } from "./widgets.js";

export async function showPosition(page, name) {
  const { games } = await call("/menu");
  const game = games.find((known) => known.name === name) ?? games[0];
  const view = { game, fields: el("div", { class: "position-fields" }), told: el("p", { role: "status", class: "notice" }), error: el("p", { class: "error", role: "alert" }) };
  const values = game.variants.values.map(({ value, meaning }) => [value, `${value}: ${meaning}`]);
  view.variant = options("position-variant", values, choices()[`of ${game.name}`]?.variant, () => deal(view));
  page.append(el("h1", {}, `${game.title}: set up a position`), el("p", {}, "A fresh deal as its fields. Change what your seat can see; what it cannot see is dealt at random when the game begins."));
  page.append(el("form", { class: "panel setup", onsubmit: (event) => begin(event, view) }, field("Variant", view.variant), view.fields, view.told, view.error, el("p", { class: "actions" }, el("button", { type: "submit", class: "primary" }, "Play from here"), button("Check", () => check(view), "secondary"), button("Another deal", () => deal(view), "quiet"))));
  await deal(view);
}

const which = (view) => ({ game: view.game.name, variant: view.variant.value, options: {} });

async function deal(view) {
  clear(view);
  const { fields } = await call("/positions", which(view));
  view.dealt = fields.filter(({ value }) => value !== null);
  view.inputs = new Map(view.dealt.map((about) => [about.name, inputs(about)]));
  const row = (about) => el("fieldset", { class: "position-field" }, el("legend", {}, about.name.replaceAll("_", " ")), view.inputs.get(about.name).flat);
  view.fields.replaceChildren(...view.dealt.map(row));
}

function clear(view) {
  view.told.textContent = "";
  view.error.textContent = "";
}

// A box for every number, kept in the shape of the field.
function inputs({ name, value, low, high }) {
  const flat = [];
  const make = (held, path) => {
    if (Array.isArray(held)) return held.map((inner, i) => make(inner, [...path, i]));
    const label = [name.replaceAll("_", " "), ...path.map((i) => i + 1)].join(" ");
    const box = el("input", { type: "number", value: String(held), min: String(low), max: String(high), step: "1", "aria-label": label, class: "number" });
    flat.push(box);
    return box;
  };
  return { shaped: make(value, []), flat };
}

function filled(view) {
  const read = (held) => (Array.isArray(held) ? held.map(read) : Math.trunc(Number(held.value)));
  const changed = view.dealt.map(({ name }) => [name, read(view.inputs.get(name).shaped)]);
  return Object.fromEntries(changed);
}

async function check(view) {
  clear(view);
  try {
    const { possible, reason } = await call("/positions/check", { ...which(view), fields: filled(view) });
    if (possible) view.told.textContent = "This position is possible.";
    else view.error.textContent = `This position is not possible: ${reason}.`;
  } catch (error) {
    view.error.textContent = error.message;
  }
}

async function begin(event, view) {
  event.preventDefault();
  clear(view);
  try {
    const about = await call("/variants", which(view));
    const seats = Array.from({ length: about.seats }, (_, seat) => (seat ? { kind: "agent", level: about.default } : { kind: "person", name: choices().name }));
    await start({ ...which(view), seats, coach: true, position: filled(view) }, about.title);
  } catch (error) {
    view.error.textContent = error.message;
  }
}
