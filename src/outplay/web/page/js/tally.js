// What a search did, counted: now and in all, and technique by technique.

import { RUNGS } from "./constants.js";
import { element, write } from "./element.js";

const COUNTERS = [
  ["visited", "Visited", "visited"],
  ["never", "Branches cut off", "counter-never"],
  ["alpha", "Alpha cuts", "counter-alpha"],
  ["beta", "Beta cuts", "counter-beta"],
  ["best", "Best cuts", "counter-best"],
  ["star1", "Star1 cuts", "counter-star1"],
  ["star2", "Star2 cuts", "counter-star2"],
  ["table", "Table hits", "counter-table"],
  ["simulations", "Simulations", "counter-simulations"],
  ["nodes", "Nodes added", "counter-nodes"],
  ["proven", "Proven", "counter-proven"],
];

export class Counters {
  constructor() {
    this.cells = new Map();
    const cell = ([name, title, test]) => {
      const now = element("b", { class: "numeric", text: "0" });
      const all = element("small", { class: "numeric faint" });
      const node = element("div", { class: `counter ${name}`, "data-test": test }, element("span", { class: "faint", text: title }), element("span", {}, now, all));
      this.cells.set(name, { node, now, all });
      return node;
    };
    this.element = element("section", { class: "panel counters", "aria-label": "Counters" }, COUNTERS.map(cell));
  }

  show(counters, totals) {
    for (const [name, { node, now, all }] of this.cells) {
      node.hidden = !totals[name];
      const [reached, total] = [counters[name] ?? 0, totals[name] ?? 0];
      write(now, reached.toLocaleString("en"));
      write(all, ` / ${total.toLocaleString("en")}`);
      node.dataset.now = reached;
      node.dataset.total = total;
    }
  }
}

export class LadderTable {
  constructor({ onSaved, onChoose }) {
    this.onChoose = onChoose;
    this.body = element("tbody");
    this.note = element("p", { class: "faint note", "data-test": "ladder-note" });
    this.saved = element("input", { type: "checkbox", "data-test": "show-saved", on: { change: ({ target }) => onSaved(target.checked) } });
    this.words = element("p", { class: "note", "data-test": "saved-words" });
    this.element = element(
      "section",
      { class: "panel ladder", "aria-label": "What each technique saves" },
      element("h2", { text: "What each technique saves" }),
      element(
        "table",
        { "data-test": "ladder" },
        element("thead", {}, element("tr", {}, element("th", { scope: "col", text: "Each adds to those above" }), element("th", { scope: "col", text: "Nodes" }), element("th", { scope: "col", text: "Saved" }))),
        this.body,
      ),
      this.note,
      element("label", { class: "chip" }, this.saved, element("span", { text: "Show what was saved" })),
      this.words,
    );
  }

  /** Show the rows that will come; *chance*: those of the Stars too. */
  wait(chance, chosen) {
    const rungs = RUNGS.filter((rung) => chance || !rung.chance);
    this.show(rungs.map(({ name }, index) => ({ name, only: rungs.slice(0, index + 1).flatMap(({ added }) => added), nodes: null })), chosen);
    write(this.note, "Counting…");
    this.element.classList.add("waiting");
  }

  fail(message) {
    this.element.classList.remove("waiting");
    this.body.replaceChildren();
    write(this.note, message);
  }

  /** Show the rows; *chosen*: the techniques that are on now, null for all. */
  show(rows, chosen) {
    this.element.classList.remove("waiting");
    const plain = rows[0]?.nodes ?? null;
    const most = Math.max(...rows.map(({ nodes }) => nodes ?? 0), 1);
    this.body.replaceChildren(...rows.map((row) => this.#row(row, plain, most, chosen)));
    write(this.note, rows.some(({ nodes }) => nodes === null) ? "— too many to count here" : "");
  }

  #row({ name, only, nodes }, plain, most, chosen) {
    const saved = nodes === null || plain === null || name === "plain" ? "" : `${(100 * (1 - nodes / plain)).toFixed(plain > 1000 ? 1 : 0)}%`.replace("-", "−");
    const same = chosen !== null && chosen.length === only.length && only.every((technique) => chosen.includes(technique));
    const bar = element("i", { class: "ladder-bar", "aria-hidden": "true" });
    bar.style.setProperty("--part", nodes === null ? 1 : nodes / most);
    const title = element("button", { type: "button", class: "rung", title: "Search with these techniques", text: RUNGS.find((rung) => rung.name === name).title, on: { click: () => this.onChoose(only) } });
    return element(
      "tr",
      { "data-test": `ladder-${name}`, "data-nodes": nodes ?? "", "aria-current": same ? "true" : null, class: nodes === null ? "uncounted" : null },
      element("th", { scope: "row" }, title, bar),
      element("td", { class: "numeric", text: nodes === null ? "—" : nodes.toLocaleString("en") }),
      element("td", { class: "numeric", text: saved }),
    );
  }
}
