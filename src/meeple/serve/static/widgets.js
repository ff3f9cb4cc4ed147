// Small pieces that several pages use.

import { el } from "./dom.js";

export function options(id, pairs, chosen, onchange) {
  const select = el("select", { id, onchange }, pairs.map(([value, text]) => el("option", { value }, text)));
  if (pairs.some(([value]) => value === chosen)) select.value = chosen;
  return select;
}

export function field(label, control) {
  return el("p", { class: "field-row" }, el("label", { for: control.id }, label), control);
}

export function button(text, onclick, style = "secondary", more = {}) {
  return el("button", { type: "button", class: style, onclick, ...more }, text);
}

// What is being compiled, and how many functions that made so far.
export function progressLine(ready) {
  if (!ready || (ready.rules && !ready.compiling.length)) return "";
  const what = ready.compiling.length ? ready.compiling.join(", ") : "rules";
  const text = ready.functions ? `Compiling ${what}, only this once: ${ready.functions} functions so far …` : `Getting ready: ${what} …`;
  return el("p", { class: "compiling" }, el("progress", { "aria-label": "Getting ready" }), el("span", {}, text));
}

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)}%`;

export const worth = (value, points) => (value === null || value === undefined ? "not tried" : points ? `${value.toFixed(1)} points` : percent(value));

// Copy a text, and say so on the button.
export function copyButton(label, text) {
  const made = button(label, async () => {
    const copied = typeof text === "function" ? await text() : text;
    try {
      await navigator.clipboard.writeText(copied);
      made.textContent = "Copied";
    } catch {
      const shown = el("textarea", { class: "to-copy", readonly: true, rows: "4", "aria-label": label });
      shown.value = copied;
      made.after(shown);
      shown.select();
    }
  });
  return made;
}

export function heading(level, text) {
  return el(`h${level}`, {}, text);
}
