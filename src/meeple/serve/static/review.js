// After the game: how it stood, which moves cost most, and how much of the result was luck.

import { graph } from "./graph.js";
import { el } from "./dom.js";
import { call } from "./net.js";
import { options, field, percent } from "./widgets.js";

const WAIT = 600;

export async function showReview(page, game, token) {
  const told = await call(`/games/${game}`, undefined, token);
  const view = { game, token, names: told.names, seat: told.seat, progress: el("div", { role: "status" }), body: el("div", { class: "review" }) };
  page.append(el("h1", {}, `${told.title}: review`), told.result ? el("p", { class: "sentence" }, told.result.sentence) : "", view.progress);
  if (told.takebacks) page.append(el("p", { class: "marked" }, `Moves were taken back ${told.takebacks} times; the moves below are those that stand.`));
  if (told.names.length > 1) {
    const eyes = options("review-seat", told.names.map((name, seat) => [String(seat), `${name} (seat ${seat + 1})`]), String(told.seat), () => {
      view.seat = Number(eyes.value);
      draw(view);
    });
    page.append(field("Seen by", eyes));
  }
  page.append(view.body, el("p", { class: "actions" }, el("a", { class: "secondary", href: `#/replay/${game}/${token}` }, "Replay"), el("a", { class: "quiet", href: "#/" }, "New game")));
  await poll(view);
  return () => clearTimeout(view.timer);
}

async function poll(view) {
  view.review = await call(`/games/${view.game}/review`, {}, view.token);
  const { done, due, trouble } = view.review;
  const busy = done < due && !trouble;
  view.progress.replaceChildren(busy ? el("p", {}, el("progress", { max: String(due), value: String(done), "aria-label": "Decisions looked at" }), ` ${done} of ${due} decisions looked at`) : trouble ? el("p", { class: "error" }, trouble) : "");
  draw(view);
  if (busy) view.timer = setTimeout(() => poll(view).catch((error) => view.progress.replaceChildren(error.message)), WAIT);
}

function draw(view) {
  const { review } = view;
  const own = review.seats[view.seat];
  const much = (value, sign = false) => `${sign && value > 0 ? "+" : ""}${review.points ? `${value.toFixed(1)} points` : percent(value)}`;
  view.body.replaceChildren(
    el("h2", {}, review.points ? "Expected points" : "Win probability"),
    graph(own.graph, review.plies, review.points, review.worst.filter((move) => move.seat === view.seat)),
    el("p", { class: "small" }, review.estimated ? "Values are the search's own estimates, from what the seat to move knew." : "Values are outcomes of games played out from what the seat to move knew."),
    el("h2", {}, "Luck and skill"),
    account(view, own, much),
    el("h2", {}, "The moves that cost most"),
    worst(view, much),
  );
}

// Where the result came from: what one began with, own costs, the other's costs, and the rest, which is luck.
function account(view, own, much) {
  if (own.start === null) return el("p", {}, "Not yet known.");
  const unknown = own.unknown ? `; ${own.unknown} the search would not consider` : "";
  const rows = [["At the beginning", own.start, false], [`Own moves (${own.perfect} of ${own.decisions} were the best found${unknown})`, -own.cost, true]];
  if (own.given !== null) rows.push(["Moves of the other", own.given, true]);
  if (own.luck !== null) rows.push([own.given === null && view.names.length > 1 ? "Cards, dice and the others" : "Luck: cards, dice, what was hidden", own.luck, true]);
  if (own.result !== null) rows.push(["Result", own.result, false]);
  return el("table", { class: "account" }, el("tbody", {}, rows.map(([text, value, sign]) => el("tr", {}, el("th", { scope: "row" }, text), el("td", {}, much(value, sign))))));
}

function worst(view, much) {
  const moves = [...view.review.worst, ...view.review.unknown];
  if (!moves.length) return el("p", {}, "None that the search would have played better.");
  const row = (move) => {
    const link = el("a", { href: `#/replay/${view.game}/${view.token}/${move.ply}` }, `${move.ply + 1}`);
    return el("tr", {}, el("td", {}, link), el("td", {}, view.names[move.seat]), el("td", {}, move.move), el("td", {}, move.best), el("td", {}, move.loss === null ? "the search would not consider it" : much(move.loss)));
  };
  const head = ["Move", "Who", "Played", "Better", "Cost"].map((text) => el("th", { scope: "col" }, text));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Costly moves" }, el("table", { class: "worst" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, moves.map(row))));
}
