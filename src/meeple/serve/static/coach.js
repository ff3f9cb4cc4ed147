// The coach beside the table: hints with reasons, what the last move cost, and a bar for how the game stands. All of it can be off.

import { el } from "./dom.js";
import { choices, choose } from "./mine.js";
import { button, percent, worth } from "./widgets.js";

export function coachPanel(view) {
  const panel = { view, wanted: null };
  panel.bar = el("div", { class: "evalbar", role: "img", hidden: true });
  panel.fill = el("div", { class: "evalbar-fill" });
  panel.bar.append(panel.fill);
  panel.told = el("p", { class: "evalbar-text" });
  panel.cost = el("p", { class: "cost", role: "status" });
  panel.hint = el("div", { class: "hint", role: "status" });
  panel.ask = button("Hint", () => hint(panel), "secondary");
  panel.boxes = ["bar", "cost"].map((name) => el("input", { type: "checkbox", id: `coach-${name}`, onchange: () => want(panel, true) }));
  const labels = ["How it stands", "What my moves cost"].map((text, i) => el("label", { for: panel.boxes[i].id }, text));
  const check = (i) => el("span", { class: "check" }, panel.boxes[i], labels[i]);
  panel.root = el("section", { class: "coach", hidden: true }, el("h2", {}, "Coach"), panel.bar, panel.told, panel.cost, el("p", { class: "actions" }, panel.ask, check(0), check(1)), panel.hint);
  panel.show = (message) => show(panel, message);
  return panel;
}

function show(panel, message) {
  const { coach } = message;
  panel.root.hidden = !coach.allowed || message.over;
  if (!coach.allowed || message.over) return;
  if (panel.wanted === null) {
    const known = choices().coach ?? {};
    panel.boxes[0].checked = Boolean(known.bar);
    panel.boxes[1].checked = Boolean(known.cost);
    want(panel, false);
  }
  if (panel.ply !== message.ply) panel.hint.replaceChildren();
  panel.ply = message.ply;
  panel.ask.disabled = !message.moves.length;
  showBar(panel, coach.bar);
  showCost(panel, coach.cost);
}

// Sent again with every new page: the server forgets it with the connection's table.
function want(panel, changed) {
  const wanted = { bar: panel.boxes[0].checked, cost: panel.boxes[1].checked };
  const before = panel.wanted;
  panel.wanted = wanted;
  if (changed) choose({ coach: wanted });
  if (changed || wanted.bar || wanted.cost || before) panel.view.act("/coach", wanted);
}

function showBar(panel, bar) {
  const shown = Boolean(bar) && bar.value !== null && panel.boxes[0].checked;
  panel.bar.hidden = !shown || bar.points;
  if (!shown) {
    panel.told.textContent = panel.boxes[0].checked ? "Waiting for your move to judge the table." : "";
    return;
  }
  const guess = bar.estimated ? ", by the search's estimate" : "";
  const text = bar.points ? `Expected: ${bar.value.toFixed(1)} points${guess}` : `You win ${percent(bar.value)} of the games from here${guess}`;
  panel.fill.style.width = bar.points ? "0" : percent(bar.value, 1);
  panel.bar.setAttribute("aria-label", text);
  panel.told.textContent = text;
}

function showCost(panel, cost) {
  panel.cost.className = "cost";
  if (!cost || !panel.boxes[1].checked) {
    panel.cost.textContent = "";
    return;
  }
  if (cost.loss === null) {
    panel.cost.textContent = "The search would not consider that move.";
    return;
  }
  const small = cost.points ? cost.loss < 0.5 : cost.loss < 0.01;
  const much = cost.points ? `${cost.loss.toFixed(1)} points` : percent(cost.loss);
  const rough = cost.visits < 30 && !small ? " (a rough guess)" : "";
  panel.cost.textContent = small ? "That was as good as anything." : `That cost you ${much}${rough}.`;
  if (small) panel.cost.className = "cost good";
}

async function hint(panel) {
  panel.ask.disabled = true;
  panel.hint.replaceChildren(el("p", {}, "Thinking …"));
  const told = await panel.view.act("/hint", { version: panel.view.message.version });
  panel.ask.disabled = !panel.view.message.moves.length;
  panel.hint.replaceChildren(...(told ? adviceLines(panel, told) : []));
}

function adviceLines(panel, told) {
  const { message } = panel.view;
  const name = (seat) => (seat === message.seat ? "you" : message.names[seat]);
  const sure = (move) => (move.interval ? `${worth(move.interval[0], told.points)} to ${worth(move.interval[1], told.points)}` : `${move.visits.toLocaleString()} tries`);
  const item = (move) => {
    const line = move.line.map((step) => `${name(step.seat)} ${step.move}`).join(", ");
    return el("li", {}, el("strong", {}, move.move), el("span", { class: "worth" }, ` ${worth(move.value, told.points)} (${sure(move)})`), line ? el("span", { class: "line" }, ` then ${line}`) : "");
  };
  const how = told.estimated ? "values are the search's own estimates" : "values are outcomes of games played out";
  return [el("p", { class: "reason" }, told.reason), el("ol", {}, told.moves.map(item)), el("p", { class: "small" }, `${told.iterations.toLocaleString()} tries over possible worlds; ${how}, from what your seat may know.`)];
}
