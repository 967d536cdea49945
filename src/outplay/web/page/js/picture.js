// A picture of a position, from the server's SVG text: what a game's `draw` returns is a user's text, so only shapes and words pass.

const SHAPES = new Set("svg g path rect circle ellipse line polyline polygon text tspan title desc".split(" "));
const FORBIDDEN = /^(?:on.*|style|id|href|xlink:.*|xml:base)$/i;
const REFERENCE = /url\s*\(|javascript:/i;

function clean(node) {
  for (const child of [...node.children]) {
    if (SHAPES.has(child.localName)) clean(child);
    else child.remove();
  }
  for (const { name, value } of [...node.attributes]) {
    if (FORBIDDEN.test(name) || REFERENCE.test(value)) node.removeAttribute(name);
  }
}

/** Return the picture as an element, or null where the text is no SVG. */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg" || root.querySelector("parsererror")) return null;
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
