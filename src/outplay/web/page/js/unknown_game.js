// What is shown where the address names a game that is not there: why, and all games that are.

import { element } from "./element.js";

/** Return it. *link(game)*: the address of the same room with another game. */
export function unknownGame(name, games, link) {
  const file = /\.py\b|[\\/]/.test(name) ? " A game of your own is there if its file is given where the server is started: outplay web mygame.py." : "";
  return element(
    "section",
    { class: "plain unknown-game", "aria-label": "Unknown game" },
    element("h1", { text: `There is no game “${name}” here.` }),
    element("p", { role: "alert", "data-test": "unknown-game", text: `The address may be misspelt.${file} These are the games:` }),
    element("ul", {}, games.map((entry) => element("li", {}, element("a", { href: link(entry.name), "data-test": `unknown-${entry.name}`, text: entry.title })))),
  );
}
