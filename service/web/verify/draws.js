// Rolls every die again. The server says of each draw what the odds were and which outcome the log tells of; the number
// of the
// draw follows from the opened seed, the players' nonces and all that was said before the start, and must lead to that
// outcome.
import { hmac, unhex } from "./bytes.js";
import { Broken, brings } from "./log.js";

/** @typedef {{seq: number, n: number, outcomes: number, chosen: number, weights?: number[] | null}} Draw */

const SPAN = 2n ** 64n;

/** @param {Uint8Array} key @param {number} n @param {bigint} total @returns {bigint} */
function rolled(key, n, total) {
  const limit = SPAN - (SPAN % total);
  for (let k = 0; ; k++) {
    const x = BigInt("0x" + hmac(key, `${n}:${k}`).slice(0, 16));
    if (x < limit) return x % total;
  }
}

/** Which outcome a draw leads to. @param {Uint8Array} key @param {Draw} draw */
function outcome(key, draw) {
  const weights = draw.weights ?? Array(draw.outcomes).fill(1);
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total <= 0n) return -1;
  let x = rolled(key, draw.n, total);
  return weights.findIndex((weight) => (x -= BigInt(weight)) < 0n);
}

/** The numbers of the draws that an event's facts tell of, in their order. @param {any} event @returns {number[]} */
function told(event) {
  const numbers = (event.facts ?? []).map((/** @type {any} */ fact) => fact?.n).filter(Number.isInteger);
  return numbers.filter((/** @type {number} */ n, /** @type {number} */ at) => !at || numbers[at - 1] !== n);
}

/** @param {string[]} nonces @param {any} event */
function listen(nonces, event) {
  if (event.kind === "seated") nonces[event.seat] = event.nonce ?? "";
  if (event.kind === "nonce") nonces[event.seat] = event.nonce;
  if (event.kind === "left") nonces[event.seat] = "";
}

/**
 * @param {import("./log.js").Entry[]} entries
 * @param {{draws: Draw[], problem: any}} said
 * @returns {Generator<number, void, void>}
 */
export function* draws(entries, said) {
  /** @type {Map<number, Draw[]>} */
  const by = new Map();
  for (const draw of said.draws) by.set(draw.seq, [...(by.get(draw.seq) ?? []), draw]);
  /** @type {string[]} */
  const nonces = (entries[0].event.places ?? []).map(() => "");
  let seed = "", bond = "";
  const bound = Boolean(entries[0].event.revision); // logs that do not name their rules are bound to nonces alone
  for (const [n, { event }] of entries.entries()) {
    if (said.problem && said.problem.seq === n + 1) throw new Broken(n + 1, "unknown_draws");
    if (brings(event)) [seed, bond] = [event.seed, ""];
    // The hash of all that was said before the start; a fork has no start, there it is its first action.
    if (bound && !bond && ["started", "acted"].includes(event.kind)) bond = event.prev;
    listen(nonces, event);
    const here = by.get(n + 1) ?? [];
    if (String(told(event)) !== String(here.map((draw) => draw.n))) throw new Broken(n + 1, "other_draws");
    if (here.length) roll(keyOf(seed, bond ? [...nonces, bond] : nonces), here, n + 1);
    by.delete(n + 1);
    yield n;
  }
  if (by.size) throw new Broken(entries.length, "other_draws");
}

/** @param {string} seed @param {string[]} parts */
const keyOf = (seed, parts) => /** @type {Uint8Array} */ (unhex(hmac(/** @type {Uint8Array} */ (unhex(seed)),
  parts.join(","))));

/** @param {Uint8Array} key @param {Draw[]} here @param {number} line */
function roll(key, here, line) {
  for (const draw of here) if (outcome(key, draw) !== draw.chosen) throw new Broken(line, "wrong_draw");
}
