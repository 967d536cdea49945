// A window onto a tree larger than it: scrolled by drag, wheel and touch, zoomed by buttons, ctrl and wheel, and two fingers.
// A tree that cannot be read in it whole is first shown from afar, and from near once a node is looked at that cannot be read from there.

import { element } from "./element.js";
import { LEAST } from "./layout.js";

const CLOSEST = 3;
const WHOLE = 0.62; // smaller than this, a whole tree is no longer worth fitting in
const READABLE = 0.75; // then it is shown in part, so large, or smaller if more of the first branches are seen so
const SPECK = 0.4; // smaller than this nothing at all can be read
const STEP = 1.25;
const BESIDE = 120; // for the outermost of the first branches
const NARROW = 600; // pixels: on a phone a tree keeps its proportions, and is panned where it is not seen whole at this size:
const SMALL = 0.5;
const BRANCH = 40; // around a branch, so that it is seen

export class Viewport {
  constructor() {
    this.zoom = 1;
    this.chosen = ""; // by the user: "fit" or "zoom"
    this.scroll = element("div", { class: "tree-scroll", "data-test": "tree-scroll" });
    const button = (text, label, act) => element("button", { type: "button", "aria-label": label, title: label, "data-test": `zoom-${label.split(" ")[0].toLowerCase()}`, text, on: { click: act } });
    this.tools = element(
      "div",
      { class: "tree-zoom", role: "group", "aria-label": "The picture" },
      button("−", "Out", () => this.by(1 / STEP)),
      button("+", "In", () => this.by(STEP)),
      button("Fit", "Fit the whole tree", () => this.fit()),
    );
    this.node = element("div", { class: "tree-view" }, this.scroll, this.tools);
    this.scroll.addEventListener("scroll", () => this.#more());
    new ResizeObserver(() => this.#more()).observe(this.scroll);
    this.#wheel();
    this.#drag();
    this.#pinch();
  }

  /**
   * Show *tree*: whole, if it can be read so; or else from near, if its first branches are seen from there, or it has few nodes; or else from afar.
   * *keep* the zoom that there was. *near*: show it close up, because the user is asked about its nodes. *grown*: it is the tree that there was, with more
   * nodes, so it is shown as the user has chosen to see it.
   */
  show(tree, { keep = false, near = false, grown = false } = {}) {
    this.tree = tree;
    const { scrollLeft, scrollTop } = this.scroll;
    if (tree.svg.parentNode !== this.scroll) this.scroll.replaceChildren(tree.svg);
    if (!keep && !grown) this.chosen = "";
    if (grown && this.chosen === "fit") return this.fit();
    if (keep || this.chosen) {
      if (this.far) this.#far(LEAST);
      else this.#near(this.zoom);
      [this.scroll.scrollLeft, this.scroll.scrollTop] = [scrollLeft, scrollTop];
      return;
    }
    const plan = tree.layout.near();
    const whole = this.#whole(plan);
    const fan = this.scroll.clientWidth / (2 * plan.fan + BESIDE);
    const { focus } = tree.model;
    this.large = !near && !this.#narrow && whole < WHOLE && Boolean(focus || (tree.layout.crowded && fan < LEAST));
    if (this.large) this.#far(LEAST);
    else if (this.#narrow) this.#near(whole < SMALL ? READABLE : Math.min(1.25, whole), plan);
    else this.#near(whole >= WHOLE ? Math.min(1.25, whole) : fan < LEAST ? READABLE : Math.min(READABLE, fan), plan);
    this.#put(tree.root, this.scroll.clientWidth / 2, this.scroll.clientHeight / 2); // at the top, as far as it goes
  }

  get #narrow() {
    return this.scroll.clientWidth < NARROW;
  }

  /** Show nothing. */
  clear() {
    this.tree = null;
    this.scroll.replaceChildren();
  }

  #near(zoom, plan = this.tree.layout.near()) {
    this.far = false;
    this.tree.draw(plan);
    this.#size(zoom);
  }

  /** Show all of it that fits in, not smaller than *least*. */
  #far(least = 0) {
    this.far = true;
    this.tree.draw(this.tree.layout.far({ width: this.scroll.clientWidth, height: this.scroll.clientHeight }));
    this.#size(Math.max(least, Math.min(1, this.#whole())));
  }

