// Tournament: a store that another process adds games to. Standings, the cross table, and the games of a cell; a game opens in Analyse.

import { TOURNAMENTS } from "./constants.js";
import { CrossTable } from "./cross_table.js";
import { element, write } from "./element.js";
import { PairingPanel } from "./pairing_panel.js";
import { StandingsTable } from "./standings_table.js";
import { troubleText } from "./trouble.js";

const AGAIN = 2000; // milliseconds from one look at the store to the next
const STYLE = "/page/css/tournament.css";
const NONE = "This page shows no tournament. Start the server with the file of one: outplay web --tournament STORE";

/** Return once the room's own style is there: no other room needs it. */
function styled() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = element("link", { rel: "stylesheet", href: STYLE, on: { load: resolve, error: () => reject(new Error("its style is missing")) } });
    document.head.append(link);
  });
}

export default class Tournament {
  constructor(root, shell) {
    this.root = root;
    this.shell = shell;
    this.store = "";
    this.shown = null; // the latest standings
    this.number = 0; // counts stores: an answer about an earlier one is dropped
    this.timer = null;
    this.title = element("h1", { class: "game-title", "data-test": "tournament-title" });
    this.progress = element("p", { class: "tournament-progress", "data-test": "tournament-progress" });
    this.fill = element("div", { class: "tournament-fill" });
    this.notes = element("ul", { class: "tournament-notes", "data-test": "tournament-notes" });
    this.trouble = troubleText("trouble");
    this.standings = new StandingsTable({ onGames: (key) => this.choose(key, key) });
    this.cross = new CrossTable({ onCell: (one, other) => this.choose(one, other) });
    this.pairing = new PairingPanel({ shell, onOpen: (game) => this.open(game), onClose: () => this.choose("", "") });
    this.choice = element(
      "select",
      { class: "field", "aria-label": "Tournament", "data-test": "tournament-store", hidden: TOURNAMENTS.length < 2, on: { change: () => this.#turnTo(this.choice.value) } },
      TOURNAMENTS.map((name) => element("option", { value: name, text: name })),
    );
    this.layout = element(
      "div",
      { class: "tournament-layout" },
      element(
        "div",
        { class: "tournament-main" },
        element("div", { class: "tournament-head" }, this.title, this.choice, this.progress, element("div", { class: "tournament-bar", "aria-hidden": "true" }, this.fill)),
        this.notes,
        this.trouble,
        this.standings.element,
        this.cross.element,
      ),
      this.pairing.element,
    );
    this.onVisible = () => document.hidden || this.#look();
    document.addEventListener("visibilitychange", this.onVisible);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onVisible);
  }

  /** Show the store, and the games of the two agents, that an address names. */
  async load(query) {
    if (!TOURNAMENTS.length) {
      this.root.replaceChildren(element("p", { class: "plain", "data-test": "no-tournament", text: NONE }));
      return this.shell.ready();
    }
    await styled();
    if (this.closed) return;
    const store = TOURNAMENTS.includes(query.store) ? query.store : TOURNAMENTS[0];
    if (store !== this.store) {
      this.store = this.choice.value = store;
      this.shown = null;
      this.number += 1;
    }
    [this.one, this.other] = [query.one ?? "", query.other ?? ""];
    await this.#look();
    if (this.closed) return;
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
    this.#showPairing();
    this.#write();
    this.shell.ready();
  }

  reload() {
    return this.#look();
  }

  #query() {
    return { store: TOURNAMENTS.length > 1 ? this.store : "", one: this.one, other: this.other };
  }

  #write({ push = false } = {}) {
    this.shell.go(this.#query(), { push });
  }

  #turnTo(store) {
    location.hash = this.shell.link("tournament", { store });
  }

  /** Ask whether there is something new, and show it; then again after a while. */
  async #look() {
    clearTimeout(this.timer);
    const { number, store } = this;
    try {
      const event = await this.shell.connection.request({ do: "standings", store, version: this.shown?.version ?? "" });
      if (this.closed || number !== this.number) return;
      write(this.trouble, "");
      if (event.event === "standings") this.#show(event);
    } catch (error) {
      if (this.closed || number !== this.number) return;
      write(this.trouble, error.message);
    }
    clearTimeout(this.timer);
    if (!document.hidden) this.timer = setTimeout(() => this.#look(), AGAIN);
  }

  #show(event) {
    this.shown = event;
    const { played, total } = event;
    write(this.title, event.game);
    write(this.progress, played < total ? `${played.toLocaleString("en")} of ${total.toLocaleString("en")} games played` : `${played.toLocaleString("en")} games played`);
    this.fill.style.setProperty("transform", `scaleX(${total ? played / total : 0})`);
    this.notes.replaceChildren(...event.notes.map((text) => element("li", { text })));
    this.standings.show(event);
    this.cross.show(event);
    this.#showPairing();
  }

  // The games of a cell

  choose(one, other) {
    [this.one, this.other] = [one, other];
    this.#write({ push: true });
    this.#showPairing();
    if (one) this.pairing.element.scrollIntoView({ block: "nearest" }); // on a phone it lies far below
  }

  #showPairing() {
    this.cross.mark(this.one, this.other);
    this.pairing.show({ store: this.store, shown: this.shown, one: this.one, other: this.other });
  }

  /** Open a game in the room Analyse, at its start. */
  async open(played) {
    try {
      const { game, start, choices, note } = await this.shell.connection.request({ do: "record", store: this.store, played });
      if (this.closed) return;
      if (!game) return write(this.trouble, note);
      if (note) this.shell.notice(note);
      location.hash = this.shell.link("analyse", { game, start, choices: choices.join("."), at: 0, store: this.store, played });
    } catch (error) {
      if (!this.closed) write(this.trouble, error.message);
    }
  }
}
