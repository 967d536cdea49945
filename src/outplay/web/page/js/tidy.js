// Where the nodes of a tree stand: parents over the middle of their children, subtrees side by side as close as they go.
// A subtree is known by its outline: how far it reaches to the left and to the right on each of its levels.

/**
 * Return the x of every node in *order*, a parent before its children, and the width of the whole.
 *
 * `children(node)` are its children from left to right; `reach(node)` is [left, right], what it takes to either side of its x;
 * *apart* lies between neighbours.
 */
export function tidy(order, children, reach, apart) {
  const outlines = new Map(); // node -> {lefts, rights}, each by level, seen from the node
  const shifts = new Map(); // node -> x seen from its parent
  for (let place = order.length - 1; place >= 0; place--) {
    const node = order[place];
    const [left, right] = reach(node);
    outlines.set(node, joined(children(node), outlines, shifts, left, right, apart));
  }
  const xs = new Map();
  const parents = new Map();
  for (const node of order) {
    xs.set(node, parents.has(node) ? xs.get(parents.get(node)) + shifts.get(node) : 0);
    for (const child of children(node)) parents.set(child, node);
  }
  const { lefts, rights } = outlines.get(order[0]);
  const start = Math.min(...lefts);
  for (const [node, x] of xs) xs.set(node, x - start);
  return { xs, width: Math.max(...rights) - start };
}

/** Set the children beside each other; return the outline of the node that stands over them. */
function joined(children, outlines, shifts, left, right, apart) {
  const lefts = [];
  const rights = [];
  for (const child of children) {
    const outline = outlines.get(child);
    outlines.delete(child);
    let shift = 0;
    for (let level = 0; level < Math.min(rights.length, outline.lefts.length); level++) {
      shift = Math.max(shift, rights[level] - outline.lefts[level] + apart);
    }
    shifts.set(child, shift);
    outline.lefts.forEach((edge, level) => {
      if (level >= lefts.length) lefts.push(edge + shift);
      rights[level] = outline.rights[level] + shift;
    });
  }
  const middle = children.length ? (shifts.get(children[0]) + shifts.get(children[children.length - 1])) / 2 : 0;
  for (const child of children) shifts.set(child, shifts.get(child) - middle);
  return { lefts: [-left, ...lefts.map((edge) => edge - middle)], rights: [right, ...rights.map((edge) => edge - middle)] };
}
