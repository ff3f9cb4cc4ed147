// Records to replay: any game of the arena, or a file or text from somewhere else.

import { el } from "./dom.js";
import { call } from "./net.js";
import { button } from "./widgets.js";

export async function showRecords(page) {
  page.append(el("h1", {}, "Records"), el("p", {}, "Replay and review any game: one that agents played in a match, or a record as text."), pasted());
  const { matches } = await call("/results");
  page.append(el("h2", {}, "Matches of the arena"));
  if (!matches.length) {
    page.append(el("p", {}, "There are none yet; the command ", el("code", {}, "meeple match"), " plays some."));
    return;
  }
  const rows = matches.map((match) => {
    const number = el("input", { type: "number", min: "0", max: String(match.finished - 1), value: "0", "aria-label": `Game of match ${match.id}` });
    const open = button("Replay", () => openGame(page, `/results/${match.id}/${number.value || 0}`, {}), "quiet");
    return el("tr", {}, el("td", {}, String(match.id)), el("td", {}, match.variant), el("td", {}, match.agents.join(" – ")), el("td", {}, match.finished.toLocaleString()), el("td", { class: "pick" }, number, open));
  });
  const head = el("tr", {}, ["Match", "Variant", "Agents", "Games", "Number"].map((text) => el("th", { scope: "col" }, text)));
  page.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Matches" }, el("table", { class: "matches" }, el("thead", {}, head), el("tbody", {}, rows))));
}

function pasted() {
  const text = el("textarea", { id: "record-text", rows: "6", spellcheck: "false" });
  const file = el("input", { type: "file", id: "record-file", accept: ".txt,text/plain", onchange: async () => (text.value = (await file.files[0]?.text()) ?? "") });
  const submit = (event) => {
    event.preventDefault();
    openGame(event.target, "/records", { text: text.value });
  };
  return el("form", { class: "panel setup", onsubmit: submit }, el("p", { class: "field-row" }, el("label", { for: "record-file" }, "A record file"), file), el("p", { class: "field-row" }, el("label", { for: "record-text" }, "or its text"), text), el("p", { class: "error", role: "alert" }), el("button", { type: "submit", class: "primary" }, "Replay"));
}

async function openGame(near, path, body) {
  try {
    const opened = await call(path, body);
    location.hash = `#/replay/${opened.game}/${opened.token}`;
  } catch (error) {
    const place = near.querySelector(".error") ?? near.appendChild(el("p", { class: "error", role: "alert" }));
    place.textContent = error.message;
  }
}
