// What is searched, and how: read from the address, written to it, and chosen in a form.

import { EXAMPLES, SIMULATIONS, TECHNIQUES } from "./constants.js";
import { element, write } from "./element.js";
import { positionOf } from "./position.js";

const DEEPEST = 8;

const SHORT = 9999; // the largest seed drawn at random: short enough to remember
const METHODS = { "alpha-beta": "Alpha-beta", mcts: "Monte Carlo" };

/** Return a text as a whole number, or else *usual*. The server checks its limits. */
function whole(text, usual) {
  return /^-?\d{1,15}$/.test(text ?? "") ? Number(text) : usual;
}

/** A late position of tic-tac-toe, O to move: small enough to be seen whole, with cuts of both kinds. */
const LATE = { game: "tic-tac-toe", start: "", choices: [5, 1, 6, 4, 7], depth: 4 };

/** Return the settings that a query names. */
export function settingsOf(query) {
  const known = query.game || query.tree ? query : { tree: EXAMPLES[0].text, ...query };
  const depth = Number(known.depth);
  const only = known.only ?? "pruning";
  return {
    ...positionOf(known),
    tree: known.tree ?? "",
    typed: Boolean(known.tree),
    depth: Number.isInteger(depth) && depth >= 1 && depth <= DEEPEST ? depth : 2,
    play: only === "play",
    only: TECHNIQUES.map(({ name }) => name).filter((name) => only.split(".").includes(name)),
    opponent: known.opponent ?? "best",
    method: known.method === "mcts" ? "mcts" : "alpha-beta",
    simulations: whole(known.simulations, SIMULATIONS.usual),
    seed: Math.min(SIMULATIONS.seed, Math.max(0, whole(known.seed, 0))),
    hand: known.by === "hand",
    saved: known.saved === "yes",
    step: known.step === "last" ? Infinity : Math.max(0, Math.floor(Number(known.step)) || 0),
  };
}

/** Return the query that names these settings. */
export function queryFor({ game, start, choices, tree, typed, depth, play, only, opponent, method, simulations, seed, hand, saved, step }) {
  const place = typed ? { tree } : { game, start, choices: choices.join(".") };
  const how =
    method === "mcts"
      ? { method, simulations, seed: seed || "" }
      : { depth: typed ? "" : depth, only: play ? "play" : only.join(".") || "plain", by: typed && hand ? "hand" : "", saved: saved ? "yes" : "" };
  return {
    ...place,
    ...how,
    opponent: opponent === "best" ? "" : opponent,
    step: step === Infinity ? "last" : step || "", // the first step is not worth a word
  };
}

/** Return the fields of a request that say what is searched. */
function place({ game, start, choices, tree, typed, opponent }) {
  return typed ? { tree, opponent } : { game, start, choices, opponent };
}

/** Return the fields of a request for an alpha-beta search: what is searched and how deep, without the techniques. */
export function subject(settings) {
  return { ...place(settings), ...(settings.typed ? {} : { depth: settings.depth }) };
}

/** Return the fields of a request for a Monte Carlo search. */
export function simulated(settings) {
  return { ...place(settings), simulations: settings.simulations, seed: settings.seed };
}

/** Return the techniques as the server takes them: null for all. */
export function techniques({ play, only }) {
  return play ? null : only;
}

export function prunes({ play, only }) {
  return play || only.includes("pruning");
}

/** Return whether cuts follow from the lowest and the highest value that there can be. */
export function usesScale({ play, only }) {
  return play || only.includes("star1") || only.includes("star2");
}

