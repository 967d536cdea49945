// The value over the game on the scale of its scores: one point a position, player 0's side above the middle; alone, from the least score up.

import { element, svgElement } from "./element.js";
import * as format from "./format.js";

const WIDTH = 320;
const HEIGHT = 88;
const EDGE = 6;

export class Graph {
  #plies = 1;

  constructor({ onGo }) {
    this.onGo = onGo;
    this.picture = svgElement("svg", { class: "graph-picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "Graph of the value" });
    this.top = element("span", { class: "graph-scale numeric" });
    this.bottom = element("span", { class: "graph-scale numeric" });
    this.element = element(
      "div",
      { class: "graph", "data-test": "graph", on: { click: (event) => this.#click(event) } },
      element("div", { class: "graph-scales" }, this.top, this.bottom),
      this.picture,
    );
  }

  clear() {
    this.picture.replaceChildren();
    this.top.textContent = this.bottom.textContent = "";
  }

  /** Show *values* (a number or undefined for each position of the game), with *ply* marked. */
  show(values, ply, { low, high, players }) {
    const seen = values.filter((value) => value !== undefined);
    const alone = players.length < 2;
    if (alone && seen.length) [low, high] = [Math.min(low, 0, ...seen), Math.max(low < 0 ? 0 : 1, ...seen)]; // a score has no end of the scale to be near
    this.#plies = values.length;
    const x = (index) => EDGE + (values.length < 2 ? 0 : (index / (values.length - 1)) * (WIDTH - 2 * EDGE));
    const [centre, full] = [(low + high) / 2, (high - low) / 2];
    const bend = full > 1 && !alone ? Math.sqrt : Number; // on a wide scale most values are small: they get more room
    const y = (value) => HEIGHT / 2 - Math.sign(value - centre) * bend(Math.abs(value - centre) / full) * (HEIGHT / 2 - EDGE);
    const middle = alone ? HEIGHT - EDGE : HEIGHT / 2;
    const known = values.map((value, index) => [index, value]).filter(([, value]) => value !== undefined);
    const parts = [svgElement("path", { class: "graph-middle", d: `M0 ${middle}H${WIDTH}` })];
    if (known.length > 1) {
      const points = known.map(([index, value]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
      const last = x(known.at(-1)[0]).toFixed(1);
      parts.push(svgElement("path", { class: "graph-area", d: `M${x(known[0][0]).toFixed(1)} ${middle}L${points.join("L")}L${last} ${middle}z` }));
      parts.push(svgElement("path", { class: "graph-line", d: `M${points.join("L")}` }));
    }
    parts.push(svgElement("path", { class: "graph-here", d: `M${x(ply).toFixed(1)} 0V${HEIGHT}` }));
    // A line of no length with round ends is a dot that keeps its shape when the picture is stretched.
    for (const [index, value] of known) {
      parts.push(svgElement("path", { class: index === ply ? "graph-point here" : "graph-point", "data-ply": index, d: `M${x(index).toFixed(1)} ${y(value).toFixed(1)}h0` }));
    }
    this.picture.replaceChildren(...parts);
    this.top.textContent = format.value(high, low, high);
    this.bottom.textContent = format.value(low, low, high);
  }

  #click(event) {
    const box = this.picture.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    this.onGo(Math.round(Math.min(1, Math.max(0, share)) * (this.#plies - 1)));
  }
}
