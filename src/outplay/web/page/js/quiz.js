// "Which branch is pruned next?": the search is stopped just before a cut-off, and what it does next is not shown.
// A value has come back, but the window of the node above is not yet narrowed: that is left to the one who is asked.

import { element, write } from "./element.js";
import { probability } from "./format.js";
import { PassModel } from "./models.js";
import { CUTS } from "./steps.js";
import { capital, cutName } from "./telling.js";

const LONGEST_CUT = Math.max(...Object.keys(CUTS).map((why) => why.length));

/** Return the steps of a story in which branches are cut off. */
export function cutsOf(story) {
  const cuts = [];
  story.steps.forEach(({ node, kind }, at) => {
    const pruned = story.children[node].some((child) => story.nodes[child].why === "never");
    if (kind !== "enter" && CUTS[story.nodes[node].why] && pruned) cuts.push(at);
  });
  return cuts;
}

/** The tree as far as it is known at a question: what was visited, and the branches that are open. */
class QuestionModel extends PassModel {
  constructor(story, telling, root, cut) {
    super(story, telling, root);
    this.cut = cut; // the step
    this.node = story.steps[cut].node; // that is cut off
    this.answered = null;
    this.before = story.steps[cut - 1].changes.find(({ node }) => node === this.node)?.before;
    this.open = new Set();
    this.order = this.order.filter((node) => story.live[node].status !== "ahead" || this.#opens(node));
    this.shown = new Set(this.order);
  }

  /** Whether the search might come here next, for all that is known. */
  #opens(node) {
    const { live, nodes } = this.story;
    const { parent, choice, why } = nodes[node];
    if (parent < 0 || live[parent].status !== "open" || why === "left out") return false;
    const first = this.story.children[parent].find((sibling) => nodes[sibling].choice === choice);
    if (first !== node) return false; // another visit of the same branch
    this.open.add(node);
    return true;
  }

  children(node) {
    return super.children(node).filter((child) => this.shown.has(child));
  }

  /** Whether the search will leave out this branch. */
  prunes(node) {
    const { parent, why } = this.story.nodes[node];
    return parent === this.node && why === "never";
  }

  face(node) {
    const face = super.face(node);
    // Every node that is still searched gets the room that a cut would take: the room itself must not tell.
    if (this.story.live[node].status === "open" || node === this.node) return { ...face, room: { ...face.room, tag: LONGEST_CUT } };
    if (!this.open.has(node)) return face;
    const { probability: share } = this.story.nodes[node];
    const chance = typeof share === "number" ? probability(share) : ""; // without the note: only what is visited has one
    return { ...face, chance, kind: "unknown", never: this.prunes(node), question: true, room: { value: 2, window: 0, tag: 0 } };
  }

  look(node) {
    if (this.open.has(node)) {
      const { name } = this.story.nodes[node];
      const pruned = this.answered !== null && this.prunes(node);
      const marks = this.answered === null ? "" : pruned ? "right" : node === this.answered ? "wrong" : "";
      const label = `branch “${name}” of ${this.telling.place(this.parent(node))}, open`;
      return { status: pruned ? "never" : "question", value: pruned ? "" : "?", window: "", tag: "", best: false, marks, label };
    }
    if (node === this.node && this.answered === null && this.before) return this.seen(node, this.before);
    return this.seen(node, this.story.live[node]);
  }
}

export class Quiz {
  #right = 0;
  #asked = 0;

