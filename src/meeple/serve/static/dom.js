// Elements made by hand: the content policy of the page forbids markup in strings.

const SVG = "http://www.w3.org/2000/svg";
const ART = new URL("./art/", import.meta.url);

// el("button", {class: "piece", "data-key": "x", onclick: f}, "text", child, null)
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

// A drawing of art/: "jaipur/diamond" is the symbol `diamond` of art/jaipur.svg.
export function picture(name) {
  const [file, symbol] = name.split("/");
  const use = svg("use", { href: `${new URL(`${file}.svg`, ART).pathname}#${symbol}` });
  return svg("svg", { class: "art", viewBox: "0 0 100 100", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true", focusable: "false" }, use);
}

// Text for those who listen; hidden from the eye.
export function spoken(text) {
  return el("span", { class: "spoken" }, text);
}
