// Bytes, text and hex, and HMAC-SHA256 (RFC 2104).
import { sha256 } from "../sha256.js";

const encoder = new TextEncoder();

/** @param {string} text @returns {Uint8Array} */
export const utf8 = (text) => encoder.encode(text);

/** @param {string} digits @returns {Uint8Array | null} null for what is not hex */
export function unhex(digits) {
  if (typeof digits !== "string" || digits.length % 2 || !/^[0-9a-f]*$/.test(digits)) return null;
  return Uint8Array.from({ length: digits.length / 2 }, (_, n) => parseInt(digits.slice(2 * n, 2 * n + 2), 16));
}

/** @param {Uint8Array[]} parts */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const BLOCK = 64;

/** @param {Uint8Array} key @param {string} text @returns {string} in hex */
export function hmac(key, text) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? /** @type {Uint8Array} */ (unhex(sha256(key))) : key);
  const inner = sha256(joined(padded.map((byte) => byte ^ 0x36), utf8(text)));
  return sha256(joined(padded.map((byte) => byte ^ 0x5c), /** @type {Uint8Array} */ (unhex(inner))));
}
