// The controls that step through a playback: first, back, forward, last, run and pause, speed, the next step worth going to.

import { element, inField, svgElement, write } from "./element.js";

const ICONS = { first: "M4 4v12M16 4 7 10l9 6Z", back: "M14 4 5 10l9 6Z", forward: "M6 4 15 10 6 16Z", last: "M16 4v12M4 4l9 6-9 6Z" };

function icon(path) {
  return svgElement("svg", { viewBox: "0 0 20 20", width: 18, height: 18, class: "icon", "aria-hidden": "true" }, svgElement("path", { d: path }));
}

export class Stepper {
  #timer = null;

  /** *onGo(step)*: show the playback after so many steps. *onCut()*: after the next step worth going to. */
  constructor({ onGo, onCut }) {
    this.onGo = onGo;
    this.at = 0;
    this.length = 0;
    const button = (test, label, text, act) => element("button", { type: "button", class: "button step", "data-test": test, "aria-label": label, title: label, on: { click: act } }, text);
    this.first = button("step-first", "First step (Home)", icon(ICONS.first), () => this.#by(-Infinity));
    this.back = button("step-back", "One step back (Left)", icon(ICONS.back), () => this.#by(-1));
    this.forward = button("step-forward", "One step on (Right)", icon(ICONS.forward), () => this.#by(1));
    this.last = button("step-last", "Last step (End)", [icon(ICONS.last), element("span", { text: "End" })], () => this.#by(Infinity));
    this.cut = button("step-cut", "", "", () => this.pause() || onCut());
    this.run = element("button", { type: "button", class: "button primary run", "data-test": "run", "aria-pressed": "false", text: "Run", on: { click: () => this.toggle() } });
    // Let go of by the pointer, it gives the arrows back to the steps.
    this.speed = element("input", { type: "range", min: 0, max: 5, step: 0.5, value: 2, "aria-label": "Speed", "data-test": "speed", on: { pointerup: () => this.speed.blur() } });
    this.slider = element("input", { type: "range", min: 0, max: 1, value: 0, class: "scrub", "aria-label": "Step", "data-test": "step-slider", on: { input: ({ target }) => this.pause() || onGo(Number(target.value)) } });
    this.count = element("span", { class: "numeric faint", "data-test": "step-count" });
    this.buttons = element("div", { class: "step-buttons" }, this.first, this.back, this.run, this.forward, this.last, this.cut);
    this.element = element(
      "div",
      { class: "stepper", role: "group", "aria-label": "Steps" },
      this.buttons,
      element("label", { class: "speed" }, element("span", { class: "faint", text: "Speed" }), this.speed),
      element("label", { class: "scrubber" }, element("span", { class: "faint", text: "Step" }), this.slider, this.count),
    );
    this.show(0, 0, false);
  }

  /** Set the text and the tooltip of the button that goes to the next landmark. */
  landmark(text, label) {
    write(this.cut, text);
    this.cut.title = label;
    this.cut.setAttribute("aria-label", label);
  }

  #by(steps) {
    this.pause();
    this.onGo(Math.max(0, Math.min(this.length, this.at + steps)));
  }

  /** Show where the playback stands: *at* of *length* steps; *cuts*: whether a step worth going to is still to come. */
  show(at, length, cuts) {
    this.at = at;
    this.length = length;
    this.slider.max = length;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `${at} of ${length}`);
    write(this.count, `${at} / ${length}`);
    this.first.disabled = this.back.disabled = at === 0;
    this.last.disabled = this.forward.disabled = at === length;
    this.cut.disabled = !cuts;
    this.run.disabled = length === 0;
    if (at === length) this.pause();
  }

  get running() {
    return this.#timer !== null;
  }

  toggle() {
    if (this.running) return this.pause();
    if (this.at === this.length) this.onGo(0);
    this.#timer = setTimeout(() => this.#tick(), 0);
    this.run.setAttribute("aria-pressed", "true");
    write(this.run, "Pause");
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.run.setAttribute("aria-pressed", "false");
    write(this.run, "Run");
  }

  #tick() {
    this.#timer = setTimeout(() => this.#tick(), 1000 / 2 ** Number(this.speed.value));
    this.onGo(this.at + 1);
  }

  /** A key pressed anywhere in the room; return whether it was one of these. */
  key({ key, target, ctrlKey, metaKey, altKey }) {
    if (ctrlKey || metaKey || altKey || inField(target)) return false;
    if (key === " " && target instanceof Element && target.closest("button, summary, a, input")) return false;
    const acts = {
      ArrowLeft: () => this.#by(-1),
      ArrowRight: () => this.#by(1),
      Home: () => this.#by(-Infinity),
      End: () => this.#by(Infinity),
      " ": () => this.toggle(),
      c: () => this.cut.disabled || this.cut.click(),
    };
    if (!acts[key]) return false;
    acts[key]();
    return true;
  }
}
