// The games of two agents, or of one that plays alone; a click opens one.

import { element, write } from "./element.js";
import { likelihood, points, result } from "./tournament_words.js";

export class PairingPanel {
  constructor({ shell, onOpen, onClose }) {
    Object.assign(this, { shell, onOpen });
    this.asked = ""; // what is listed: the store, the agents and the number of their games
    this.title = element("h2", { "data-test": "pairing-title" });
    this.summary = element("p", { class: "legend", "data-test": "pairing-summary" });
    this.list = element("ol", { class: "played", "data-test": "pairing-games" });
    this.trouble = element("p", { class: "error", role: "alert" });
    this.more = element("button", { type: "button", class: "button", text: "More games", "data-test": "pairing-more", hidden: true, on: { click: () => this.#ask(this.list.children.length) } });
    this.element = element(
      "section",
      { class: "panel pairing", "aria-label": "Games", "data-test": "pairing", hidden: true },
      element("div", { class: "pairing-head" }, this.title, element("button", { type: "button", class: "button", text: "Close", "data-test": "pairing-close", on: { click: onClose } })),
      this.summary,
      this.trouble,
      this.list,
      this.more,
    );
  }

  /** Show the games of *one* and *other*, agents by their keys in the standings *shown*. */
  show({ store, shown, one, other }) {
    const rows = shown?.rows ?? [];
    const [place, opposite] = [one, other].map((key) => rows.findIndex((row) => row.key === key));
    this.element.hidden = place < 0 || opposite < 0;
    if (this.element.hidden) {
      this.asked = "";
      return;
    }
    this.names = new Map(rows.map(({ key, agent }) => [key, agent]));
    this.solitaire = shown.solitaire;
    const [row, column] = [rows[place], rows[opposite]];
    this.title.replaceChildren(element("bdi", { text: row.agent }), ...(place === opposite ? [] : [" – ", element("bdi", { text: column.agent })]));
    const cell = shown.cross[place]?.[opposite];
    const games = cell && place !== opposite ? cell[0] + cell[1] + cell[2] : row.games;
    if (cell && place !== opposite) {
      const got = cell[0] + cell[1] / 2;
      write(this.summary, `${points(got)} : ${points(games - got)}. Likelihood that ${row.agent} is stronger: ${likelihood(shown.superiority[place][opposite])}.`);
    } else write(this.summary, `${games} games.`);
    const asked = JSON.stringify([store, one, other, shown.version]);
    if (asked === this.asked) return;
    const same = this.asked.startsWith(JSON.stringify([store, one, other]).slice(0, -1));
    this.asked = asked;
    this.message = { do: "pairing", store, one, other };
    if (!same) this.list.replaceChildren();
    this.#ask(0);
  }

  async #ask(offset) {
    const { asked } = this;
    try {
      const event = await this.shell.connection.request({ ...this.message, offset });
      if (asked !== this.asked) return;
      const rows = event.games.map((game) => this.#row(game));
      if (offset) this.list.append(...rows);
      else this.list.replaceChildren(...rows);
      this.more.hidden = this.list.children.length >= event.total;
      write(this.trouble, "");
    } catch (error) {
      if (asked === this.asked) write(this.trouble, error.message);
    }
  }

  #row(game) {
    const { id, first, second, verdict, detail, moves } = game;
    const name = (key) => element("bdi", { text: this.names.get(key) ?? key });
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "played-game", "data-test": `played-${id}`, title: `Analyse game ${id}`, on: { click: () => this.onOpen(id) } },
        element("span", { class: "played-who" }, name(first), ...(this.solitaire ? [] : [" – ", name(second)])),
        element("span", { class: "played-result numeric", text: result(game, this.solitaire) }),
        element("span", { class: "faint", text: `${moves} move${moves === 1 ? "" : "s"} · ${id.slice(0, 8)}` }),
        verdict !== "finished" && element("span", { class: "badge verdict", text: verdict }),
      ),
      detail && element("details", {}, element("summary", { text: "What was said" }), element("pre", { class: "last-words", text: detail })),
    );
  }
}
