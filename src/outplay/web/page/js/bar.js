// The evaluation bar: how much of it is player 0's says how well player 0 stands, on the scale of the game's scores.

import { element, write } from "./element.js";
import * as format from "./format.js";

export class Bar {
  constructor() {
    this.element = element("div", { class: "bar-place" }); // keeps its room while the bar is away
    this.fill = element("div", { class: "bar-fill" });
    this.first = element("span", { class: "bar-name bar-first" });
    this.second = element("span", { class: "bar-name bar-second" });
    this.bar = element("div", { class: "bar", role: "meter", "data-test": "eval-bar" }, this.fill, this.second, this.first);
  }

  /** Show *value*, player 0's, between *low* and *high*; said in *words*, if there are any. */
  show(value, { low, high, players }, words = "") {
    if (players.length < 2) return this.hide(); // alone, nobody is ahead
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
    const text = words || format.value(value, low, high);
    this.fill.style.setProperty("transform", `scaleY(${share.toFixed(4)})`);
    write(this.first, players[0]);
    write(this.second, players[1]);
    this.bar.setAttribute("aria-label", `Value to ${players[0]}`);
    this.bar.setAttribute("aria-valuemin", low);
    this.bar.setAttribute("aria-valuemax", high);
    this.bar.setAttribute("aria-valuenow", value);
    this.bar.setAttribute("aria-valuetext", `${text} on a scale from ${format.value(low, low, high)} to ${format.value(high, low, high)}`);
    if (!this.bar.isConnected) this.element.append(this.bar);
  }

  hide() {
    this.bar.remove();
  }
}
