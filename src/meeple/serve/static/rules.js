// The rules, one click away: a game's RULES.md in a dialog. Only the little of Markdown that such a page uses is understood.

import { el } from "./dom.js";
import { call } from "./net.js";
import { button } from "./widgets.js";

export async function openRules(game) {
  const dialog = el("dialog", { class: "rules", "aria-label": "Rules" });
  const close = () => dialog.close();
  dialog.append(el("p", { class: "dialog-bar" }, button("Close", close, "quiet", { autofocus: true })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  try {
    const { text } = await call(`/rules/${encodeURIComponent(game)}`);
    const body = el("div", { class: "prose", tabindex: "0", role: "region", "aria-label": "Text of the rules" }, markdown(text));
    dialog.append(body);
  } catch (error) {
    dialog.append(el("p", { class: "error", role: "alert" }, error.message));
  }
}

export function markdown(text) {
  return blocks(text).map(block);
}

// Paragraphs stand apart by empty lines; headings, lists, tables and code may follow each other directly.
function blocks(text) {
  const found = [];
  let kind = "";
  for (const line of text.split("\n")) {
    const now = kind === "code" && !line.startsWith("```") ? "code" : kindOf(line);
    if (now === "fence") {
      if (kind !== "code") found.push({ kind: "code", lines: [] });
      kind = kind === "code" ? "" : "code";
      continue;
    }
    const continues = now === kind && now !== "heading" && now !== "";
    const indented = kind === "list" && now === "text" && /^\s+\S/.test(line);
    if (indented) found.at(-1).lines[found.at(-1).lines.length - 1] += ` ${line.trim()}`;
    else if (continues) found.at(-1).lines.push(line);
    else if (now) found.push({ kind: now, lines: [line] });
    if (!indented) kind = now;
  }
  return found;
}

function kindOf(line) {
  if (line.startsWith("```")) return "fence";
  if (/^#{1,6} /.test(line)) return "heading";
  if (/^\s*([-*]|\d+\.) /.test(line)) return "list";
  if (line.startsWith("|")) return "table";
  return line.trim() ? "text" : "";
}

function block({ kind, lines }) {
  if (kind === "heading") return el(`h${Math.min(6, lines[0].indexOf(" ") + 1)}`, {}, inline(lines[0].replace(/^#+ /, "")));
  if (kind === "code") return el("pre", { tabindex: "0" }, lines.join("\n"));
  if (kind === "list") return el(/^\s*\d/.test(lines[0]) ? "ol" : "ul", {}, lines.map((line) => el("li", {}, inline(line.replace(/^\s*([-*]|\d+\.) /, "")))));
  if (kind === "table") return table(lines);
  return el("p", {}, inline(lines.join(" ")));
}

function table(lines) {
  const cells = (line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...rows] = lines;
  const top = el("thead", {}, el("tr", {}, cells(head).map((cell) => el("th", { scope: "col" }, inline(cell)))));
  const body = el("tbody", {}, rows.map((row) => el("tr", {}, cells(row).map((cell) => el("td", {}, inline(cell))))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, el("table", {}, top, body));
}

function inline(text) {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/);
  return parts.filter(Boolean).map((part) => {
    if (part.startsWith("**")) return el("strong", {}, part.slice(2, -2));
    if (part.startsWith("`")) return el("code", {}, part.slice(1, -1));
    if (/^\*[^*]+\*$/.test(part)) return el("em", {}, part.slice(1, -1));
    const link = part.match(/^\[([^\]]+)\]\(/);
    return link ? link[1] : part; // links of a document lead nowhere here
  });
}
