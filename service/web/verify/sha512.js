// SHA-512 (FIPS 180-4), for signatures: a hundred bytes each, so it may take its time.
const BITS = 64n, ALL = (1n << BITS) - 1n;

/** The first 64 bits of the fraction of a root. @param {bigint} prime @param {bigint} degree */
function fraction(prime, degree) {
  const wanted = prime << (BITS * degree);
  let low = 0n, high = 1n << (BITS + 10n);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= wanted) low = middle;
    else high = middle;
  }
  return low & ALL;
}

/** @param {number} count @returns {bigint[]} */
function primes(count) {
  /** @type {bigint[]} */
  const found = [];
  for (let n = 2n; found.length < count; n++) if (found.every((p) => n % p)) found.push(n);
  return found;
}

const K = primes(80).map((p) => fraction(p, 3n));
const FIRST = primes(8).map((p) => fraction(p, 2n));

const turn = (/** @type {bigint} */ x, /** @type {bigint} */ n) => ((x >> n) | (x << (BITS - n))) & ALL;

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function sha512(bytes) {
  const length = Math.floor((bytes.length + 16) / 128) + 1;
  const padded = new Uint8Array(length * 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setBigUint64(length * 128 - 8, BigInt(bytes.length) * 8n);
  const hash = FIRST.slice();
  for (let block = 0; block < length; block++) mix(hash, data, block * 128);
  const out = new DataView(new ArrayBuffer(64));
  hash.forEach((word, n) => out.setBigUint64(n * 8, word));
  return new Uint8Array(out.buffer);
}

/** @param {bigint[]} hash @param {DataView} data @param {number} from */
function mix(hash, data, from) {
  const w = Array.from({ length: 80 }, (_, i) => (i < 16 ? data.getBigUint64(from + i * 8) : 0n));
  for (let i = 16; i < 80; i++) {
    const s0 = turn(w[i - 15], 1n) ^ turn(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
    const s1 = turn(w[i - 2], 19n) ^ turn(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & ALL;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 80; i++) {
    const choice = (e & f) ^ (~e & ALL & g), most = (a & b) ^ (a & c) ^ (b & c);
    const t1 = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + choice + K[i] + w[i];
    const t2 = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + most;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & ALL, c, b, a, (t1 + t2) & ALL];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] = (hash[i] + value) & ALL));
}
