// A position: a game, a start ("" for the game's own) and the choices since, moves and outcomes alike.

/** Return the whole game that a query names, and the ply of it on the board. */
export function gameIn(query) {
  const choices = (query.choices ?? "").split(".").filter(Boolean).map(Number).filter(Number.isInteger);
  const ply = /^\d+$/.test(query.at ?? "") ? Math.min(Number(query.at), choices.length) : choices.length;
  return { position: { game: query.game ?? "", start: query.start ?? "", choices }, ply };
}

/** Return the position on the board that a query names. */
export function positionOf(query) {
  const { position, ply } = gameIn(query);
  return upTo(position, ply);
}

/** Return the query that names a position. */
export function queryOf({ game, start, choices }) {
  return { game, start, choices: choices.join(".") };
}

/** Return the position as it was after *ply* choices. */
export function upTo(position, ply) {
  return { ...position, choices: position.choices.slice(0, ply) };
}

/** Return the position after one more choice. */
export function after(position, choice) {
  return { ...position, choices: [...position.choices, choice] };
}

/** Return a text that two positions share only if they are the same. */
export function keyOf({ game, start, choices }) {
  return `${game}\n${start}\n${choices.join(".")}`;
}

/** Return the catalogue's entry of the game that *text* names: "connect-four:rows=5" is an entry "connect-four" with parameters. */
export function gameOf(games, text) {
  return games.find((game) => game.name === text) ?? games.find((game) => !game.own && text.startsWith(`${game.name}:`));
}

/** Return the parameters that *text* sets, by name. */
export function parametersOf(text, name) {
  const parts = text.startsWith(`${name}:`) ? text.slice(name.length + 1).split(",") : [];
  return Object.fromEntries(parts.map((part) => part.split("=")));
}

/** Return the text of a game with the parameters that differ from their defaults. */
export function gameText(entry, values) {
  const changed = (entry.parameters ?? []).filter(({ name, default: usual }) => {
    const value = String(values[name] ?? "").trim();
    return value !== "" && value !== String(usual);
  });
  return entry.name + (changed.length ? `:${changed.map(({ name }) => `${name}=${String(values[name]).trim()}`).join(",")}` : "");
}
