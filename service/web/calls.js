// Being called: how many tables wait for me, in the title of the tab, on the app's icon, and as a sound for who wants it.
import { Problem, get } from "./api.js";
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
  (waiting > 0 ? badge.setAppBadge?.(waiting) : badge.clearAppBadge?.())?.catch(() => {}); // not installed: no icon to write on
  if (waiting > before && before >= 0 && shared().sound) chime();
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

/** The session ended elsewhere: asking on would be asking as nobody, for as long as the page is open. @param {any} me */
async function ended(me) {
  if (shared().me?.id !== me.id) return; // somebody has signed in here meanwhile
  await signedOut();
  called(0);
}

/** Two soft tones. */
export function chime() {
  const audio = new AudioContext();
  [660, 880].forEach((pitch, n) => {
    const [tone, loud, from] = [audio.createOscillator(), audio.createGain(), audio.currentTime + n * 0.16];
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(0.16, from + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.001, from + 0.5);
    tone.connect(loud).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.5);
  });
  setTimeout(() => audio.close(), 1500);
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
