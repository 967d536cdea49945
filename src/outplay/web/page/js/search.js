// The room Search: a search as a tree, step by step.

import { TRACE_NODES } from "./constants.js";
import { element, inField, write } from "./element.js";
import { ChoiceTable } from "./choice_table.js";
import { exercise } from "./exercise.js";
import { HandModel, HandNarration, HandPlayback } from "./hand.js";
import { PassModel, SavedModel } from "./models.js";
import { Narration, fractions, number } from "./narration.js";
import { NodeDetails } from "./node_details.js";
import { Outline } from "./outline.js";
import { gameOf, keyOf } from "./position.js";
import { Quiz } from "./quiz.js";
import { savePicture } from "./save.js";
import { SettingsForm, prunes, queryFor, settingsOf, simulated, subject, techniques, usesScale } from "./settings.js";
import { SimulationModel } from "./simulation_model.js";
import { SimulationNarration } from "./simulation_narration.js";
import { PHASES, SimulationPlayback } from "./simulation_playback.js";
import { Stepper } from "./stepper.js";
import { Counters, LadderTable } from "./tally.js";
import { TracePlayback, giveTexts } from "./trace_playback.js";
import { Tree } from "./tree.js";
import { Viewport } from "./viewport.js";

const LOG = 6; // steps told
const REMEMBER = 400; // milliseconds after a step until the address holds it
const WALK = ["ArrowUp", "ArrowDown", ",", "."];

