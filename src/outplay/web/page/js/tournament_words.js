// Numbers of a tournament as people read them.

const MINUS = "\u2212";

/** Return a number with a true minus sign. */
export function signed(number, decimals = 0) {
  const size = Math.abs(number).toFixed(decimals);
  return (Number(size) === 0 ? "" : number > 0 ? "+" : MINUS) + size;
}

/** Return points, with a half as a fraction. */
export function points(number) {
  const whole = Math.floor(number);
  return (whole || number === whole ? String(whole) : "") + (number > whole ? "½" : "");
}

/** Return a likelihood; one that is not quite certain is not called so. */
export function likelihood(share) {
  if (share > 0.999) return "> 99.9 %";
  return share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`;
}

/** Return a time with its unit. */
export function pace(seconds) {
  if (seconds === null) return "–";
  const [unit, name] = seconds >= 1 ? [1, "s"] : seconds >= 1e-3 ? [1e-3, "ms"] : [1e-6, "µs"];
  return `${Number((seconds / unit).toPrecision(3))} ${name}`;
}

/** Return an agent's rating, or its mean score, with its 95 % interval: {text, error}. */
export function figure({ elo, elo_low: low, elo_high: high, mean, mean_low: worst, mean_high: best }) {
  if (mean !== null) return { text: String(Number(mean.toPrecision(4))), error: worst === null ? "" : `${Number(worst.toPrecision(4))} to ${Number(best.toPrecision(4))}` };
  if (elo === null) return { text: "–", error: "" };
  const [up, down] = [Math.round(high - elo), Math.round(elo - low)];
  return { text: signed(elo), error: up === down ? `± ${up}` : `+${up}/${MINUS}${down}` };
}

/** Return how a game ended, as the first agent counts it. */
export function result({ result, score }, solitaire) {
  if (solitaire) return score === null ? "–" : String(Number(score.toPrecision(6)));
  return result === null ? "–" : { 1: "1 : 0", 0.5: "½ : ½", 0: "0 : 1" }[result];
}
