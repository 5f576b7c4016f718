// How modules that the server has joined into few files find each other: each runs once, when it is first needed.
// The server puts this before them. Written as a plain script because nothing imports it.
const $known = new Map();
const $made = new Map();

/** @param {string} name */
function $need(name) {
  if (!$made.has(name)) $made.set(name, $known.get(name)($need, $loader(name)));
  return $made.get(name);
}

/** @param {Record<string, any>} modules */
function $define(modules) {
  for (const [name, make] of Object.entries(modules)) if (!$known.has(name)) $known.set(name, make);
}

/** What `import(…)` means inside a module. @param {string} from */
const $loader = (from) => async (/** @type {string} */ path) => {
  const name = new URL(path, `${location.origin}/static/${from}`).pathname.slice("/static/".length);
  if (!$known.has(name)) $define((await import($need("assets.js").asset(name))).default);
  return $need(name);
};