export default class SearchRoom {
  constructor(root, shell) {
    this.shell = shell;
    this.jobs = new Map(); // what for -> the request under way
    this.form = new SettingsForm({ shell, onChange: (changes) => this.#change(changes) });
    this.view = new Viewport();
    this.stepper = new Stepper({ onGo: (step) => this.#go(step), onCut: () => this.#nextCut() });
    this.counters = new Counters();
    this.ladder = new LadderTable({ onSaved: (saved) => this.#change({ saved }), onChoose: (only) => this.#change({ only, play: false }) });
    this.choices = new ChoiceTable();
    this.details = new NodeDetails({ onFold: () => this.#fold(this.#looked()) });
    this.outline = new Outline();
    this.quiz = new Quiz({ onShow: (model, deciding) => this.#ask(model, deciding), onReveal: (model) => this.#reveal(model), onAnother: () => this.#another(), onEnd: () => this.#endQuiz() });
    this.text = element("p", { class: "step-text", "aria-live": "polite", "data-test": "step-text" });
    this.phases = element("ol", { class: "phases", "aria-label": "Phases of a simulation", "data-test": "phases" }, Object.entries(PHASES).map(([kind, text]) => element("li", { "data-kind": kind, text })));
    this.chapterName = element("span", { class: "faint", text: "Simulation" });
    this.chapters = element("select", { class: "field", "aria-label": "Go to", "data-test": "chapter", hidden: true, on: { change: ({ target }) => this.#go(this.playback.chapters[target.value].end) } });
    this.log = element("ol", { class: "log", tabindex: 0, "aria-label": "Log, the latest step first", "data-test": "log" });
    this.status = element("p", { class: "tree-status", role: "status", "data-test": "search-status" });
    this.start = element("button", { type: "button", class: "button", "data-test": "quiz-start", text: "Quiz", title: "Which branch is pruned next?", disabled: true, on: { click: () => this.#startQuiz() } });
    this.root = root;
    this.watcher = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.#count());
    this.watcher.observe(this.ladder.element);
    this.keys = (event) => this.#key(event);
  }

  /** Put the room on screen; what stands beside the tree waits for it, so that nothing moves when it comes. */
  #build() {
    this.told = element("div", { class: "told" }, this.phases, this.text, element("label", { class: "chapter" }, this.chapterName, this.chapters));
    this.stepper.buttons.append(this.start);
    this.view.tools.append(element("button", { type: "button", class: "save", "data-test": "save-picture", text: "Save picture", title: "Save the tree as it is drawn, as SVG", on: { click: () => this.#save() } }));
    this.side = element(
      "div",
      { class: "search-side", hidden: true },
      this.counters.element,
      this.choices.element,
      this.ladder.element,
      this.details.element,
    );
    this.more = element(
      "div",
      { class: "search-more", hidden: true },
      this.outline.element,
      (this.legends = legends()),
    );
    this.last = element("section", { class: "panel last-steps", "aria-label": "The last steps", hidden: true }, element("h2", { text: "The last steps" }), this.log);
    const stage = element("div", { class: "search-stage" }, element("div", { class: "stage-view" }, this.view.node, this.status), this.told, this.quiz.element, this.stepper.element, this.last);
    this.root.append(element("h1", { class: "visually-hidden", text: "Search" }), this.form.whole, stage, this.side, this.more);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.stepper.pause();
    clearTimeout(this.remembering);
    for (const job of this.jobs.values()) job.cancel();
    document.removeEventListener("keydown", this.keys);
    this.watcher.disconnect();
    this.closed = true;
  }

  // 1. What is searched.

  /** Take the settings that an address names. */
  async load(query) {
    const games = await this.shell.games();
    if (this.closed) return;
    this.settings = settingsOf(query);
    if (!this.games) {
      this.games = games;
      this.form.show(this.settings, gameOf(games, this.settings.game));
      this.#build();
    }
    await this.#load();
  }

  /** The rules have changed: search by the new ones, from the start where the position does not fit them. */
  async reload() {
    const { typed, game, start, choices } = this.settings;
    if (typed) return;
    this.games = await this.shell.games();
    this.plainKey = this.counted = null;
    this.details.source("", null);
    const fits = await this.shell.connection.request({ do: "view", game, start, choices }).then(
      () => true,
      () => false,
    );
    if (this.closed) return;
    if (!fits) {
      this.settings = { ...this.settings, start: "", choices: [], step: 0 };
      this.#remember();
      this.shell.notice(`The position did not fit the new rules of ${game}: its start is searched.`);
    }
    await this.#load();
  }

  async #change(changes) {
    const before = this.settings;
    const step = "saved" in changes || before.step === Infinity ? before.step : 0; // who looks at what came out goes on to do so
    this.settings = { ...before, ...this.form.take(), step, ...changes };
    this.#remember(true);
    await this.#load();
  }

  #remember(push = false) {
    clearTimeout(this.remembering);
    this.shell.go(queryFor(this.settings), { push });
  }

  /** Ask the server; a request for the same thing that is still under way is no longer wanted. */
  #request(what, message) {
    this.jobs.get(what)?.cancel();
    const job = this.shell.connection.request(message);
    this.jobs.set(what, job);
    return job;
  }

  async #load() {
    const { settings, shell } = this;
    this.stepper.pause();
    this.quiz.end();
    this.#quizzing(false);
    this.#busy("Searching…");
    const sampled = settings.method === "mcts";
    this.root.dataset.method = settings.method;
    this.start.hidden = sampled;
    if (sampled) this.stepper.landmark("Next simulation", "Up to the end of the next simulation (c)");
    else this.stepper.landmark("Next cut", "Up to the next cut-off (c)");
    const entry = gameOf(this.games, settings.game);
    this.form.show(settings, entry);
    this.form.fault(null);
    this.ladder.saved.checked = settings.saved;
    try {
      const solved = settings.typed ? await this.#request("tree", { do: "tree", text: settings.tree }) : null;
      if (settings !== this.settings) return;
      if (sampled) {
        const found = await this.#request("simulate", { do: "simulate", ...simulated(settings) });
        if (!found || settings !== this.settings || this.closed) return;
        if (solved) giveTexts(found, solved);
        const playback = new SimulationPlayback(found);
        this.#tell(playback, new SimulationNarration(playback, solved ? fractions(solved.nodes) : number));
        return shell.ready();
      }
      const traced = settings.hand && settings.typed ? null : await this.#trace(settings, techniques(settings));
      const plain = traced && settings.saved ? await this.#plain(settings) : null;
      if (settings !== this.settings || this.closed) return;
      this.#found(solved, traced, plain);
      shell.ready();
    } catch (error) {
      if (settings !== this.settings || this.closed) return;
      this.#forget();
      const wrongTree = settings.typed && error.code !== "limit-error";
      this.#busy(wrongTree ? "This tree cannot be searched." : error.message);
      if (wrongTree) this.form.fault(error);
      shell.ready();
    }
  }

  /** Take away what was told of a search that is no longer the one asked for. */
  #forget() {
    this.playback = null;
    this.view.clear();
    this.stepper.show(0, 0, false);
    write(this.text, "");
    this.start.disabled = this.chapters.hidden = this.chapterName.hidden = this.side.hidden = this.more.hidden = this.last.hidden = true;
  }

  #trace(settings, only) {
    return this.#request(`trace ${only === null ? "play" : only}`, { do: "trace", ...subject(settings), nodes: TRACE_NODES, only });
  }

  /** The plain tree, if it is small enough to be drawn; the server is asked once for each subject. */
  async #plain(settings) {
    const key = JSON.stringify(subject(settings));
    if (this.plainKey !== key) {
      const found = await this.#trace(settings, []);
      this.plainKey = key;
      this.plainTrace = found && !found.cut ? found : null;
    }
    return this.plainTrace;
  }

  #busy(text) {
    write(this.status, text);
    this.root.dataset.busy = text ? "yes" : "no";
    this.view.node.classList.toggle("busy", Boolean(text));
  }

  // 2. The tree of it.

  /** An alpha-beta search is there, or a tree solved by hand. */
  #found(solved, traced, plain) {
    const { settings } = this;
    const say = solved ? fractions(solved.nodes) : number;
    for (const trace of solved ? [traced, plain] : []) if (trace) giveTexts(trace, solved);
    const playback = traced ? new TracePlayback(traced, { pruning: prunes(settings), scaled: usesScale(settings) }) : new HandPlayback(solved);
    this.#tell(playback, traced ? new Narration(playback, say) : new HandNarration(playback, say), plain && new TracePlayback(plain, { pruning: false }));
  }

  #tell(playback, narration, plain = null) {
    const { settings } = this;
    [this.playback, this.narration, this.plain] = [playback, narration, plain];
    this.traced = playback instanceof TracePlayback;
    this.sampled = playback instanceof SimulationPlayback;
    this.#busy("");
    this.counters.element.hidden = !playback.totals.visited && !playback.totals.simulations;
    this.ladder.element.hidden = !this.traced;
    this.start.disabled = !this.traced;
    this.choices.element.hidden = !this.sampled;
    for (const legend of this.legends.querySelectorAll("[data-method]")) legend.hidden = legend.dataset.method !== settings.method;
    this.chapters.hidden = playback.chapters.length < 2;
    this.chapterName.hidden = !this.sampled || this.chapters.hidden;
    this.chapters.replaceChildren(...playback.chapters.map(({ title }, index) => element("option", { value: index, text: title })));
    const position = settings.typed ? null : { game: settings.game, start: settings.start, choices: settings.choices };
    this.details.source(position ? keyOf(position) : settings.tree, position && ((path) => this.#picture(position, path)));
    this.playback.go(settings.step);
    this.side.hidden = this.more.hidden = this.last.hidden = false;
    this.form.settle();
    this.#draw();
    this.#show();
  }

  async #picture(position, path) {
    const { views } = await this.shell.connection.request({ do: "views", positions: [{ ...position, choices: [...position.choices, ...path] }] });
    return views[0].svg;
  }

  /** Draw the tree that the playback is in. */
  #draw(options) {
    const { playback, narration } = this;
    this.drawn = playback.drawing;
    const root = playback.passes?.[playback.pass].root ?? 0;
    if (this.sampled) this.model = new SimulationModel(playback, narration);
    else if (!this.traced) this.model = new HandModel(playback, narration, root);
    else if (this.plain) this.model = new SavedModel(this.plain, playback, narration, root);
    else this.model = new PassModel(playback, narration, root);
    this.#put(this.model, options);
    if (!this.traced) return;
    this.#saved();
    this.#rungs();
  }

  #put(model, options) {
    const began = performance.now();
    const folded = options?.grown ? this.tree.folded : new Set();
    this.tree = new Tree(model, { folded, onSelect: (node) => this.#select(node), onFold: (node) => this.#fold(node) });
    this.tree.svg.setAttribute("aria-label", `The searched tree, ${model.order.length.toLocaleString("en")} nodes`);
    this.view.show(this.tree, options);
    this.tree.svg.getBBox(); // has the browser lay it out now, so that the time is told whole, but for the painting
    this.tree.svg.dataset.drawnMs = (performance.now() - began).toFixed(0);
  }

  #save() {
    if (this.playback) savePicture(this.tree.svg, this.settings.typed ? "tree.svg" : `${this.settings.game}.svg`);
  }

  #saved() {
    if (!this.settings.saved) return write(this.ladder.words, "");
    if (!this.plain) return write(this.ladder.words, `The plain tree has more than ${TRACE_NODES.toLocaleString("en")} nodes: too many to draw. Choose a smaller depth.`);
    const all = this.model.order.length;
    const { saved } = this.model;
    write(this.ladder.words, `Of the ${all.toLocaleString("en")} nodes of the plain tree ${saved.toLocaleString("en")} are never visited: ${Math.round((100 * saved) / all)}%.`);
  }

  /** Show what is known of the ladder; its observer has it counted once it is looked at, for that may take a compilation. */
  #rungs() {
    const key = JSON.stringify(subject(this.settings));
    const chosen = techniques(this.settings);
    if (this.counted === key && this.rows) return this.ladder.show(this.rows, chosen);
    this.ladder.wait(this.playback.nodes.some(({ kind }) => kind === "chance"), chosen);
    this.watcher.unobserve(this.ladder.element);
    this.watcher.observe(this.ladder.element); // it is called once more, where it is on screen already
  }

  async #count() {
    if (!this.playback || !this.traced || this.closed) return;
    const key = JSON.stringify(subject(this.settings));
    if (this.counted === key) return;
    [this.counted, this.rows] = [key, null];
    try {
      const found = await this.#request("ladder", { do: "ladder", ...subject(this.settings) });
      if (!found || this.closed || this.counted !== key) return;
      this.rows = found.rows;
      this.ladder.show(found.rows, techniques(this.settings));
    } catch (error) {
      if (this.counted === key) this.ladder.fail(error.message);
    }
  }

  // 3. Stepping.

  #go(step) {
    if (this.quiz.running || !this.playback) return;
    const changed = this.playback.go(step);
    if (this.playback.drawing !== this.drawn) this.#draw({ grown: this.sampled });
    else this.tree.update(new Set([...changed].flatMap((index) => this.model.touched(index))));
    this.tree.select(null);
    this.#show();
    this.settings.step = this.playback.at === this.playback.steps.length ? Infinity : this.playback.at;
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => this.#remember(), REMEMBER);
  }

  #nextCut() {
    const next = this.playback.landmarks.find((landmark) => landmark >= this.playback.at);
    if (next !== undefined) this.#go(next + 1);
  }

  /** Say where the playback stands. */
  #show() {
    const { playback, narration, stepper } = this;
    const { done } = playback;
    const current = done ? this.model.drawn(done.node) : null;
    this.tree.mark(current);
    const best = current !== null && playback.at === playback.steps.length ? this.model.children(current).find((child) => this.tree.places.has(child) && this.model.look(child).best) : undefined;
    if (current !== null) this.view.reveal(this.tree.visible(current), best);
    stepper.show(playback.at, playback.steps.length, playback.landmarks.some((landmark) => landmark >= playback.at));
    this.text.setAttribute("aria-live", stepper.running ? "off" : "polite");
    write(this.text, narration.step(playback.at - 1));
    this.text.classList.toggle("first", playback.at === 0);
    this.text.classList.toggle("cut", this.traced && playback.landmarks.includes(playback.at - 1));
    this.chapters.value = playback.chapter;
    for (const phase of this.phases.children) {
      if (phase.dataset.kind === done?.kind) phase.setAttribute("aria-current", "step");
      else phase.removeAttribute("aria-current");
    }
    const told = Array.from({ length: Math.min(LOG, playback.at) }, (_, back) => playback.at - 1 - back); // the newest first
    this.log.replaceChildren(...told.map((step) => element("li", { value: step + 1, text: narration.step(step) })));
    this.counters.show(playback.counters, playback.totals);
    this.outline.show(this.model, current);
    this.#details();
  }

  // 4. Looking at a node.

  /** The node looked at: the one selected, or else the one that the search is at. */
  #looked() {
    return this.tree.selected ?? this.tree.visible(this.tree.current) ?? this.tree.root;
  }

  #select(node) {
    if (this.quiz.running) return this.quiz.answer(node);
    this.stepper.pause();
    this.tree.select(node);
    this.#details();
  }

  #fold(node) {
    if (this.quiz.running) return;
    this.tree.fold(node);
    this.view.show(this.tree, { keep: true });
    this.tree.select(node);
    this.view.reveal(node);
    this.#details();
  }

