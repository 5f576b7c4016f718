// Checks Ed25519 signatures by the formulas of RFC 8032, section 5.1. The browser's own needs https, and is not
// everywhere.
// Nothing here is secret, so it need not take the same time for everything.
import { joined } from "./bytes.js";
import { sha512 } from "./sha512.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n; // how many points the base makes
const mod = (/** @type {bigint} */ x) => ((x % P) + P) % P;

/** @param {bigint} x @param {bigint} n */
function power(x, n) {
  let result = 1n;
  for (let base = mod(x); n > 0n; n >>= 1n, base = (base * base) % P) if (n & 1n) result = (result * base) % P;
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n); // of -1

/** A point as (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z. @typedef {[bigint, bigint, bigint, bigint]} Point */
/** @type {Point} */
const ZERO = [0n, 1n, 1n, 0n];

/** @param {Point} p @param {Point} q @returns {Point} */
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D), d = mod(2n * z1 * z2);
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @param {bigint} n @param {Point} point @returns {Point} */
function times(n, point) {
  let sum = ZERO;
  for (; n > 0n; n >>= 1n, point = add(point, point)) if (n & 1n) sum = add(sum, point);
  return sum;
}

/** @param {Point} p @param {Point} q */
const same = (p, q) => mod(p[0] * q[2] - q[0] * p[2]) === 0n && mod(p[1] * q[2] - q[1] * p[2]) === 0n;

/** @param {Uint8Array} bytes the lowest first */
const number = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/**
 * The x of a point, from its y and the last bit of x.
 * @param {bigint} y
 * @param {bigint} odd
 * @returns {bigint | null}
 */
function recover(y, odd) {
  if (y >= P) return null;
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = mod(x * ROOT);
  if (mod(x * x - square) || (x === 0n && odd)) return null;
  return (x & 1n) === odd ? x : P - x;
}

/** @param {Uint8Array} bytes @returns {Point | null} */
function point(bytes) {
  const packed = number(bytes), y = packed & (2n ** 255n - 1n);
  const x = recover(y, packed >> 255n);
  return x === null ? null : [x, y, 1n, mod(x * y)];
}

const BASE_Y = mod(4n * power(5n, P - 2n));
const BASE_X = /** @type {bigint} */ (recover(BASE_Y, 0n));
/** @type {Point} */
const BASE = [BASE_X, BASE_Y, 1n, mod(BASE_X * BASE_Y)];

/**
 * Whether the holder of a public key signed exactly these bytes.
 * @param {Uint8Array} key
 * @param {Uint8Array} signature
 * @param {Uint8Array} text
 */
export function holds(key, signature, text) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const a = point(key), r = point(signature.slice(0, 32)), s = number(signature.slice(32));
  if (!a || !r || s >= L) return false;
  const hash = number(sha512(joined(signature.slice(0, 32), key, text))) % L;
  return same(times(s, BASE), add(r, times(hash, a)));
}
