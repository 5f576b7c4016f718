// Being called: how many tables wait for me, in the title of the tab, on the app's icon, and as a sound for who wants
// it.
import { Problem, get } from "./api.js";
import { play } from "./sound.js";
import { shared, signedOut, update } from "./store.js";

const EVERY_MS = 30_000;

/** The number in the title, whoever writes the title. */
function entitle() {
  const plain = document.title.replace(/^\(\d+\) /, "");
  const wanted = shared().waiting > 0 ? `(${shared().waiting}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}

/** @param {number} waiting */
export function called(waiting) {
  const before = shared().waiting;
  if (before === waiting) return;
  update({ waiting });
  entitle();
  const badge = /** @type {any} */ (navigator);
  (waiting > 0 ? badge.setAppBadge?.(waiting)
    : badge.clearAppBadge?.())?.catch(() => {}); // not installed: no icon to write on
  if (waiting > before && before >= 0) play("turn");
}

async function look() {
  const { me } = shared();
  if (!me) return called(0);
  try {
    called((await get("/me/turns")).items.length);
  } catch (problem) {
    // Else it is asked again soon; the page itself says when the line is lost.
    if (problem instanceof Problem && problem.status === 401) await ended(me);
  }
}

/**
 * The session ended elsewhere: asking on would be asking as nobody, for as long as the page is open.
 * @param {any} me
 */
async function ended(me) {
  if (shared().me?.id !== me.id) return; // somebody has signed in here meanwhile
  await signedOut();
  called(0);
}

/** Begins to listen, for as long as the page is open. */
export function listen() {
  const title = document.querySelector("title");
  if (title) new MutationObserver(entitle).observe(title, { childList: true });
  setTimeout(look, 4000); // what the page itself needs comes first
  setInterval(look, EVERY_MS);
  window.addEventListener("turnlog:acted", () => setTimeout(look, 500));
  document.addEventListener("visibilitychange", () => document.hidden || look());
}
