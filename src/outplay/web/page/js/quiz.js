// "Which branch is pruned next?": the search is stopped where a value has come back, and what it does next is not shown.
// The window of the node above is not yet narrowed: that is left to the one who is asked. Sometimes nothing is pruned.

import { TAGS } from "./constants.js";
import { element, write } from "./element.js";
import { PassModel, aside } from "./models.js";
import { capital, cutName } from "./narration.js";
import { CUTS } from "./trace_playback.js";

const MOST = 6; // questions with a cut-off
const CHOICES = 2; // open branches that a question without a cut-off has at least, for "none" is a third choice

/**
 * Return the moments at which a value has come back from a place where nothing is searched further: {at, until, deciding, cuts, pruned}.
 * `at` steps are done then, *until* so many the search only goes back up, cutting off `cuts`, and so leaving out `pruned`.
 */
function momentsOf(playback) {
  const moments = [];
  playback.steps.forEach(({ node, kind }, before) => {
    if (kind !== "visit" || playback.nodes[node].parent < 0 || playback.nodes[node].value === null) return;
    const moment = { at: before + 1, until: before + 1, deciding: node, cuts: [], pruned: new Set() };
    while (playback.steps[moment.until]?.kind === "leave") {
      const { node: left } = playback.steps[moment.until++];
      const never = CUTS[playback.nodes[left].why] ? playback.neverBelow(left) : [];
      if (never.length) moment.cuts.push(left);
      for (const child of never) moment.pruned.add(child);
    }
    moments.push(moment);
  });
  return moments;
}

