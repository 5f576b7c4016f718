// What every page shares: who I am, the catalogue, and choices kept in this browser.
import { useEffect, useState } from "./lib.js";
import { Problem, get, send } from "./api.js";
import { keep, lang, load, preferred, remember } from "./i18n.js";
import { dequeue, forgetAnswers, queued } from "./offline.js";

/** @type {{ready: boolean, me: any, games: any[], theme: string, ask: boolean, textMode: boolean, sound: boolean,
 *   onward: boolean, waiting: number,
 *   offline: boolean, kept: {match: string, moved: boolean}[]}} */
const state = {
  ready: false,
  me: null,
  games: [],
  theme: remember("theme") || "auto",
  ask: remember("ask") !== "off",
  textMode: remember("text") === "on",
  sound: remember("sound") === "on",
  onward: remember("onward") === "on", // to the next table that waits, without being asked
  waiting: -1, // tables that wait for me; not known yet
  offline: false,
  kept: [], // what became of actions that were chosen without a line
};
/** @type {Set<() => void>} */
const listeners = new Set();

export const shared = () => state;

/** @param {Partial<typeof state>} change */
export function update(change) {
  Object.assign(state, change);
  for (const listener of [...listeners]) listener();
}

/** Draws the calling component again whenever something shared changes. */
export function useShared() {
  const [, draw] = useState(0);
  useEffect(() => {
    const listener = () => draw((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return state;
}

export async function begin() {
  const [me, games] = await Promise.all([whoami(), catalogue(), load(preferred())]);
  if (me?.locale && me.locale !== lang()) {
    keep("lang", me.locale); // the next time it comes first
    await load(me.locale);
  }
  update({ me, games, ready: true });
}

/** Who is signed in. A server that is away for a moment must not make anybody a stranger. */
async function whoami() {
  if (!document.cookie.includes("turnlog_csrf=")) return null;
  for (const seconds of [0.5, 1, 2, 4, 0]) {
    try {
      return await get("/me");
    } catch (problem) {
      if (problem instanceof Problem && [401, 403].includes(problem.status)) {
        await forgetAnswers();
        return null;
      }
      await new Promise((done) => setTimeout(done, seconds * 1000));
    }
  }
  return null;
}

const catalogue = () => get("/games").then((answer) => answer.items).catch(() => []);

/** @param {any} me */
export async function signedIn(me) {
  if (me?.locale && me.locale !== lang()) await load(me.locale);
  update({ me, games: await catalogue() });
}

/** @param {string} wanted */
export async function switchLanguage(wanted) {
  keep("lang", wanted);
  await load(wanted);
  if (state.me) state.me = await send("PATCH", "/me", { locale: wanted }).catch(() => state.me);
  update({ games: await catalogue() });
}

/** @param {string} theme auto, light or dark */
export function switchTheme(theme) {
  keep("theme", theme === "auto" ? null : theme);
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  update({ theme });
}

/** @param {boolean} ask whether a chosen action waits for a confirming tap */
export function switchAsk(ask) {
  keep("ask", ask ? null : "off");
  update({ ask });
}

/** @param {boolean} textMode */
export function switchTextMode(textMode) {
  keep("text", textMode ? "on" : null);
  update({ textMode });
}

/** @param {boolean} sound */
export function switchSound(sound) {
  keep("sound", sound ? "on" : null);
  update({ sound });
}

/** @param {boolean} onward */
export function switchOnward(onward) {
  keep("onward", onward ? "on" : null);
  update({ onward });
}

/** Nobody is signed in here any more, and nothing of theirs stays. */
export async function signedOut() {
  await forgetAnswers();
  update({ me: null, kept: [] });
}

/**
 * The line is back: what was chosen without it goes out under its own key. Who moved on meanwhile is told, not
 *   overruled.
 */
export async function sendQueued() {
  for (const { path, body, key } of queued()) {
    const match = path.split("/")[2];
    try {
      await send("POST", path, body, { "Idempotency-Key": key });
      update({ kept: [...state.kept, { match, moved: false }] });
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status === 0) return; // still no line
      update({ kept: [...state.kept, { match, moved: true }] });
    }
    dequeue(key);
  }
}

/** @param {string} match */
export const dismissKept = (match) => update({ kept: state.kept.filter((one) => one.match !== match) });

/** @param {string} key */
export const gameName = (key) => state.games.find((game) => game.key === key)?.name || key;
