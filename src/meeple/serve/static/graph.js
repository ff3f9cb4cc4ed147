// A line through a game: how it stood before every decision. Drawn as SVG, with a sentence for those who do not see it.

import { svg } from "./dom.js";
import { percent } from "./widgets.js";

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 48;
const BOTTOM = 28;
const TOP = 10;

export function graph(points, plies, isPoints, marked, word = "Move") {
  const highest = isPoints ? Math.max(10, ...points.map(([, value]) => value)) : 1;
  const lowest = isPoints ? Math.min(0, ...points.map(([, value]) => value)) : 0;
  const x = (ply) => LEFT + ((WIDTH - LEFT - 10) * ply) / Math.max(1, plies);
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (highest - value)) / (highest - lowest);
  const told = (value) => (isPoints ? String(Math.round(value)) : percent(value));
  const levels = [0, 0.25, 0.5, 0.75, 1].map((share) => lowest + share * (highest - lowest));
  const lines = levels.map((value) => svg("line", { class: "grid", x1: LEFT, x2: WIDTH - 10, y1: y(value), y2: y(value) }));
  const names = levels.map((value) => svg("text", { class: "axis", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, told(value)));
  const ends = [svg("text", { class: "axis", x: LEFT, y: HEIGHT - 8 }, `${word} 1`), svg("text", { class: "axis", x: WIDTH - 10, y: HEIGHT - 8, "text-anchor": "end" }, `${word} ${plies}`)];
  const path = points.map(([ply, value], i) => `${i ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join(" ");
  const at = new Map(points.map(([ply, value]) => [ply, value]));
  const dots = marked.filter((move) => at.has(move.ply)).map((move) => svg("circle", { class: "dot", cx: x(move.ply), cy: y(at.get(move.ply)), r: 5 }));
  return svg("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": sentence(points, told) }, lines, names, ends, path ? svg("path", { class: "line", d: path }) : "", dots);
}

function sentence(points, told) {
  if (!points.length) return "Nothing to show yet.";
  const values = points.map(([, value]) => value);
  return `It began at ${told(values[0])}, was at least ${told(Math.min(...values))} and at most ${told(Math.max(...values))}, and ended at ${told(values.at(-1))}.`;
}
