// What is chosen, and which moves that leaves. A choice is a Map from part to number; a move's parts are [[part, number], ...].

// Moves that touch at least what is chosen.
export function fitting(moves, chosen) {
  return moves.filter((move) => contains(move.parts, chosen));
}

// Moves that touch exactly what is chosen.
export function exact(moves, chosen) {
  if (!chosen.size) return [];
  return fitting(moves, chosen).filter((move) => total(move.parts) === total([...chosen]));
}

// Moves that touch nothing on the table: pass, stop.
export function bare(moves) {
  return moves.filter((move) => !move.parts.length);
}

// May one more of this part be chosen?
export function canAdd(moves, chosen, part) {
  return fitting(moves, plus(chosen, part)).length > 0;
}

export function plus(chosen, part) {
  return new Map(chosen).set(part, (chosen.get(part) ?? 0) + 1);
}

export function minus(chosen, part, number = 1) {
  const rest = new Map(chosen);
  const left = (rest.get(part) ?? 0) - number;
  if (left > 0) rest.set(part, left);
  else rest.delete(part);
  return rest;
}

// The most of a part that any legal move touches: 0 for what lies there only to be seen.
export function most(moves, part) {
  return Math.max(0, ...moves.map((move) => numberOf(move.parts, part)));
}

// What remains of a choice when the legal moves have changed: all of it, or nothing.
export function kept(moves, chosen) {
  return fitting(moves, chosen).length ? chosen : new Map();
}

function contains(parts, chosen) {
  return [...chosen].every(([part, number]) => numberOf(parts, part) >= number);
}

function numberOf(parts, part) {
  return parts.find(([name]) => name === part)?.[1] ?? 0;
}

function total(parts) {
  return parts.reduce((sum, [, number]) => sum + number, 0);
}

// Words in any order of letters' case and spacing.
function plain(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
}

// The legal moves that a typed text may mean: exactly, or as their beginning.
export function typed(moves, text) {
  const wanted = plain(text);
  if (!wanted) return [];
  const same = moves.filter((move) => plain(move.text) === wanted);
  return same.length ? same : moves.filter((move) => plain(move.text).startsWith(wanted));
}
