// A tree to practise on: small enough to be done on paper, with values drawn at random.

const LARGEST = 9;

/** Return the text of a tree of three levels, two or three branches at each node. */
export function exercise(random = Math.random) {
  const below = (number) => Math.floor(random() * number);
  const leaf = () => below(2 * LARGEST + 1) - LARGEST;
  const several = (one) => Array.from({ length: 2 + below(2) }, one).join(", ");
  const branches = Array.from({ length: 3 }, () => `  min(${several(() => `max(${several(leaf)})`)})`);
  return `max(\n${branches.join(",\n")}\n)`;
}