  #details() {
    const { model, playback, narration, tree } = this;
    const node = this.#looked();
    const index = model.source(node);
    const names = [];
    const path = [];
    const nodes = index === null ? this.plain.nodes : playback.nodes;
    for (let at = index ?? node; nodes[at].parent >= 0; at = nodes[at].parent) {
      names.unshift(nodes[at].name || `branch ${(nodes[at].choice ?? 0) + 1}`);
      path.unshift(nodes[at].choice);
    }
    const played = tree.selected === null && playback.done?.kind === "playout" ? playback.done.simulation.playout : [];
    if (this.sampled) this.choices.show(playback, narration, tree.selected === null ? playback.chooser(playback.done) : node, playback.done);
    this.details.show({
      title: { max: `Max${this.#named(0)}`, min: `Min${this.#named(1)}`, chance: "Chance", leaf: "A leaf" }[tree.faces.get(node).kind],
      names: played.length ? [...names, "the end of the playout"] : names,
      path: [...path, ...played],
      facts: model.facts(node),
      foldable: model.children(node).length > 0,
      folded: tree.folded.has(node),
    });
  }

  /** What the game calls a player, in brackets. */
  #named(player) {
    return this.settings.typed ? "" : ` (${gameOf(this.games, this.settings.game)?.players[player]})`;
  }

  #key(event) {
    if (document.querySelector("dialog[open]")) return;
    if (this.quiz.running) return event.key === "Escape" && this.#endQuiz();
    if (!this.playback || event.ctrlKey || event.metaKey || event.altKey || inField(event.target)) return;
    const onTree = event.target === this.tree?.svg;
    if (this.stepper.key(event)) event.preventDefault();
    else if (event.key === "f" || (event.key === "Enter" && onTree)) this.#fold(this.#looked());
    else if (onTree && WALK.includes(event.key)) {
      event.preventDefault();
      this.#walk(event.key);
    }
  }

  /** Walk the selection: up to the parent, down to the first child, aside by comma and full stop. */
  #walk(key) {
    const from = this.#looked();
    const parent = this.model.parent(from);
    const siblings = parent >= 0 ? this.model.children(parent) : [from];
    const place = siblings.indexOf(from);
    const to = { ArrowUp: parent, ArrowDown: this.tree.folded.has(from) ? undefined : this.model.children(from)[0], ",": siblings[place - 1], ".": siblings[place + 1] }[key];
    if (to === undefined || to < 0) return;
    this.#select(to);
    this.view.reveal(to);
  }

  // 5. The quiz.

  #startQuiz() {
    this.stepper.pause();
    this.#quizzing(true);
    this.stood = this.playback.at;
    this.quiz.start(this.playback, this.narration);
    if (!this.quiz.questions.length) this.quiz.finish.focus({ preventScroll: true });
  }

  /** What would give the answer away, or change the question, is put aside. */
  #quizzing(on) {
    for (const part of [this.told, this.stepper.element, this.details.element, this.counters.element]) part.hidden = on;
    this.more.hidden = this.last.hidden = on || this.side.hidden;
  }

  #ask(model, deciding) {
    this.#put(model, { near: true });
    this.tree.mark(deciding);
    this.view.reveal(deciding);
    this.tree.svg.querySelector("[role=button]").focus({ preventScroll: true });
    this.shell.announce(this.quiz.question.textContent);
  }

  #reveal(model) {
    this.tree.update(model.order);
    this.tree.mark(model.focus);
    this.view.reveal(model.focus);
  }

  /** Ask about a tree drawn at random. */
  async #another() {
    const tree = exercise();
    this.form.fill(tree);
    await this.#change({ typed: true, hand: false, method: "alpha-beta", tree, only: ["pruning"], play: false, opponent: "best", step: 0 });
    if (this.playback && this.settings.typed) this.#startQuiz();
  }

  /** Go back to where the playback stood before. */
  #endQuiz() {
    this.quiz.end();
    this.playback.go(this.stood);
    this.#quizzing(false);
    this.#draw();
    this.#show();
    this.start.focus({ preventScroll: true });
  }
}

