// Runs before the first paint, as a classic script: a page that opens light and then turns dark would flash.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem("theme");
  } catch {
    // Storage may be forbidden; the system's colours serve.
  }
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();
