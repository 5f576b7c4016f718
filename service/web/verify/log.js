// Checks a log's bytes: every line is the one spelling of its value and names the hash of the line before; the seed
// opens
// the seal, and every salt follows from it. Generators: who runs them decides when to pause.
import { sha256 } from "../sha256.js";
import { hmac, unhex } from "./bytes.js";
import { read } from "./canonical.js";

/** Where and why something fails; lines count from 1. */
export class Broken extends Error {
  /** @param {number} line @param {string} code */
  constructor(line, code) {
    super(`line ${line}: ${code}`);
    this.line = line;
    this.code = code;
  }
}

/** @typedef {{event: any, hash: string}} Entry */

/** @param {Uint8Array} data @returns {Uint8Array[]} */
function split(data) {
  const lines = [];
  let from = 0;
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, from)) {
    lines.push(data.subarray(from, at));
    from = at + 1;
  }
  if (!data.length) throw new Broken(1, "empty_log");
  if (from < data.length) throw new Broken(lines.length + 1, "cut_log");
  return lines;
}

const ENDING = { end: "number", head: "string", redacted: "boolean", key: "string", signature: "string" };

/** @param {any} end */
const closes = (end) => end !== null && typeof end === "object" && "end" in end && "head" in end
  && Object.keys(end).every((name) => typeof end[name] === /** @type {any} */ (ENDING)[name]);

/**
 * The events of an export with their hashes, and its closing line.
 * @param {Uint8Array} data
 * @returns {Generator<number, {entries: Entry[], end: any}, void>}
 */
export function* chain(data) {
  const lines = split(data);
  const values = [];
  for (const [n, line] of lines.entries()) {
    const value = read(line);
    if (value === undefined) throw new Broken(n + 1, "not_canonical");
    values.push(value);
    yield n;
  }
  const end = values.pop();
  if (!closes(end) || end.redacted) throw new Broken(lines.length, "incomplete_log");
  if (end.end !== values.length || !values.length) throw new Broken(lines.length, "cut_log");
  if (end.head !== sha256(lines[values.length - 1])) throw new Broken(lines.length, "broken_chain");
  /** @type {Entry[]} */
  const entries = [];
  let head = "0".repeat(64);
  for (const [n, event] of values.entries()) {
    check(event, n, values[0], head);
    head = sha256(lines[n]);
    entries.push({ event, hash: head });
    yield n;
  }
  return { entries, end };
}

/** @param {any} event @param {number} n @param {any} first @param {string} head */
function check(event, n, first, head) {
  if (event === null || typeof event !== "object" || typeof event.kind !== "string") throw new Broken(n + 1,
    "not_an_event");
  if (event.seq !== n + 1) throw new Broken(n + 1, "out_of_order");
  if (event.match !== first.match) throw new Broken(n + 1, "foreign_event");
  if (event.prev !== head) throw new Broken(n + 1, "broken_chain");
  if ((event.kind === "opened") !== (n === 0)) throw new Broken(n + 1, "out_of_order");
}

/** Whether an event brings a seal of its own. @param {any} event */
export const brings = (event) => event.kind === "opened" || event.kind === "forked";

/**
 * The seed opens the seal, and is the one that the end shows.
 * @param {Entry[]} entries
 * @returns {Generator<number, void, void>}
 */
export function* seal(entries) {
  let seed = "";
  for (const [n, { event }] of entries.entries()) {
    if (brings(event)) seed = opened(event, n + 1);
    if (event.kind === "finished" && event.seed !== seed) throw new Broken(n + 1, "wrong_seed");
    yield n;
  }
}

/** @param {any} event @param {number} line @returns {string} */
function opened(event, line) {
  if (!event.seed) throw new Broken(line, "incomplete_log");
  const seed = unhex(event.seed);
  if (!seed || sha256(seed) !== event.seal) throw new Broken(line, "broken_seal");
  return event.seed;
}

/** Every salt follows from the seed. @param {Entry[]} entries @returns {Generator<number, void, void>} */
export function* salts(entries) {
  /** @type {Uint8Array | null} */
  let seed = null;
  for (const [n, { event }] of entries.entries()) {
    if (brings(event)) seed = unhex(event.seed ?? "");
    if (!seed || event.salt !== hmac(seed, `salt:${n + 1}`).slice(0, 32)) throw new Broken(n + 1, "wrong_salt");
    yield n;
  }
}
