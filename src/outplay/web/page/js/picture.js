// A picture of a position, from the server's SVG text: what a game's `draw` returns is a user's text, so only shapes and words pass.

import { SVG } from "./element.js";

const SHAPES = new Set("svg g path rect circle ellipse line polyline polygon text tspan title desc".split(" "));
const FORBIDDEN = /^(?:on.*|style|id|href|base)$/i; // under whatever prefix
const REFERENCE = /url\s*\(|\\|javascript:/i; // a backslash may write any of these letters otherwise
const WORDS = /^(?:aria|data)-/;

const isShape = (node) => node.namespaceURI === SVG && SHAPES.has(node.localName);

function clean(root) {
  for (const node of [root, ...root.querySelectorAll("*")]) {
    if (!isShape(node)) {
      node.remove();
      continue;
    }
    for (const { name, localName, value } of [...node.attributes]) {
      const inner = name === "aria-label" && node !== root; // only what can be chosen has a name: the board gives it back
      if (inner) node.dataset.label = value;
      if (inner || FORBIDDEN.test(localName) || (REFERENCE.test(value) && !WORDS.test(name))) node.removeAttribute(name);
    }
  }
}

/** Return the picture as an element, or null where the text is no SVG. */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg" || !isShape(root) || root.querySelector("parsererror")) return null;
  clean(root);
  root.removeAttribute("width");
  root.removeAttribute("height");
  root.classList.add("picture");
  return document.importNode(root, true);
}

/** Return [width, height] of a picture's view box. */
export function sizeOf(svg) {
  const box = svg?.viewBox.baseVal;
  return box && box.width > 0 && box.height > 0 ? [box.width, box.height] : [1, 1];
}