/** Return numbers from 0 to 1 that follow from *text* and *round* alone: the same tree is asked about alike. */
function numbersFrom(text, round) {
  let seed = 2166136261 ^ round;
  for (const letter of text) seed = Math.imul(seed ^ letter.codePointAt(0), 16777619);
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(from, number, random) {
  const left = [...from];
  return Array.from({ length: Math.min(number, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

/** Return what is asked about a playback, in the order of the search: moments with a cut-off, and among them some without. */
function questionsOf(playback, round = 0) {
  const random = numbersFrom(playback.nodes.map(({ parent, choice, value }) => `${parent} ${choice} ${value}`).join(), round);
  const moments = momentsOf(playback);
  const cutting = draw(moments.filter(({ pruned }) => pruned.size), MOST, random);
  if (!cutting.length) return [];
  const quiet = moments.filter(({ at, pruned, deciding, until }) => {
    if (pruned.size || playback.nodes[deciding].note === "probe" || playback.searchedAgain(deciding) || !goesOn(playback, until)) return false;
    playback.go(at);
    return openBranches(playback).length >= CHOICES;
  });
  const several = Math.ceil(cutting.length / 2) + Math.floor(random() * (cutting.length / 2 + 1));
  return [...cutting, ...draw(quiet, several, random)].sort((one, other) => one.at - other.at);
}

/** Whether the search then comes to another branch of the same pass. */
function goesOn(playback, step) {
  const next = playback.steps[step];
  return next !== undefined && next.kind !== "stop" && playback.nodes[next.node].parent >= 0;
}

/** Return the branches to which the search might come next, for all that is known. */
function openBranches(playback) {
  const { live, nodes } = playback;
  const found = [];
  live.forEach(({ status }, parent) => {
    if (status !== "open") return;
    const seen = new Set(); // a branch may be visited several times
    for (const child of playback.children[parent]) {
      const { choice, why } = nodes[child];
      if (!seen.has(choice) && live[child].status === "ahead" && why !== "left out") found.push(child);
      seen.add(choice);
    }
  });
  return found;
}

/** The tree as far as it is known at a question: what was visited, and the branches that are open. */
class QuestionModel extends PassModel {
  constructor(playback, narration, root, moment) {
    super(playback, narration, root);
    this.moment = moment;
    this.node = playback.nodes[moment.deciding].parent; // to which a value has come back
    this.answered = null; // a branch, or "none"
    this.before = playback.steps[moment.at - 1].changes.find(({ node }) => node === this.node)?.before;
    this.open = new Set(openBranches(playback));
    this.order = this.order.filter((node) => playback.live[node].status !== "ahead" || this.open.has(node));
    this.shown = new Set(this.order);
    this.tag = Math.max(...playback.nodes.map(({ why }) => (CUTS[why] ? TAGS[why].length : 0)));
  }

  children(node) {
    return super.children(node).filter((child) => this.shown.has(child));
  }

  /** Whether the search will leave out this branch. */
  prunes(node) {
    return this.moment.pruned.has(node);
  }

  /** The node that the answer is about: the one that is cut off, or else the one that goes on. */
  get focus() {
    const { cuts, until } = this.moment;
    const { steps, nodes } = this.playback;
    return cuts[0] ?? nodes[steps[until].node].parent;
  }

  face(node) {
    const face = super.face(node);
    // Every node that is still searched gets the room that a cut would take: the room itself must not tell.
    if (this.playback.live[node].status === "open" || node === this.node) return { ...face, room: { ...face.room, tag: this.tag } };
    if (!this.open.has(node)) return face;
    const chance = aside(this.playback.nodes[node]); // without the note: only what is visited has one
    return { ...face, chance, kind: "unknown", never: this.prunes(node), question: true, room: { value: 1, window: 0, tag: 0 } };
  }

  look(node) {
    if (this.open.has(node)) {
      const { name, choice } = this.playback.nodes[node];
      const pruned = this.answered !== null && this.prunes(node);
      const marks = this.answered === null ? "" : pruned ? "right" : node === this.answered ? "wrong" : "";
      const label = `branch ${name ? `“${name}”` : choice + 1} of ${this.narration.place(this.parent(node))}, open`;
      return { status: pruned ? "never" : "question", value: pruned ? "" : "?", window: "", tag: "", best: false, marks, label };
    }
    if (node === this.node && this.answered === null && this.before) return this.seen(node, this.before);
    return this.seen(node, this.playback.live[node]);
  }
}

export class Quiz {
  #right = 0;
  #asked = 0;
  #round = 0;

  /** *onShow(model, deciding)*: a question is to be drawn, with the node whose value came back last; *onReveal(model)*; *onAnother()*: another tree is wanted; *onEnd()*. */
  constructor({ onShow, onReveal, onAnother, onEnd }) {
    this.onShow = onShow;
    this.onReveal = onReveal;
    const button = (test, text, act, look = "") => element("button", { type: "button", class: `button ${look}`, "data-test": test, text, on: { click: act } });
    this.question = element("p", { class: "quiz-question", "data-test": "quiz-question" });
    this.feedback = element("p", { class: "quiz-feedback", "data-test": "quiz-feedback", "aria-live": "polite" });
    this.number = element("span", { class: "numeric", "data-test": "quiz-number" });
    this.score = element("span", { class: "numeric", "data-test": "quiz-score" });
    this.none = button("quiz-none", "None is pruned", () => this.answer("none"));
    this.next = button("quiz-next", "Next question", () => this.#ask(this.place + 1), "primary");
    this.again = button("quiz-again", "Again", () => this.start(this.playback, this.narration, this.#round + 1), "primary");
    this.another = button("quiz-another", "Another tree", () => onAnother());
    this.finish = button("quiz-end", "End", () => onEnd());
    this.finish.title = "End the quiz (Escape)";
    this.element = element(
      "section",
      { class: "quiz", "aria-label": "Quiz", hidden: true },
      this.question,
      this.feedback,
      element(
        "div",
        { class: "quiz-foot" },
        element("span", { class: "quiz-score" }, this.number, "Right: ", this.score),
        this.none,
        this.next,
        this.again,
        this.another,
        this.finish,
      ),
    );
  }

  get running() {
    return !this.element.hidden;
  }

  /** Ask about a playback from its beginning; in another *round* about other moments of it, where it has them. */
  start(playback, narration, round = 0) {
    this.playback = playback;
    this.narration = narration;
    this.#round = round;
    this.#right = this.#asked = 0;
    this.questions = questionsOf(playback, round);
    this.element.hidden = false;
    if (this.questions.length) return this.#ask(0);
    this.model = null;
    this.#offer([]);
    this.another.hidden = false;
    if (playback.cuts.length) {
      write(this.question, "No branch of this search is cut off by a single value.");
      this.#say("", "", "Its cut-offs follow from probes alone: turn Star2 off, and there will be branches to prune.");
    } else {
      write(this.question, "This search cuts nothing off.");
      this.#say("", "", playback.pruning ? "Search deeper, or turn ordering and the table off, and there will be branches to prune." : "Turn alpha-beta on: a plain search visits every branch.");
    }
    this.#tally();
  }

  end() {
    this.element.hidden = true;
    this.model = null;
  }

  #offer(buttons) {
    for (const button of [this.none, this.next, this.again, this.another]) button.hidden = !buttons.includes(button);
  }

  #ask(place) {
    if (place >= this.questions.length) return this.#conclude();
    this.place = place;
    const moment = this.questions[place];
    const { playback } = this;
    playback.go(moment.at);
    this.model = new QuestionModel(playback, this.narration, playback.passes[playback.pass].root, moment);
    this.#offer([this.none, this.next]);
    this.none.disabled = false;
    this.next.disabled = true;
    write(this.next, place + 1 === this.questions.length ? "How it went" : "Next question");
    write(this.question, `${this.#back(moment.deciding)} Which branch is pruned next, before another is visited?`);
    this.#say("", "", "Choose one marked “?”, by a click or with Tab and Enter, or say that none is.");
    this.#tally();
    this.onShow(this.model, moment.deciding);
  }

  #back(deciding) {
    const { playback, narration } = this;
    return capital(`${narration.name(deciding)} has come back with ${narration.value(playback.live[deciding])}.`);
  }

  #say(kind, verdict, text) {
    this.feedback.className = `quiz-feedback ${kind}`;
    this.feedback.replaceChildren(...(verdict ? [element("b", { text: verdict }), " "] : []), text);
  }

  #tally() {
    const { length } = this.questions;
    write(this.number, this.model ? `Question ${this.place + 1} of ${length}. ` : "");
    write(this.score, `${this.#right} of ${this.#asked}`);
  }

  /** A node was chosen, or "none". */
  answer(chosen) {
    const { model, playback } = this;
    if (!model || model.answered !== null) return;
    if (chosen !== "none" && !model.open.has(chosen)) {
      this.#say("", "", "That one is already searched. Choose a branch marked “?”.");
      return;
    }
    const { pruned, until } = model.moment;
    const right = chosen === "none" ? pruned.size === 0 : pruned.has(chosen);
    this.#asked += 1;
    this.#right += right ? 1 : 0;
    model.answered = chosen;
    playback.go(until);
    const explained = pruned.size ? this.#cut() : `None is pruned: ${this.#goingOn(model.focus)}`;
    if (right) this.#say("right", "Right.", explained);
    else if (chosen === "none") this.#say("wrong", pruned.size === 1 ? "One is pruned." : `${pruned.size} are pruned.`, explained);
    else if (playback.nodes[chosen].parent === model.focus) this.#say("wrong", "Not that one.", explained);
    else this.#say("wrong", "Not that one.", `${capital(this.#goingOn(playback.nodes[chosen].parent))} ${explained}`);
    this.#tally();
    this.none.disabled = true;
    this.next.disabled = false;
    this.onReveal(model);
    this.next.focus({ preventScroll: true });
  }

  /** Why branches are cut off: one value may cut off those of several nodes, one above the other. */
  #cut() {
    const { playback, narration, model } = this;
    return model.moment.cuts.map((node) => `${narration.reason(node)}: ${cutName(playback.nodes[node].why)}. ${this.#meaning(node)}`).join(" ");
  }

  /** Why a node is still searched. */
  #goingOn(node) {
    const { playback, narration } = this;
    const live = playback.live[node];
    const { value } = live;
    const place = narration.place(node);
    const max = playback.nodes[node].kind === "max";
    if (playback.nodes[node].kind === "chance") return `${place} can still come to lie inside its window ${narration.window(node, live)}.`;
    if (value === null) return `${place} has nothing ${max ? `above ${narration.edgeName(node, "alpha", live)}` : `below ${narration.edgeName(node, "beta", live)}`} yet, so it goes on.`;
    return max
      ? `${place} has ${narration.say(value)} so far, below ${narration.edgeName(node, "beta", live)}: another branch may be better.`
      : `${place} has ${narration.say(value)} so far, above ${narration.edgeName(node, "alpha", live)}: another branch may be lower.`;
  }

  /** What a cut-off means, in terms of the game. */
  #meaning(node) {
    const { playback, narration } = this;
    const { why, bound } = playback.nodes[node];
    if (why === "best cut") return "Its value is exact.";
    const high = why === "beta cut" || (why !== "alpha cut" && bound === "at least");
    if (playback.scouts[node] === (high ? "max" : "min")) return "The scout asks for no more.";
    const side = high ? "beta" : "alpha";
    const edge = playback.nodes[node][side];
    const above = [];
    for (let at = playback.nodes[node].parent; at >= 0; at = playback.nodes[at].parent) above.push(playback.nodes[at]);
    if (above.some(({ kind }) => kind === "chance")) return "What is left of it cannot change what is chosen above.";
    if (!above.length || above.at(-1)[side] === edge) return "This pass asks for no more; if the value lies outside its window, another pass follows.";
    return `${high ? "Min" : "Max"} has a way of ${narration.say(edge)} elsewhere and never lets it come to this.`;
  }

  /** Say how it went, and what there is to do next. */
  #conclude() {
    this.model = null;
    const { length } = this.questions;
    const all = this.#right === length;
    this.#offer([this.again, this.another]);
    write(this.question, `That was the last question: ${this.#right} of ${length} right.`);
    this.#say(all ? "right" : "", all ? "Well done." : "", all ? "You prune as the search does." : "Answer again, or try another tree, with values drawn at random.");
    this.#tally();
    this.again.focus({ preventScroll: true });
  }
}
