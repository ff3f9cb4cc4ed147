// A scene (core/scene.py) as elements: zones of pieces. What a legal move touches is a button, the rest lies there to be seen.

import { canAdd, most } from "./choice.js";
import { el, picture, spoken } from "./dom.js";

const STACKED = new Set(["token", "fact"]); // kinds whose copies lie upon each other; others lie side by side
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

// Everything of a table but the bar: the others above, the middle, one's own zones below.
export function drawScene(context) {
  const { message } = context;
  const own = message.seat ?? 0;
  const seats = [...Array(message.seats).keys()].map((i) => (own + 1 + i) % message.seats);
  const others = seats.filter((seat) => seat !== own).map((seat) => drawSeat(seat, context));
  const middle = zonesOf(context, undefined).map((zone) => drawZone(zone, context));
  return [
    others.length ? el("div", { class: `others others-${others.length}` }, others) : null,
    el("div", { class: "middle" }, middle),
    drawSeat(own, context),
  ].filter(Boolean);
}

function zonesOf({ message }, seat) {
  return message.scene.zones.filter((zone) => (zone.seat ?? undefined) === seat);
}

function drawSeat(seat, context) {
  const { message } = context;
  const own = seat === (message.seat ?? 0);
  const moving = message.to_move === seat && !message.over;
  const name = message.names?.[seat] ?? `Seat ${seat + 1}`;
  const turn = moving ? el("span", { class: "turn" }, own && !context.watching ? "your turn" : "to move") : null;
  const [plate, rest] = [true, false].map((fact) => zonesOf(context, seat).filter((zone) => (zone.kind === "fact") === fact));
  return el(
    "div",
    { class: `seat ${own ? "own" : "other"}${moving ? " moving" : ""}`, role: "group", "aria-label": name },
    el("div", { class: "plate" }, el("h2", { class: "who" }, el("span", { class: "name" }, name), turn), plate.map((zone) => drawZone(zone, context))),
    el("div", { class: "zones" }, rest.map((zone) => drawZone(zone, context))),
  );
}

function drawZone(zone, context) {
  const kind = zone.kind ?? "card";
  const slug = zone.name.replace(/[^a-z0-9]+/gi, "-").toLowerCase();
  const pieces = (zone.pieces ?? []).flatMap((piece, number) => copies(zone, piece, number, context));
  const note = zone.note ? el("small", { class: "note" }, zone.note) : null;
  const list = pieces.length ? el("ul", { class: `pieces${zone.columns ? ` columns-${zone.columns}` : ""}` }, pieces) : el("p", { class: "nothing" }, "none");
  return el(
    "div",
    { class: `zone of-${kind} zone-${slug}${zone.wide ? " wide" : ""}`, role: "group", "aria-label": zone.title },
    el(zone.seat === undefined ? "h2" : "h3", { class: "title" }, zone.title, note),
    list,
  );
}

// A piece that stands for several: side by side, each its own button, or one stack.
function copies(zone, piece, number, context) {
  const kind = piece.kind ?? zone.kind ?? "card";
  const key = `${zone.name}|${piece.part || piece.name}`;
  const count = piece.count ?? 1;
  if (STACKED.has(kind)) return [drawPiece(piece, kind, `${key}|0`, count, context)];
  const nth = (context.seen.get(key) ?? 0) + 1;
  context.seen.set(key, nth + count - 1);
  return Array.from({ length: count }, (_, i) => drawPiece(piece, kind, `${key}|${nth - 1 + i}`, 1, context));
}

function drawPiece(piece, kind, key, stack, context) {
  const signature = `${piece.name}/${piece.mark ?? ""}/${piece.state ?? ""}/${(piece.facts ?? []).map((fact) => fact.value)}/${stack}`;
  context.signatures.set(key, signature);
  const fresh = context.before && context.before.get(key) !== signature;
  const classes = ["piece", kind, piece.state ? `is-${piece.state}` : "", piece.colour ? `colour-${piece.colour}` : "", fresh ? "fresh" : ""];
  const face = drawFace(piece, kind);
  if (!piece.part || !most(context.moves, piece.part)) {
    const node = el("span", { class: classes.filter(Boolean).join(" "), "data-key": key, "data-part": piece.part ?? "" }, face);
    return el("li", {}, node);
  }
  return el("li", {}, drawButton(piece, key, classes, face, stack, context));
}

