// Marks on a board: what the last move did, and the best move, as a ring where it is one place and as an arrow where it goes from one to another.

import { svgElement } from "./element.js";
import { sizeOf } from "./picture.js";

const MANY = 12; // so many changed places say nothing
const WIDE = 0.4; // a change of more than this part of the picture is no place

/** Return the elements that take part in a move. */
export function listing(svg, choice) {
  return [...svg.querySelectorAll("[data-moves]")].filter((node) => node.dataset.moves.split(/\s+/).includes(String(choice)));
}

/** Return the centre, the edges and the area of a box of *node*, in units of its picture. */
export function placeOf(node, box = node.getBBox()) {
  const matrix = node.ownerSVGElement.getScreenCTM()?.inverse().multiply(node.getScreenCTM()) ?? new DOMMatrix();
  const one = new DOMPoint(box.x, box.y).matrixTransform(matrix);
  const other = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(matrix);
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
  const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
  return { x: (left + right) / 2, y: (top + bottom) / 2, left, right, top, bottom, area: (right - left) * (bottom - top), round: node.localName === "circle" };
}

/** Return the places of a move, in the order in which its name says them; *walks*: it goes from the first to the second. */
function placesOf(svg, choice, name = "") {
  const all = listing(svg, choice);
  const hits = all.filter((node) => node.classList.contains("hit"));
  const nodes = hits.length ? hits : all;
  if (nodes.length === 1) {
    const place = placeOf(nodes[0]);
    const anchor = all.find((node) => node !== nodes[0] && node.hasAttribute("data-anchor"));
    if (!anchor) return { places: [place] };
    const { x, y } = placeOf(anchor); // of a column, where the stone comes to lie
    const reach = 0.42 * Math.min(place.right - place.left, place.bottom - place.top);
    return { places: [{ x, y, left: x - reach, right: x + reach, top: y - reach, bottom: y + reach, round: true }] };
  }
  const starts = (node) => node.dataset.from?.split(" ").includes(String(choice));
  const told = nodes.some((node) => node.dataset.from !== undefined);
  const labelled = (node) => {
    const label = node.dataset.label ?? "";
    return { at: told ? !starts(node) : name.lastIndexOf(label.split(" ").at(-1) || "\n"), taken: /^(?:take|capture)\b/i.test(label), ...placeOf(node) };
  };
  const ordered = nodes.map(labelled).sort((one, other) => one.taken - other.taken || one.at - other.at);
  const [from, to] = ordered;
  return { places: ordered, walks: ordered.length > 1 && !to.taken && from.at >= 0 && from.at < to.at };
}

/** Return what a leaf of a picture looks like, as a text. */
function lookOf(node) {
  const attributes = [...node.attributes].filter(({ name }) => !/^(?:data-|aria-|role|class)/.test(name));
  return [node.localName, ...attributes.map(({ name, value }) => `${name}=${value}`), node.textContent].join("|");
}

const leaves = (svg) => [...svg.querySelectorAll("*")].filter((node) => !node.childElementCount && node.getBBox && !node.matches("[data-moves], .hit"));

/** Return the box of what is written otherwise in *node* than in *old*. */
function written(node, old) {
  const [now, then] = [node.textContent, old?.textContent ?? ""];
  let [first, last] = [0, now.length - 1];
  while (first < last && now[first] === then[first]) first += 1;
  if (now.length === then.length) while (last > first && now[last] === then[last]) last -= 1;
  const inNumber = (index) => /\d\d/.test(now.slice(index - 1, index + 1)); // its digits belong together
  while (first > 0 && inNumber(first)) first -= 1;
  while (last < now.length - 1 && inNumber(last + 1)) last += 1;
  const [one, other] = [node.getExtentOfChar(first), node.getExtentOfChar(last)];
  return { x: one.x - 2, y: one.y, width: other.x + other.width - one.x + 4, height: one.height };
}

