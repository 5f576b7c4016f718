// Canonical JSON: one value, one spelling. Keys sorted by code point, no spaces, shortest escapes, no floats.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ALONE = /\p{Surrogate}/u; // half of a character: no text

/** @param {string} a @param {string} b by code point, not by the halves that characters are stored in */
function before(a, b) {
  const left = [...a], right = [...b];
  for (let n = 0; n < Math.min(left.length, right.length); n++) {
    const gap = (left[n].codePointAt(0) || 0) - (right[n].codePointAt(0) || 0);
    if (gap) return gap;
  }
  return left.length - right.length;
}

/** @param {any} value @returns {string} */
export function encode(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError("no whole number that JSON can hold");
    return String(value);
  }
  if (typeof value === "string") {
    if (ALONE.test(value)) throw new RangeError("half a character");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  return `{${Object.keys(value).sort(before).map((key) => `${encode(key)}:${encode(value[key])}`).join(",")}}`;
}

/**
 * The value of a line, if it is the one spelling of it.
 * @param {Uint8Array} line
 * @returns {any} undefined if it is not
 */
export function read(line) {
  try {
    const text = decoder.decode(line);
    const value = JSON.parse(text);
    return encode(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
