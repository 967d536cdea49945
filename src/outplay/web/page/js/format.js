// Numbers as people read them. Values are player 0's everywhere.

const MINUS = "\u2212";

/** Return a value with its sign: "+0.25", "−1", "0"; wide scales get fewer decimals. */
export function value(number, low = -1, high = 1) {
  if (number === null || number === undefined) return "";
  const decimals = Number.isInteger(number) ? 0 : high - low >= 100 ? 1 : 2;
  const size = Math.abs(number).toFixed(decimals);
  if (Number(size) === 0) return decimals ? Number(0).toFixed(decimals) : "0";
  return (number > 0 ? "+" : MINUS) + size;
}

/** Say what rewards were paid so far; nothing in a game without. */
export function soFar({ paid, turn }) {
  return paid === null || turn === -2 ? "" : ` (${Math.round(paid * 100) / 100} so far)`;
}

/** Return a count: "950", "12.3k", "4.56M"; a round one has no decimals: "10k". */
export function count(number) {
  if (number < 10_000) return String(Math.round(number));
  const [unit, name] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const scaled = number / unit;
  return (Number.isInteger(scaled) ? scaled : scaled.toFixed(scaled < 10 ? 2 : scaled < 100 ? 1 : 0)) + name;
}

/** Return a time: "0.31 s", "12 s". */
export function seconds(number) {
  return `${number.toFixed(number < 1 ? 2 : number < 10 ? 1 : 0)} s`;
}

/** Return a probability: "1/6" where it is a small fraction, "12.3%" or "0.013%" elsewhere. */
export function probability(number) {
  for (let below = 1; below <= 36; below++) {
    const above = Math.round(number * below);
    if (above > 0 && Math.abs(above / below - number) < 1e-9) return below === 1 ? "1" : `${above}/${below}`;
  }
  return `${100 * number < 0.1 ? Number((100 * number).toPrecision(2)) : (100 * number).toFixed(1)}%`;
}
