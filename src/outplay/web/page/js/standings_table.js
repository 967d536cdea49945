// The standings: a row for each agent, with its rating or mean score drawn as an interval.

import { element, svgElement } from "./element.js";
import { figure, pace } from "./tournament_words.js";

const HEIGHT = 24; // pixels of a picture

/** Return the ends of a scale that shows all intervals of *rows*. */
function scaleOf(rows) {
  const ends = rows.flatMap(({ elo_low: low, elo_high: high, mean, worst, best }) => (mean === null ? [low, high] : [worst, best])).filter((end) => end !== null);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const room = (high - low || 1) * 0.04;
  return [low - room, high + room];
}

export class StandingsTable {
  /** *onGames* is called with an agent's key where each agent plays alone. */
  constructor({ onGames }) {
    this.onGames = onGames;
    this.head = element("thead");
    this.body = element("tbody");
    this.element = element("div", { class: "tournament-scroll", tabindex: 0, role: "region", "aria-label": "Standings" }, element("table", { class: "standings", "data-test": "standings" }, this.head, this.body));
  }

  show({ rows, solitaire }) {
    const heads = solitaire ? ["", "Agent", "Mean score", "", "Games", "Faults", "Time/move"] : ["", "Agent", "Elo", "", "Points", "Won", "Drawn", "Lost", "Faults", "Time/move"];
    const classes = solitaire ? ["rank", "agent", "", "graph-cell", "", "", "more"] : ["rank", "agent", "", "graph-cell", "", "more", "more", "more", "", "more"];
    this.head.replaceChildren(element("tr", {}, heads.map((text, place) => element("th", { scope: "col", class: classes[place], text }))));
    const [low, high] = scaleOf(rows);
    const at = (number) => `${(100 * (number - low)) / (high - low)}%`;
    this.body.replaceChildren(...rows.map((row) => this.#row(row, solitaire, at, classes)));
  }

  #row(row, solitaire, at, classes) {
    const { text, error } = figure(row);
    const faults = Object.values(row.faults).reduce((sum, number) => sum + number, 0);
    const told = Object.entries(row.faults).map(([verdict, number]) => `${number} × ${verdict}`).join(", ");
    const name = element("bdi", { text: row.agent });
    const cells = [
      row.rank,
      [solitaire ? element("button", { type: "button", class: "link", on: { click: () => this.onGames(row.key) } }, name) : name, row.refused && element("span", { class: "badge", title: row.refused, text: "did not start" })],
      [text, " ", element("span", { class: "faint", text: error })],
      this.#picture(row, at),
      ...(solitaire ? [row.games] : [row.rate === null ? "–" : `${(100 * row.rate).toFixed(1)} %`, row.wins, row.draws, row.losses]),
      faults ? element("span", { class: "faulty", title: told, text: faults }) : "–",
      pace(row.pace),
    ];
    return element("tr", { "data-key": row.key }, cells.map((cell, place) => element("td", { class: classes[place] }, [cell].flat().filter((part) => part !== ""))));
  }

  #picture({ elo, elo_low: low, elo_high: high, mean, mean_low: from, mean_high: to, worst, best }, at) {
    const line = (kind, one, other) => one !== null && other !== null && svgElement("line", { class: kind, x1: at(one), x2: at(other), y1: "50%", y2: "50%" });
    const end = (where) => where !== null && svgElement("line", { class: "interval", x1: at(where), x2: at(where), y1: HEIGHT / 2 - 4, y2: HEIGHT / 2 + 4 });
    const middle = mean ?? elo;
    const [left, right] = mean === null ? [low, high] : [from, to];
    return svgElement(
      "svg",
      { class: "interval-picture", height: HEIGHT, "aria-hidden": "true" },
      svgElement("line", { class: "interval-zero", x1: at(0), x2: at(0), y2: "100%" }),
      mean !== null && line("interval-range", worst, best),
      line("interval", left, right),
      end(left),
      end(right),
      middle !== null && svgElement("circle", { class: "interval-point", cx: at(middle), cy: "50%", r: 4.5 }),
    );
  }
}