function drawButton(piece, key, classes, face, stack, context) {
  const number = chosenHere(piece.part, key, stack, context);
  const open = number > 0 || canAdd(context.moves, context.chosen, piece.part);
  if (!open) classes.push("closed");
  if (number) classes.push("chosen");
  const badge = number ? el("span", { class: "badge", "aria-hidden": "true" }, stack > 1 ? `✓ ${number}` : "✓") : null;
  const told = stack > 1 && number ? spoken(`, ${number} chosen`) : null;
  return el(
    "button",
    {
      type: "button",
      class: classes.filter(Boolean).join(" "),
      "data-key": key,
      "data-part": piece.part,
      "aria-pressed": number ? "true" : "false",
      onclick: () => context.onPiece(piece.part, key, stack, classes.includes("move")),
    },
    face,
    told,
    badge,
  );
}

// How many of a stack, or whether this very card, is among what is chosen.
function chosenHere(part, key, stack, context) {
  if (stack > 1) return context.chosen.get(part) ?? 0;
  return context.marked.has(key) ? 1 : 0;
}

// ---- Faces ---------------------------------------------------------------------------------------------------------

function drawFace(piece, kind) {
  const label = piece.label || [piece.name, piece.mark].filter(Boolean).join(" ");
  const draw = { die: dieFace, fact: factFace, tile: tileFace, move: moveFace }[kind] ?? cardFace;
  return [spoken(label), el("span", { class: "face", "aria-hidden": "true" }, draw(piece))];
}

function cardFace(piece) {
  return [
    piece.mark ? el("span", { class: "mark" }, piece.mark) : null,
    piece.picture ? el("span", { class: "drawing" }, picture(piece.picture)) : null,
    el("span", { class: "name" }, piece.name),
    factGroups(piece),
  ];
}

function dieFace(piece) {
  const spots = PIPS[piece.mark];
  const cells = spots ? Array.from({ length: 9 }, (_, i) => el("i", { class: spots.includes(i) ? "pip" : "" })) : piece.mark;
  return [el("span", { class: "pips" }, cells), el("span", { class: "name" }, piece.name)];
}

function factFace(piece) {
  return [
    piece.picture ? picture(piece.picture) : null,
    el("span", { class: "mark" }, piece.mark || "–"),
    el("span", { class: "name" }, piece.name),
  ];
}

function tileFace(piece) {
  return [
    el("span", { class: "head" }, piece.picture ? picture(piece.picture) : null, el("span", { class: "name" }, piece.name)),
    piece.mark ? el("span", { class: "mark" }, piece.mark) : null,
    factGroups(piece),
  ];
}

function moveFace(piece) {
  return el("span", { class: "name" }, piece.name);
}

// Facts of the same name in a row stand together.
function factGroups(piece) {
  const groups = [];
  for (const fact of piece.facts ?? []) {
    if (groups.at(-1)?.[0].name === fact.name) groups.at(-1).push(fact);
    else groups.push([fact]);
  }
  if (!groups.length) return null;
  const drawn = groups.map((group) => el("span", { class: `group ${slugOf(group[0].name)}` }, group.map(drawFact)));
  return el("span", { class: "facts" }, drawn);
}

function drawFact(fact) {
  const colour = fact.colour ? ` colour-${fact.colour}` : "";
  const state = fact.state ? ` is-${fact.state}` : "";
  return el("span", { class: `pip-fact${colour}${state}` }, fact.picture ? picture(fact.picture) : null, el("b", {}, fact.value));
}

function slugOf(name) {
  return `facts-${name.replace(/[^a-z0-9]+/gi, "-").toLowerCase()}`;
}
