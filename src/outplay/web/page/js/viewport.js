// A window onto a picture larger than it: scrolled by drag, wheel and touch, zoomed by buttons, ctrl and wheel, and two fingers.

import { element } from "./element.js";

const CLOSEST = 3;
const WHOLE = 0.62; // smaller than this, a whole tree is no longer worth fitting in
const READABLE = 0.75; // then it is shown in part, so large,
const LEAST = 0.55; // or down to this, if more of the root's children are seen so
const STEP = 1.25;
const BESIDE = 120; // for the outermost children of the root
const SPECK = 0.25; // smaller than this nothing can be read: the whole is shown as a silhouette that fills the box

export class Viewport {
  constructor() {
    this.zoom = 1;
    this.scroll = element("div", { class: "tree-scroll", "data-test": "tree-scroll" });
    const button = (text, label, act) => element("button", { type: "button", "aria-label": label, title: label, "data-test": `zoom-${label.split(" ")[0].toLowerCase()}`, text, on: { click: act } });
    this.node = element(
      "div",
      { class: "tree-view" },
      this.scroll,
      element(
        "div",
        { class: "tree-zoom", role: "group", "aria-label": "Zoom" },
        button("−", "Out", () => this.by(1 / STEP)),
        button("+", "In", () => this.by(STEP)),
        button("Fit", "Fit the whole tree", () => this.fit()),
      ),
    );
    this.#wheel();
    this.#drag();
    this.#pinch();
  }

  /** Show *tree*, {svg, width, height}: whole if it stays readable, else from its root; *keep* the zoom that there was. */
  show(tree, { keep = false } = {}) {
    this.tree = tree;
    this.scroll.replaceChildren(tree.svg);
    if (keep) return this.#size(this.zoom);
    const whole = this.#whole();
    const fan = this.scroll.clientWidth / (2 * tree.fan + BESIDE);
    this.#size(whole >= WHOLE ? Math.min(1.25, whole) : Math.min(READABLE, Math.max(LEAST, fan)));
    this.scroll.scrollLeft = tree.places.get(tree.order[0]).x * this.zoom - this.scroll.clientWidth / 2;
    this.scroll.scrollTop = 0;
  }

  /** Show nothing. */
  clear() {
    this.tree = null;
    this.scroll.replaceChildren();
  }

  #whole() {
    return Math.min(this.scroll.clientWidth / this.tree.width, this.scroll.clientHeight / this.tree.height) || 1;
  }

  #size(zoom) {
    this.zoom = Math.min(CLOSEST, Math.max(Math.min(0.02, this.#whole()), zoom));
    this.#scale(this.tree.width * this.zoom, this.tree.height * this.zoom, false);
  }

  #scale(width, height, silhouette) {
    const { svg } = this.tree;
    svg.setAttribute("width", Math.floor(width));
    svg.setAttribute("height", Math.floor(height));
    svg.setAttribute("preserveAspectRatio", silhouette ? "none" : "xMidYMid");
    svg.classList.toggle("silhouette", silhouette);
  }

  fit() {
    if (!this.tree) return;
    this.#size(Math.min(1.5, this.#whole()));
    if (this.zoom < SPECK) this.#scale(this.scroll.clientWidth, this.scroll.clientHeight - 1, true);
  }

  /** Zoom by a factor; the point (x, y) of the box stays where it is. */
  by(factor, x = this.scroll.clientWidth / 2, y = this.scroll.clientHeight / 2) {
    if (!this.tree) return;
    const { scroll } = this;
    const before = this.zoom;
    const [left, top] = [(scroll.scrollLeft + x) / before, (scroll.scrollTop + y) / before];
    this.#size(before * factor);
    scroll.scrollLeft = left * this.zoom - x;
    scroll.scrollTop = top * this.zoom - y;
  }

  /** Scroll as little as it takes for a place of the tree to be seen, with something around it. */
  reveal({ x, y }) {
    const { scroll } = this;
    const [width, height] = [scroll.clientWidth, scroll.clientHeight];
    const [left, top] = [x * this.zoom - scroll.scrollLeft, y * this.zoom - scroll.scrollTop];
    const [beside, above] = [Math.min(width / 4, 120), Math.min(height / 4, 90)];
    if (left < beside || left > width - beside) scroll.scrollLeft += left - width / 2;
    if (top < above || top > height - above) scroll.scrollTop += top - height / 2;
  }

  #wheel() {
    const turned = (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = this.scroll.getBoundingClientRect();
      this.by(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    };
    this.scroll.addEventListener("wheel", turned, { passive: false });
  }

  #drag() {
    const { scroll } = this;
    let from = null;
    scroll.addEventListener("pointerdown", ({ pointerType, button, clientX, clientY }) => {
      if (pointerType !== "mouse" || button !== 0) return; // fingers scroll by themselves
      from = { x: clientX + scroll.scrollLeft, y: clientY + scroll.scrollTop, clientX, clientY, moved: false };
    });
    scroll.addEventListener("pointermove", ({ pointerId, clientX, clientY, buttons }) => {
      if (!from || !buttons) return (from = null);
      if (!from.moved && Math.hypot(clientX - from.clientX, clientY - from.clientY) < 5) return;
      if (!from.moved) scroll.setPointerCapture(pointerId);
      from.moved = true;
      scroll.scrollLeft = from.x - clientX;
      scroll.scrollTop = from.y - clientY;
    });
    // A drag that ends over a node is no click on it.
    scroll.addEventListener("click", (event) => {
      if (from?.moved) event.stopPropagation();
      from = null;
    }, { capture: true });
  }

  #pinch() {
    const fingers = new Map();
    const apart = () => {
      const [one, other] = [...fingers.values()];
      return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    };
    const { scroll } = this;
    scroll.addEventListener("pointerdown", (event) => event.pointerType === "touch" && fingers.set(event.pointerId, event));
    scroll.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = fingers.size === 2 && apart();
      fingers.set(event.pointerId, event);
      if (!before) return;
      const box = scroll.getBoundingClientRect();
      const [one, other] = [...fingers.values()];
      this.by(apart() / before, (one.clientX + other.clientX) / 2 - box.left, (one.clientY + other.clientY) / 2 - box.top);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) scroll.addEventListener(name, ({ pointerId }) => fingers.delete(pointerId));
  }
}