  /** Return how large it is with its whole width and height in the box. */
  #whole({ width, height } = this.tree) {
    return Math.min(this.scroll.clientWidth / width, this.scroll.clientHeight / height) || 1;
  }

  #size(zoom) {
    this.zoom = Math.min(CLOSEST, Math.max(Math.min(0.02, this.#whole()), zoom));
    this.tree.svg.setAttribute("width", Math.floor(this.tree.width * this.zoom));
    this.tree.svg.setAttribute("height", Math.floor(this.tree.height * this.zoom));
    this.#more();
  }

  /** Say on which sides there is more than is seen. */
  #more() {
    const { scrollLeft, scrollWidth, clientWidth } = this.scroll;
    this.node.classList.toggle("more-left", scrollLeft > 1);
    this.node.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
  }

  /** Scroll until a node is at (x, y) of the box, or as close to it as it goes. */
  #put(node, x, y) {
    const place = this.tree.places.get(node);
    this.scroll.scrollLeft = place.x * this.zoom - x;
    this.scroll.scrollTop = place.y * this.zoom - y;
  }

  fit() {
    if (!this.tree) return;
    this.large = false; // from now on it is seen as the user wants it
    this.chosen = "fit";
    const whole = this.#whole(this.tree.layout.near());
    if (whole < SPECK && !this.#narrow) this.#far();
    else this.#near(Math.min(1.5, whole));
  }

  /** Zoom by a factor; the point (x, y) of the box stays where it is. */
  by(factor, x = this.scroll.clientWidth / 2, y = this.scroll.clientHeight / 2) {
    if (!this.tree) return;
    this.large = false;
    this.chosen = "zoom";
    if (this.far) return factor > 1 ? this.#approach(x, y) : this.#size(Math.min(1, this.#whole()));
    if (this.zoom * factor < SPECK && this.#whole() < SPECK && !this.#narrow) return this.fit();
    const { scroll } = this;
    const before = this.zoom;
    const [left, top] = [(scroll.scrollLeft + x) / before, (scroll.scrollTop + y) / before];
    this.#size(before * factor);
    scroll.scrollLeft = left * this.zoom - x;
    scroll.scrollTop = top * this.zoom - y;
  }

  /** See from near what was seen from afar at (x, y) of the box. */
  #approach(x, y) {
    const box = this.scroll.getBoundingClientRect();
    const picture = this.tree.svg.getBoundingClientRect();
    const [left, top] = [(x + box.left - picture.left) / this.zoom, (y + box.top - picture.top) / this.zoom];
    const away = (node) => Math.hypot(this.tree.places.get(node).x - left, this.tree.places.get(node).y - top);
    const node = [...this.tree.places.keys()].reduce((best, other) => (away(other) < away(best) ? other : best));
    this.#near(READABLE);
    this.#put(node, x, y);
  }

  /** Scroll as little as it takes for a node to be seen, with something around it; first go near if it cannot be read from afar, and far if it is the root. *best*: its best branch, which is seen rather than the node if there is no room for both. */
  reveal(node, best) {
    const { scroll } = this;
    const [width, height] = [scroll.clientWidth, scroll.clientHeight];
    if (this.large && !this.far && node === this.tree.root) this.#far(LEAST);
    if (this.large && this.far && this.tree.faces.get(node).squeeze < 1) {
      this.#near(READABLE);
      this.#put(node, width / 2, height / 2);
    }
    const { x, y } = this.tree.places.get(node);
    const [left, top] = [x * this.zoom - scroll.scrollLeft, y * this.zoom - scroll.scrollTop];
    const [beside, above] = [Math.min(width / 4, 120), Math.min(height / 4, 90)];
    if (left < beside || left > width - beside) scroll.scrollLeft += left - width / 2;
    if (top < above || top > height - above) scroll.scrollTop += top - height / 2;
    const other = best === undefined ? x : this.tree.places.get(best).x;
    if (Math.abs(other * this.zoom - scroll.scrollLeft - width / 2) < width / 2 - BRANCH) return;
    const both = Math.abs(other - x) * this.zoom < width - 2 * BRANCH;
    scroll.scrollLeft = (both ? (x + other) / 2 : other) * this.zoom - width / 2;
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
