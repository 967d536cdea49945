// Elements by DOM calls: text is always text, never markup.

export const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Return an element: attributes by name, `on` for listeners, `text` for its text; null, undefined and false leave an attribute out. */
export function element(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svgElement(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Write *text* where it differs: an unchanged live region stays silent, an unchanged node is not laid out again. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Whether typing now belongs to a field rather than to the page. */
export function inField(target) {
  return target instanceof Element && target.closest("input:not([type=checkbox]), select, textarea, dialog, [contenteditable]") !== null;
}
