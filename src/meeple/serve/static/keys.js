// Arrow keys go from piece to piece as they lie on the table; Tab goes from zone to zone.

const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// One stop of the Tab key a zone: the piece that had the focus last, or the first.
export function setStops(root) {
  for (const zone of root.querySelectorAll(".zone")) {
    const pieces = [...zone.querySelectorAll("button.piece")];
    const stop = pieces.find((piece) => piece.getAttribute("aria-pressed") === "true") ?? pieces[0];
    for (const piece of pieces) piece.tabIndex = piece === stop ? 0 : -1;
  }
}

export function onArrow(root, event) {
  const step = STEP[event.key];
  const from = event.target.closest?.("button.piece");
  if (!step || !from || event.altKey || event.ctrlKey || event.metaKey) return;
  const next = nearest([...root.querySelectorAll("button.piece")], from, step);
  if (!next) return;
  event.preventDefault();
  for (const piece of next.closest(".zone").querySelectorAll("button.piece")) piece.tabIndex = piece === next ? 0 : -1;
  next.focus();
}

// The piece that lies best in a direction: near along it, and not far beside it.
function nearest(pieces, from, [dx, dy]) {
  const start = centre(from);
  let best = null;
  let least = Infinity;
  for (const piece of pieces) {
    if (piece === from) continue;
    const [x, y] = centre(piece);
    const along = (x - start[0]) * dx + (y - start[1]) * dy;
    const beside = Math.abs((x - start[0]) * dy) + Math.abs((y - start[1]) * dx);
    const distance = along + 3 * beside;
    if (along > 1 && distance < least) [best, least] = [piece, distance];
  }
  return best;
}

function centre(node) {
  const box = node.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