const SHAPES = [
  ["max", "▲ Max: the first player, takes the highest value"],
  ["min", "▼ Min: the second player, takes the lowest"],
  ["chance", "● Chance: the mean of its outcomes"],
];
const LEGENDS = {
  "alpha-beta": [
    ...SHAPES,
    ["leaf", "■ A leaf; dashed: an estimate where the depth is used up"],
    ["window", "[α, β] the window: what Max, and what Min, can already have elsewhere. Bold, it is what is left of it while the node is searched; later, with what the search came here"],
    ["bound", "≥ ≤ a bound, not the exact value; of a node that is searched, what is certain by then"],
    ["never", "∥ cut off: never visited, nor is what lies below"],
    ["visit", "scout: asks only whether a branch is better, in the narrowest window: [3, 3⁺] ends just above 3, [3⁻, 3] begins just below; again: it was better, so it is searched in full"],
    ["visit", "probe: Star2 searches only the first move of each outcome, which may prove enough"],
    ["visit", "table: the position was searched before, and the transposition table has its value"],
    ["best", "━ the best line, bold and green"],
  ],
  mcts: [
    ...SHAPES,
    ["leaf", "■ The game is over here"],
    ["leaf", "Small and grey: a branch without a visit; in a large tree it is drawn only near the path"],
    ["visit", "12× The visits of a node; in it stands the mean of their results, to the first player"],
    ["score", "Bold and blue, above a node: its score while the node above chooses. The score is the mean, plus a bonus that is larger the fewer visits there are; Min subtracts the bonus and takes the lowest"],
    ["bound", "proven: the value is certain, and stands in the node. ≥ ≤ a bound that is certain"],
    ["path", "━ the path of the simulation, blue"],
    ["best", "━ the line that the search expects in the end, green"],
  ],
};
const KEYS = { "alpha-beta": "goes to the next cut-off", mcts: "goes to the end of the next simulation" };

function legends() {
  const keys = (method) => `Keys: Left and Right step, Home and End jump, Space runs, c ${KEYS[method]}, f folds. With the tree in focus Up, Down, comma and full stop walk from node to node.`;
  return element(
    "details",
    { class: "panel tree-legend" },
    element("summary", { text: "How to read it" }),
    Object.entries(LEGENDS).map(([method, items]) =>
      element("div", { "data-method": method }, element("ul", {}, items.map(([kind, text]) => element("li", { class: kind, text }))), element("p", { class: "faint", text: keys(method) })),
    ),
  );
}