/** Return the cells of grids that hold something else than before. */
function cellsChanged(before, after) {
  const old = before.querySelectorAll("[data-grid]");
  return [...after.querySelectorAll("[data-grid]")].flatMap(({ dataset }, grid) => {
    const [x, y, side, columns, tall = side] = dataset.grid.split(" ").map(Number);
    const held = old[grid]?.dataset.cells.split(" ") ?? [];
    return dataset.cells.split(" ").flatMap((now, cell) => {
      const [left, top] = [x + side * (cell % columns), y + tall * Math.floor(cell / columns)];
      return now === held[cell] ? [] : [{ left, right: left + side, top, bottom: top + tall }];
    });
  });
}

/** Return the places in which a picture differs from the one before it. */
function changed(before, after) {
  const cells = cellsChanged(before, after);
  if (cells.length) return cells.length > MANY ? [] : cells;
  const old = leaves(before);
  const known = new Set(old.map(lookOf));
  const [width, height] = sizeOf(after);
  const at = (node) => `${node.getAttribute("x")} ${node.getAttribute("y")}`;
  const places = leaves(after)
    .filter((node) => !known.has(lookOf(node)) && (node.localName !== "text" || node.textContent))
    .map((node) => placeOf(node, node.localName === "text" ? written(node, old.find((other) => other.localName === "text" && at(other) === at(node))) : undefined))
    .filter(({ area }) => area < WIDE * width * height);
  return places.length > MANY ? [] : places;
}

function ring({ left, right, top, bottom, round }, grown = 0) {
  const [width, height] = [right - left + 2 * grown, bottom - top + 2 * grown];
  return svgElement("rect", { x: left - grown, y: top - grown, width, height, rx: round ? width / 2 : Math.min(8, width / 4, height / 4) });
}

/** Return the marks of the last move: its places in the picture *before*, or else what it changed since; both pictures are laid out. Cells with data-marked say it all. */
export function lastMark(before, after, choice, name) {
  const places = after.querySelector("[data-marked]") ? cellsChanged(before, after) : placesOf(before, choice, name).places;
  const shown = places.length ? places : changed(before, after);
  return svgElement("g", { class: "last-move", "data-test": "last-move", "data-choice": choice, "aria-hidden": "true" }, shown.map((place) => ring(place)));
}

/** Return rings around the places of a move, or around what the picture *after* it has otherwise; null where neither is known. */
export function moveMark(svg, choice, after = null) {
  const places = after ? changed(svg, after) : placesOf(svg, choice).places;
  return places.length ? svgElement("g", { class: "pointed", "data-test": "pointed", "aria-hidden": "true" }, places.map((place) => ring(place))) : null;
}

/** Return the mark of the best move: nothing where the picture does not know it. */
export function bestMark(svg, choice, name) {
  const { places, walks } = placesOf(svg, choice, name);
  const unit = Math.max(...sizeOf(svg)) / 360;
  const layer = svgElement("g", { class: "best-move", "data-test": "best-move", "data-choice": choice, "data-shape": walks ? "arrow" : places.length ? "ring" : "none" });
  const [from, to] = places;
  layer.append(...(walks ? places.slice(2) : places).map((place) => ring(place, unit)));
  if (!walks) return layer;
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [right, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const point = (along, aside) => `${(from.x + along * right - aside * down).toFixed(1)} ${(from.y + along * down + aside * right).toFixed(1)}`;
  const clear = Math.max(6 * unit, Math.min(0.32 * Math.min(to.right - to.left, to.bottom - to.top), length / 3)); // for what stands on the place
  const [start, end] = [0.12 * length, length - clear];
  const [thin, thick, head] = [3 * unit, 9 * unit, end - 16 * unit];
  const corners = [point(start, thin), point(head, thin), point(head, thick), point(end, 0), point(head, -thick), point(head, -thin), point(start, -thin)];
  layer.append(svgElement("path", { d: `M${corners.join("L")}z` }));
  return layer;
}