  /** *onShow(model, deciding)*: a question is to be drawn, with the node whose value came back last; *onReveal(nodes)*; *onEnd()*. */
  constructor({ onShow, onReveal, onEnd }) {
    this.onShow = onShow;
    this.onReveal = onReveal;
    this.question = element("p", { class: "quiz-question", "data-test": "quiz-question" });
    this.feedback = element("p", { class: "quiz-feedback", "data-test": "quiz-feedback", "aria-live": "polite" });
    this.score = element("span", { class: "numeric", "data-test": "quiz-score" });
    this.next = element("button", { type: "button", class: "button primary", "data-test": "quiz-next", text: "Next question", on: { click: () => this.#next() } });
    this.element = element(
      "section",
      { class: "quiz", "aria-label": "Quiz", hidden: true },
      this.question,
      this.feedback,
      element(
        "div",
        { class: "quiz-foot" },
        element("span", { class: "quiz-score" }, "Right: ", this.score),
        this.next,
        element("button", { type: "button", class: "button", "data-test": "quiz-end", title: "End the quiz (Escape)", text: "End", on: { click: () => onEnd() } }),
      ),
    );
  }

  get running() {
    return !this.element.hidden;
  }

  /** Ask about the first cut-off from the step that the story is at. */
  start(story, telling) {
    this.story = story;
    this.telling = telling;
    this.cuts = cutsOf(story);
    this.#right = this.#asked = 0;
    this.element.hidden = false;
    const place = this.cuts.findIndex((cut) => cut >= story.at);
    if (this.cuts.length) return this.#ask(place < 0 ? 0 : place);
    this.model = null;
    this.next.hidden = true;
    write(this.question, "This search cuts nothing off.");
    this.#say("", "", story.pruning ? "Search deeper, or turn ordering and the table off, and there will be branches to prune." : "Turn alpha-beta on: a plain search visits every branch.");
    write(this.score, "0 of 0");
  }

  end() {
    this.element.hidden = true;
    this.model = null;
  }

  #ask(place) {
    this.place = place;
    const cut = this.cuts[place];
    const { story } = this;
    story.go(cut);
    this.model = new QuestionModel(story, this.telling, story.passes[story.pass].root, cut);
    const deciding = story.steps[cut - 1].node;
    this.next.hidden = false;
    this.next.disabled = true;
    write(this.question, `${this.#back(deciding)} Which branch is pruned next?`);
    this.#say("", "", "Choose one marked “?”: click it, or reach it with Tab and press Enter.");
    this.#tally();
    this.onShow(this.model, deciding);
  }

  #back(deciding) {
    const { story, telling } = this;
    return capital(`${telling.name(deciding)} has come back with ${telling.value(story.live[deciding])}.`);
  }

  #say(kind, verdict, text) {
    this.feedback.className = `quiz-feedback ${kind}`;
    this.feedback.replaceChildren(...(verdict ? [element("b", { text: verdict }), " "] : []), text);
  }

  #tally() {
    write(this.score, `${this.#right} of ${this.#asked}`);
  }

  /** A node was chosen. */
  answer(node) {
    const { model, telling, story } = this;
    if (!model || model.answered !== null) return;
    if (!model.open.has(node)) {
      this.#say("", "", "That one is already searched. Choose a branch marked “?”.");
      return;
    }
    const right = model.prunes(node);
    const why = this.#wrong(node);
    this.#asked += 1;
    this.#right += right ? 1 : 0;
    model.answered = node;
    story.go(model.cut + 1);
    const explained = `${telling.reason(model.node)}: ${cutName(story.nodes[model.node].why)}. ${this.#meaning()}`;
    if (right) this.#say("right", "Right.", explained);
    else this.#say("wrong", "Not that one.", `${why} ${explained}`);
    this.#tally();
    this.next.disabled = false;
    this.onReveal(model);
    this.next.focus({ preventScroll: true });
  }

  /** Why the branch that was chosen is still searched. */
  #wrong(node) {
    const { story, telling } = this;
    const { parent } = story.nodes[node];
    const { value, alpha, beta } = story.live[parent];
    const place = telling.place(parent);
    const { kind } = story.nodes[parent];
    if (kind === "chance") return `${place} can still come to lie inside its window ${telling.window({ alpha, beta })}.`;
    if (value === null) return `${place} knows no branch yet, so it goes on in ${telling.window({ alpha, beta })}.`;
    return kind === "max"
      ? `${place} has ${telling.say(value)} so far, below β = ${telling.say(beta)}: another branch may be better.`
      : `${place} has ${telling.say(value)} so far, above α = ${telling.say(alpha)}: another branch may be lower.`;
  }

  /** What a cut-off means, in terms of the game. */
  #meaning() {
    const { story, telling, model } = this;
    const { why, bound } = story.nodes[model.node];
    const high = why === "beta cut" || (why !== "alpha cut" && bound === "at least");
    const side = high ? "beta" : "alpha";
    const edge = story.nodes[model.node][side];
    const above = [];
    for (let at = story.nodes[model.node].parent; at >= 0; at = story.nodes[at].parent) above.push(story.nodes[at]);
    if (above.some(({ kind }) => kind === "chance")) return "What is left of it cannot change what is chosen above.";
    if (above.at(-1)?.[side] === edge) return "This pass asks for no more; if the value lies outside its window, another pass follows.";
    return `${high ? "Min" : "Max"} has a way of ${telling.say(edge)} elsewhere and never lets it come to this.`;
  }

  #next() {
    this.#ask((this.place + 1) % this.cuts.length);
  }
}
