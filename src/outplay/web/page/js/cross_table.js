// The cross table: the points of the row against the column, coloured; a cell is a button that lists its games.

import { element, write } from "./element.js";
import { points } from "./tournament_words.js";

export class CrossTable {
  constructor({ onCell }) {
    this.onCell = onCell;
    this.order = ""; // of the agents that the table was built for
    this.cells = new Map(); // "one|other" -> button
    this.table = element("table", { class: "cross", "data-test": "cross" });
    this.legend = element("p", { class: "legend" });
    this.element = element(
      "section",
      { class: "tournament-cross", "aria-label": "Who beat whom" },
      element("h2", { text: "Who beat whom" }),
      element("div", { class: "tournament-scroll" }, this.table),
      this.legend,
    );
  }

  show({ rows, cross, solitaire }) {
    this.element.hidden = solitaire || !cross.length;
    if (this.element.hidden) return;
    const order = JSON.stringify(rows.map(({ key, agent }) => [key, agent]));
    if (order !== this.order) this.#build(rows);
    this.order = order;
    const numbers = new Set(cross.flatMap((cells, row) => cells.filter((cell, column) => row !== column).map(([won, drawn, lost]) => won + drawn + lost)).filter((games) => games > 0));
    const same = numbers.size === 1;
    write(this.legend, `Points${same ? ` of ${[...numbers][0]} games` : ""} of the row against the column. Blue: the row did better; orange: worse. A marked corner: some games ended by a fault. A click on a cell lists its games.`);
    rows.forEach((row, place) => rows.forEach((column, other) => place !== other && this.#fill(row, column, cross[place][other], same)));
  }

  #build(rows) {
    const focused = document.activeElement?.dataset?.cell;
    this.cells.clear();
    const head = element("tr", {}, element("th", {}), rows.map(({ agent }, place) => element("th", { scope: "col", title: agent, text: place + 1 })));
    const body = rows.map((row, place) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, element("span", { class: "faint numeric", text: `${place + 1} ` }), element("bdi", { text: row.agent })),
        rows.map((column) => this.#cell(row, column)),
      ),
    );
    this.table.classList.toggle("wide", rows.length > 10);
    this.table.style.setProperty("--agents", rows.length);
    this.table.replaceChildren(element("thead", {}, head), element("tbody", {}, body));
    if (focused) this.cells.get(focused)?.focus({ preventScroll: true });
  }

  #cell(row, column) {
    if (row.key === column.key) return element("td", { class: "self" });
    const name = `${row.key}|${column.key}`;
    const button = element("button", { type: "button", "data-cell": name, disabled: true, on: { click: () => this.onCell(row.key, column.key) } });
    this.cells.set(name, button);
    return element("td", {}, button);
  }

  #fill(row, column, [wins, draws, losses, faults, gifts], same) {
    const games = wins + draws + losses;
    const button = this.cells.get(`${row.key}|${column.key}`);
    const got = wins + draws / 2;
    write(button, games ? points(got) + (same ? "" : `/${games}`) : "");
    button.disabled = !games;
    const share = games ? got / games : 0.5;
    button.className = `${share > 0.5 ? "better" : share < 0.5 ? "worse" : "even"}${faults || gifts ? " fault" : ""}`;
    button.style.setProperty("--much", (2 * Math.abs(share - 0.5)).toFixed(2));
    button.setAttribute("aria-label", `${row.agent} against ${column.agent}: ${wins} won, ${draws} drawn, ${losses} lost${faults || gifts ? `, ${faults + gifts} by faults` : ""}`);
  }

  /** Show which cell's games are listed. */
  mark(one, other) {
    for (const [name, button] of this.cells) {
      if (name === `${one}|${other}`) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }
}
