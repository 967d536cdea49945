// The dialog that chooses a game: by typing a part of its name, with its parameters.

import { element, write } from "./element.js";
import { gameOf, gameText, parametersOf } from "./position.js";
import { noAnswer, patiently } from "./trouble.js";

class Chooser {
  constructor(shell, games, { title, game }) {
    this.shell = shell;
    this.games = games;
    this.entry = gameOf(games, game) ?? games[0];
    this.values = parametersOf(game, this.entry.name);
    this.filter = element("input", {
      class: "field",
      type: "search",
      placeholder: "Type to find a game",
      "aria-label": "Find a game",
      "data-test": "game-filter",
      autocomplete: "off",
      on: { input: () => this.#list() },
    });
    this.list = element("div", { class: "game-list", role: "listbox", "aria-label": "Games", "data-test": "game-list" });
    this.details = element("div", { class: "game-details" });
    this.error = element("p", { class: "error", role: "alert", "data-test": "game-error" });
    this.form = element(
      "form",
      { class: "chooser", on: { submit: (event) => this.#submit(event), keydown: (event) => this.#key(event) } },
      element("h2", { text: title }),
      this.filter,
      element("div", { class: "chooser-body" }, this.list, this.details),
      this.error,
      element(
        "div",
        { class: "actions" },
        element("button", { class: "button primary", type: "submit", "data-test": "start", text: "Start" }),
        element("button", { class: "button", type: "button", text: "Cancel", "data-test": "cancel", on: { click: () => this.dialog.close() } }),
      ),
    );
    this.dialog = element("dialog", { class: "dialog", "aria-label": title, "data-test": "chooser" }, this.form);
    this.#list();
    this.#show();
  }

  #matching() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.games.filter(({ name, title, about }) => words.every((word) => `${name} ${title} ${about}`.toLowerCase().includes(word)));
  }

  #list() {
    const found = this.#matching();
    if (found.length && !found.includes(this.entry)) this.#pick(found[0]);
    this.list.replaceChildren(...found.map((entry) => this.#option(entry)));
    if (!found.length) this.list.append(element("p", { class: "faint", text: "No game is called so." }));
  }

  #option(entry) {
    const tags = [entry.own && "your file", entry.chance && "chance"].filter(Boolean);
    return element(
      "button",
      {
        type: "button",
        class: "game-option",
        role: "option",
        "aria-selected": String(entry === this.entry),
        "data-test": `game-${entry.name}`,
        on: { click: () => this.#pick(entry), dblclick: () => this.form.requestSubmit() },
      },
      element("span", { text: entry.title }),
      tags.map((tag) => element("span", { class: "badge", text: tag })),
    );
  }

  #pick(entry) {
    this.entry = entry;
    this.values = {};
    write(this.error, "");
    for (const option of this.list.children) {
      option.setAttribute("aria-selected", String(option.dataset.test === `game-${entry.name}`));
    }
    this.#show();
  }

  #show() {
    const { title, about, parameters } = this.entry;
    this.details.replaceChildren(
      element("h3", { text: title }),
      element("p", { text: about }),
      ...(parameters ?? []).map((parameter) => this.#parameter(parameter)),
    );
  }

  #parameter({ name, default: usual, kind }) {
    const value = this.values[name] ?? usual;
    const field =
      kind === "bool"
        ? { type: "checkbox", class: "check", checked: /^(?:1|true)$/i.test(value), on: { change: ({ target }) => (this.values[name] = target.checked ? "True" : "False") } }
        : { type: kind === "int" ? "number" : "text", class: "field numeric", value, on: { input: ({ target }) => (this.values[name] = target.value) } };
    return element(
      "label",
      { class: "parameter" },
      element("span", { text: name.replaceAll("_", " ") }),
      element("input", { "data-test": `parameter-${name}`, ...field }),
    );
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || (event.target !== this.filter && !this.list.contains(event.target))) return;
    event.preventDefault();
    const found = this.#matching();
    const next = found[Math.min(found.length - 1, Math.max(0, found.indexOf(this.entry) + step))];
    if (!next) return;
    this.#pick(next);
    const option = this.list.querySelector('[aria-selected="true"]');
    option.scrollIntoView({ block: "nearest" });
    if (event.target !== this.filter) option.focus();
  }

  async #submit(event) {
    event.preventDefault();
    const { entry } = this;
    const game = gameText(entry, this.values);
    try {
      const start = await patiently(this.#startOf(entry, game), () => this.entry === entry && write(this.error, noAnswer(game)));
      if (this.entry !== entry) return; // another one is looked at meanwhile
      this.chosen = { game, start };
      this.dialog.close();
    } catch (error) {
      if (this.entry === entry) write(this.error, error.message);
    }
  }

  async #startOf(entry, game) {
    const { start } = entry.deals ? await this.shell.connection.request({ do: "deal", game }) : { start: "" };
    await this.shell.connection.request({ do: "view", game, start, choices: [] }); // refuses impossible parameters here
    return start;
  }

  ask() {
    const left = () => this.dialog.close(); // Back, with the dialog open, changes the page below it
    addEventListener("hashchange", left);
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.filter.focus();
    this.list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    return new Promise((resolve) => {
      this.dialog.addEventListener("close", () => {
        removeEventListener("hashchange", left);
        this.dialog.remove();
        resolve(this.chosen ?? null);
      });
    });
  }
}

/** Ask for a game; the promise holds {game, start}, or null if none was chosen. */
export async function chooseGame(shell, { title = "Choose a game", game = "" } = {}) {
  return new Chooser(shell, await shell.games(), { title, game }).ask();
}