export class SettingsForm {
  /** *onChange(changes)*: something else is to be searched, or otherwise. */
  constructor({ shell, onChange }) {
    this.shell = shell;
    this.onChange = onChange;
    this.source = this.#segments("What is searched", "source", { game: "A position", tree: "Your own tree" }, (value) => this.#switch(value === "tree"));
    this.method = this.#segments("How it is searched", "method", METHODS, (method) => this.onChange({ method }));
    this.game = this.#game();
    this.box = this.#box();
    this.tree = this.#tree();
    this.chances = this.#chances();
    this.ways = this.#ways();
    this.summary = element("summary", { "data-test": "settings" });
    this.element = element("details", { class: "panel settings" }, this.summary, element("div", { class: "settings-row" }, this.source, this.game, this.tree, element("div", { class: "settings-row" }, this.method, this.chances)), this.wrong, this.ways);
    this.whole = element("div", { class: "search-what" }, this.element, this.box);
    const wide = matchMedia("(min-width: 800px)");
    const fold = () => (this.element.open = wide.matches);
    wide.addEventListener("change", fold);
    fold();
  }

  /** Return radio buttons, side by side; *options* maps each value to its text. */
  #segments(label, name, options, change) {
    const choice = ([value, text]) =>
      element(
        "label",
        { class: "segment" },
        element("input", { type: "radio", name, value, "data-test": `${name}-${value}`, on: { change: () => change(value) } }),
        element("span", { text }),
      );
    // A radio button with the focus would take the arrow keys, which step through the search: after a click of the mouse it lets go.
    const letGo = (event) => event.detail && setTimeout(() => document.activeElement?.blur());
    return element("div", { class: "segments", role: "radiogroup", "aria-label": label, on: { click: letGo } }, Object.entries(options).map(choice));
  }

  #check(segments, value) {
    for (const radio of segments.querySelectorAll("input")) radio.checked = radio.value === value;
  }

  /** How a Monte Carlo search is run: how many simulations, and which random numbers. */
  #chances() {
    this.wrong = element("p", { class: "error", role: "alert", "data-test": "settings-error", hidden: true });
    const number = (name, text, min, max) => {
      const change = ({ target }) => {
        const fits = target.reportValidity();
        write(this.wrong, fits ? "" : `${text}: choose a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}.`);
        this.wrong.hidden = fits;
        if (fits) this.onChange({ [name]: target.valueAsNumber });
      };
      this[name] = element("input", { type: "number", class: "field numeric", min, max, step: 1, required: true, "data-test": name, on: { change } });
      return element("label", { class: "setting" }, element("span", { text }), this[name]);
    };
    const another = element("button", { type: "button", class: "button", "data-test": "another-seed", text: "Another seed", title: "Draw other random numbers", on: { click: () => this.onChange({ seed: Math.floor(Math.random() * SHORT) + 1 }) } });
    return element("div", { class: "settings-row" }, number("simulations", "Simulations", 1, SIMULATIONS.most), number("seed", "Seed", 0, SIMULATIONS.seed), another);
  }

  #switch(typed) {
    this.#fold(!typed);
    this.onChange(typed ? { typed, tree: this.text.value.trim() || EXAMPLES[0].text } : { typed, ...(this.settings.game ? {} : LATE) });
  }

  #select(label, test, options, change) {
    const select = element("select", { class: "field", "data-test": test, on: { change: ({ target }) => change(target.value) } }, options.map(([value, text]) => element("option", { value, text })));
    return [select, element("label", { class: "setting" }, element("span", { text: label }), select)];
  }

  #game() {
    this.choose = element("button", { type: "button", class: "button", "data-test": "choose-game", on: { click: () => this.#choose() } });
    this.place = element("a", { class: "faint", title: "Change the position in Analyse", "data-test": "position-link" });
    const depths = Array.from({ length: DEEPEST }, (_, index) => [index + 1, `${index + 1}`]);
    [this.depth, this.depthLabel] = this.#select("Depth", "depth", depths, (value) => this.onChange({ depth: Number(value) }));
    [this.opponent, this.opponentLabel] = this.#select("Opponent", "opponent", [], (value) => this.onChange({ opponent: value }));
    return element("div", { class: "settings-row" }, element("div", { class: "setting position" }, this.choose, this.place), this.depthLabel, this.opponentLabel);
  }

  async #choose() {
    const chosen = await this.shell.chooseGame({ title: "Search a position of", game: this.settings.game });
    if (chosen) this.onChange({ ...chosen, choices: [], opponent: "best" });
  }

  /** The box that a tree is typed into: folded while it is looked at. */
  #box() {
    this.text = element("textarea", {
      class: "field tree-text",
      rows: 6,
      spellcheck: "false",
      autocapitalize: "off",
      "aria-label": "Your tree, as text",
      "aria-describedby": "tree-error",
      "data-test": "tree-text",
      on: { keydown: (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.#apply(), input: () => this.#mark() },
    });
    this.drawn = ""; // what the box held when its tree was last drawn
    this.unsent = element("span", { class: "faint", "data-test": "tree-unsent", role: "status" });
    this.error = element("div", { class: "error", id: "tree-error", role: "alert", "data-test": "tree-error" });
    return element(
      "div",
      { class: "panel settings-tree", id: "tree-box", hidden: true },
      this.text,
      this.error,
      element("div", { class: "settings-row" }, element("button", { type: "button", class: "button primary", "data-test": "tree-apply", text: "Draw it", title: "Ctrl and Enter", on: { click: () => this.#apply() } }), this.unsent),
    );
  }

  #tree() {
    this.edit = element("button", { type: "button", class: "button", "aria-expanded": "false", "aria-controls": "tree-box", "data-test": "tree-edit", text: "Edit the tree", on: { click: () => this.#toggle() } });
    let label;
    [this.example, label] = this.#select("Examples", "tree-examples", [["", "Choose…"], ...EXAMPLES.map(({ title }, index) => [index, title])], (value) => {
      if (value === "") return;
      this.fill(EXAMPLES[value].text);
      this.#apply();
    });
    this.hand = element("input", { type: "checkbox", "data-test": "by-hand", on: { change: ({ target }) => this.onChange({ hand: target.checked }) } });
    this.handLabel = element("label", { class: "chip" }, this.hand, element("span", { text: "Solve by hand" }));
    return element("div", { class: "settings-row" }, this.edit, label, this.handLabel);
  }

  #fold(folded) {
    this.box.hidden = folded;
    this.edit.setAttribute("aria-expanded", String(!folded));
  }

  #toggle() {
    this.#fold(!this.box.hidden);
    if (!this.box.hidden) this.text.focus();
  }

  /** Write another tree into the box, and show where it begins. */
  fill(text) {
    if (this.text.value !== text) {
      this.text.value = text;
      this.text.setSelectionRange(0, 0);
      this.text.scrollTo(0, 0);
    }
    this.drawn = this.text.value; // in which the browser may have written the ends of lines otherwise
    this.#mark();
  }

  /** Say whether the box holds what is not yet drawn. */
  #mark() {
    write(this.unsent, this.text.value === this.drawn ? "" : "Not drawn yet");
  }

  #apply() {
    write(this.error, "");
    this.sent = true;
    this.onChange({ typed: true, tree: this.text.value });
  }

  /** What was asked for is there to be looked at: a box that asked for it folds. */
  settle() {
    if (this.sent) this.#fold(true);
    this.sent = false;
  }

  /** Return what was typed and is not yet drawn, as changes: whatever else is changed draws it as well. */
  take() {
    const edited = this.settings.typed && this.text.value !== this.drawn;
    this.drawn = this.text.value;
    this.sent ||= edited;
    return edited ? { tree: this.drawn } : {};
  }

  /** Show what is wrong with the tree, and put the cursor there; null: nothing is. */
  fault(error) {
    const [words, ...source] = (error?.message ?? "").split("\n");
    const shown = source.length ? element("pre", { tabindex: 0, text: source.join("\n") }) : ""; // a caret points at a letter of the line above it
    this.error.replaceChildren(words, shown);
    if (error) this.#fold(false);
    if (!error?.line) return;
    const lines = this.text.value.split("\n");
    const line = Math.min(lines.length, error.line) - 1;
    const place = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + (error.column ?? 1) - 1;
    this.text.setSelectionRange(place, place + 1);
  }

  #ways() {
    this.boxes = new Map();
    const chip = (name, title, help, change) => {
      const box = element("input", { type: "checkbox", "data-test": `technique-${name}`, on: { change: ({ target }) => change(target.checked) } });
      this.boxes.set(name, box);
      return element("label", { class: "chip" }, box, element("span", {}, element("b", { text: title }), element("small", { text: help })));
    };
    const toggle = (name) => (on) => {
      const only = TECHNIQUES.map((technique) => technique.name).filter((other) => (other === name ? on : this.settings.only.includes(other)));
      this.onChange({ only, play: false });
    };
    return element(
      "fieldset",
      { class: "techniques" },
      element("legend", { class: "visually-hidden", text: "Techniques" }),
      chip("plain", "Plain", "Visit every node.", (on) => this.onChange({ only: on ? [] : ["pruning"], play: false })),
      TECHNIQUES.map(({ name, title, help }) => chip(name, title, help, toggle(name))),
      chip("play", "As used in play", "All of them, first one move deep, then two, and so on.", (play) => this.onChange({ play })),
      (this.note = element("p", { class: "faint note" })),
    );
  }

  /** Show *settings*; *entry*: the game in the catalogue. */
  show(settings, entry) {
    this.settings = settings;
    const { typed, play, only, depth, opponent, method, simulations, seed, hand, tree, choices } = settings;
    const mcts = method === "mcts";
    this.#check(this.source, typed ? "tree" : "game");
    this.#check(this.method, method);
    this.wrong.hidden = true;
    this.simulations.value = simulations;
    this.seed.value = seed;
    this.chances.hidden = !mcts;
    this.depthLabel.hidden = this.ways.hidden = this.handLabel.hidden = mcts;
    this.game.hidden = typed;
    this.tree.hidden = !typed;
    if (!typed) this.#fold(true);
    if (typed && this.text.value === this.drawn) this.fill(tree);
    this.#mark();
    const example = EXAMPLES.findIndex(({ text }) => text === tree);
    this.example.value = example < 0 ? "" : example;
    this.hand.checked = hand;
    this.ways.disabled = typed && hand;
    this.depth.value = depth;
    this.#opponents(entry?.policies ?? [], opponent);
    write(this.choose, `${entry?.title ?? settings.game}…`);
    const since = choices.length ? `after ${choices.length} ${choices.length === 1 ? "choice" : "choices"}` : "";
    write(this.place, since || (settings.start ? "a position set up" : "from the start"));
    this.place.href = this.shell.link("analyse", { game: settings.game, start: settings.start, choices: choices.join(".") });
    this.#techniques(settings, typed || entry?.chance || opponent !== "best");
    const used = mcts ? `Monte Carlo, ${simulations} simulations` : play ? "as used in play" : only.map((name) => TECHNIQUES.find((one) => one.name === name).title).join(", ") || "plain";
    write(this.summary, typed ? `Your own tree, ${hand && !mcts ? "solved by hand" : used}` : `${entry?.title ?? settings.game}, ${mcts ? "" : `depth ${depth}, `}${used}`);
  }

  #opponents(policies, chosen) {
    const names = ["best", "random", ...policies];
    this.opponent.replaceChildren(...names.map((value) => element("option", { value, text: value, selected: value === chosen })));
  }

  #techniques({ play, only }, chance) {
    this.boxes.get("plain").checked = !play && only.length === 0;
    this.boxes.get("play").checked = play;
    for (const { name, needsWindow, chance: byChance } of TECHNIQUES) {
      const box = this.boxes.get(name);
      box.checked = play || only.includes(name);
      box.disabled = play || (needsWindow && !only.includes("pruning")) || (byChance && !chance);
    }
    const idle = !play && only.includes("star2") && !only.includes("scout") && chance;
    write(this.note, idle ? "Star2 asks only in a narrow window: turn Scout on to see it work." : "");
  }
}

