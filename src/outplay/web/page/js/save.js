// A drawn tree as a file: what the style sheets say of it is written into the picture, so that it looks the same anywhere.

import { element, svgElement } from "./element.js";

const LINES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "vector-effect"];
const LETTERS = ["fill", "font-size", "font-weight", "font-style", "text-anchor"];
const LOOKS = { path: LINES, rect: LINES, circle: LINES, ellipse: LINES, text: LETTERS, tspan: LETTERS };
const UNSEEN = ["touch", "handle", "halo"]; // what is there for who looks at the page: places to point at, and the node looked at
const PAGE_ONLY = /^(?:id|class|role|tabindex|(?:aria|data)-.*)$/;

/** Return a colour as every program reads it: browsers write mixed ones as color(srgb 0.5 0.5 0.5 / 0.5). */
function plain(value) {
  const mixed = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(value);
  if (!mixed) return value;
  const [red, green, blue] = mixed.slice(1, 4).map((part) => Math.round(255 * Number(part)));
  return mixed[4] === undefined ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${mixed[4]})`;
}

/** Return a copy of *node* that needs no style sheet; null where it is not to be seen. */
function copy(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.cloneNode();
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility === "hidden" || UNSEEN.includes(node.getAttribute("class"))) return null;
  const made = node.cloneNode();
  for (const { name } of [...made.attributes]) if (PAGE_ONLY.test(name)) made.removeAttribute(name);
  for (const name of LOOKS[node.localName] ?? []) made.setAttribute(name, plain(style.getPropertyValue(name)));
  made.append(...[...node.childNodes].map(copy).filter((child) => child !== null));
  return made;
}

/** Have the browser save *svg*, a picture on the page, as the file *name*. */
export function savePicture(svg, name) {
  const picture = copy(svg);
  const { width, height } = svg.viewBox.baseVal;
  const title = svgElement("title", { text: svg.getAttribute("aria-label") });
  const ground = svgElement("rect", { width, height, fill: getComputedStyle(svg.parentNode).backgroundColor });
  picture.prepend(title, ground);
  for (const [attribute, value] of Object.entries({ width, height, "font-family": getComputedStyle(svg).fontFamily })) picture.setAttribute(attribute, value);
  const file = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
  element("a", { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000); // once it is written
}
