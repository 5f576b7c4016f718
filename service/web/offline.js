// Without a line: what was read last can be read again, and an action that was chosen is kept and sent later.
import { keep, remember } from "./i18n.js";

const ANSWERS = "turnlog-answers";
const MOST_ANSWERS = 80;
const MOST_ACTIONS = 20;
/**
 * What is worth keeping: who I am, the games, my matches, and what happened in them. Nothing that is asked with a code.
 */
const WORTH = /^\/(me|games|me\/turns|matches\?[^#]*mine=true[^#]*|matches\/[\w-]+(\?|\/events\?text=1&after=0&limit=1000&))$/;

/** @param {string} path @param {Response} answer */
export async function keepAnswer(path, answer) {
  if (!("caches" in window) || !WORTH.test(path)) return;
  try {
    const kept = await caches.open(ANSWERS);
    await kept.delete(path); // so that the oldest comes first
    await kept.put(path, answer);
    const all = await kept.keys();
    for (const old of all.slice(0, Math.max(0, all.length - MOST_ANSWERS))) await kept.delete(old);
  } catch {
    // No room, or not allowed: then it is not there without a line.
  }
}

/** @param {string} path @returns {Promise<Response | undefined>} */
export async function keptAnswer(path) {
  if (!("caches" in window) || !WORTH.test(path)) return undefined;
  return caches.match(path, { cacheName: ANSWERS });
}

/** Whoever signs out leaves nothing behind. */
export async function forgetAnswers() {
  keep("queue", null);
  if ("caches" in window) await caches.delete(ANSWERS);
}

/** Actions that wait for a line: one for each match. @returns {{path: string, body: any, key: string}[]} */
export function queued() {
  try {
    return JSON.parse(remember("queue") || "[]");
  } catch {
    return [];
  }
}

/** @param {{path: string, body: any, key: string}} action */
export const enqueue = (action) => keep("queue", JSON.stringify([...queued().filter((one) => one.path !== action.path),
  action].slice(-MOST_ACTIONS)));

/** @param {string} key */
export const dequeue = (key) => keep("queue", JSON.stringify(queued().filter((one) => one.key !== key)));
