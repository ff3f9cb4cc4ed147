// One's own games: links to go on, and how one has done over time.

import { graph } from "./graph.js";
import { el } from "./dom.js";
import { myGames, playerKey } from "./mine.js";
import { call } from "./net.js";
import { percent } from "./widgets.js";

export async function showMe(page) {
  page.append(el("h1", {}, "My games"));
  const { games, sums } = await call("/player", { player: playerKey() });
  if (!games.length) {
    page.append(el("p", {}, "None yet. ", el("a", { href: "#/" }, "Play one"), "; this browser remembers it."));
    return;
  }
  page.append(el("h2", {}, "How I have done"), scroll("Results", results(sums)), el("h2", {}, "Over time"), trend(games), scroll("Games", listing(games)));
}

const scroll = (label, table) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);

const head = (...texts) => el("thead", {}, el("tr", {}, texts.map((text) => el("th", { scope: "col" }, text))));

function results(sums) {
  const row = (sum) => el("tr", {}, [sum.variant, sum.against, String(sum.games), `${sum.won} (${percent(sum.won / sum.games)})`, (sum.score / sum.games).toFixed(1)].map((text) => el("td", {}, text)));
  return el("table", { class: "stats" }, head("Variant", "Against", "Games", "Won", "Points on average"), el("tbody", {}, sums.map(row)));
}

// The share won of the last ten games, after each game.
function trend(games) {
  const over = games.filter((game) => game.over);
  const shares = over.map((_, i) => {
    const last = over.slice(Math.max(0, i - 9), i + 1);
    return last.filter((game) => game.won).length / last.length;
  });
  const costs = over.filter((game) => game.loss !== null);
  const cost = costs.length ? ` In the ${costs.length} reviewed games a decision cost ${percent(costs.reduce((sum, game) => sum + Math.min(1, game.loss), 0) / costs.length, 1)} on average.` : "";
  const line = shares.length > 1 ? graph(shares.map((share, i) => [i, share]), shares.length - 1, false, [], "Game") : "";
  return el("div", {}, line, el("p", {}, shares.length ? `Of the last ${Math.min(10, shares.length)} finished games I won ${percent(shares.at(-1))}.${cost}` : "No game is finished yet."));
}

function listing(games) {
  const links = new Map(myGames().map((game) => [game.game, game]));
  const row = (game) => {
    const link = links.get(game.game);
    const result = game.over ? (game.won ? "won" : game.score === null ? "ended" : "lost") : "going on";
    const page = game.over ? "review" : "game";
    const open = link ? el("a", { href: `#/${page}/${game.game}/${link.token}` }, game.over ? "Review" : "Go on") : "";
    const help = [game.hints ? `${game.hints} hints` : "", game.takebacks ? `${game.takebacks} takebacks` : ""].filter(Boolean).join(", ");
    return el("tr", {}, [new Date(1000 * game.at).toLocaleString(), game.variant, game.against, result, game.score === null ? "" : String(game.score), help].map((text) => el("td", {}, text)), el("td", {}, open));
  };
  return el("table", { class: "stats" }, head("When", "Variant", "Against", "Result", "Points", "Help", ""), el("tbody", {}, games.toReversed().map(row)));
}
