// Verifies a log in the reader's own browser, with nothing but its bytes, the server's keys and the odds of its draws.
// It shares
// no code with the server's verifier. What it cannot judge are the rules: whether an action was legal, whether the odds
// are right.
import { Broken, chain, salts, seal } from "./log.js";
import { draws } from "./draws.js";
import { signer } from "./signature.js";

const PIECE_MS = 12; // so long a piece of work may take before the page gets its turn

/** @typedef {{what: string, line: number, code: string}} Check line 0 and code "" if it holds */
/**
 * @typedef {{checks: Check[], signature: {by: string, server: string, key: string} | null, events: number, head:
 *   string}} Report
 */

const pause = () => new Promise((done) => setTimeout(done, 0));

/** @template T @param {Generator<number, T, void>} steps @returns {Promise<T>} */
async function inPieces(steps) {
  let until = Date.now() + PIECE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return /** @type {T} */ (value);
    if (Date.now() >= until) {
      await pause();
      until = Date.now() + PIECE_MS;
    }
  }
}

/**
 * One check: its name, and where it fails.
 * @template T
 * @param {Check[]} checks
 * @param {string} what
 * @param {() => Generator<number, T, void>} steps
 * @returns {Promise<T | null>}
 */
async function check(checks, what, steps) {
  try {
    const result = await inPieces(steps());
    checks.push({ what, line: 0, code: "" });
    return result;
  } catch (problem) {
    if (!(problem instanceof Broken)) throw problem;
    checks.push({ what, line: problem.line, code: problem.code });
    return null;
  }
}

/**
 * What rests on a check that failed is not looked at. `said`: what GET …/draws answers, or null to leave the dice out.
 * @param {Uint8Array} data @param {import("./signature.js").Keys} keys @param {any} said @returns {Promise<Report>}
 */
export async function verify(data, keys, said) {
  /** @type {Check[]} */
  const checks = [];
  const found = await check(checks, "chain", () => chain(data));
  if (!found) return { checks, signature: null, events: 0, head: "" };
  const { entries, end } = found;
  const signature = signer(entries[0].event.match, end, keys);
  const report = { checks, signature, events: entries.length, head: end.head };
  await check(checks, "seal", () => seal(entries));
  await check(checks, "salts", () => salts(entries));
  if (checks[1].code || !said) return report;
  await check(checks, "draws", () => draws(entries, said));
  return report;
}
