// Flat-top hexes in axial coordinates, as the games' data use them.
const ROOT3 = Math.sqrt(3);

/** The centre of a hex. @param {number} q @param {number} r @param {number} size @returns {[number, number]} */
export const centre = (q, r, size) => [1.5 * q * size, ROOT3 * (r + q / 2) * size];

/**
 * The hex that a point lies in.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @returns {[number, number]}
 */
export function nearest(x, y, size) {
  const q = x / (1.5 * size), r = y / (ROOT3 * size) - q / 2;
  const [a, b, c] = [Math.round(q), Math.round(r), Math.round(-q - r)];
  const [da, db, dc] = [Math.abs(a - q), Math.abs(b - r), Math.abs(c + q + r)];
  if (da > db && da > dc) return [-b - c, b];
  return db > dc ? [a, -a - c] : [a, b];
}

/** The outline of a hex around a point. @param {number} x @param {number} y @param {number} size */
export function outline(x, y, size) {
  const points = [];
  for (let n = 0; n < 6; n++) points.push(`${round(x + size * Math.cos((n * Math.PI) / 3))},${round(y + size
    * Math.sin((n * Math.PI) / 3))}`);
  return points.join(" ");
}

/**
 * The frame around hexes, as a viewBox.
 * @param {[number, number][]} cells axial
 * @param {number} size
 * @param {number} [margin] in hexes
 */
export function frame(cells, size, margin = 0.3) {
  const points = cells.map(([q, r]) => centre(q, r, size));
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const pad = size * (1 + margin);
  const left = Math.min(...xs) - pad, top = Math.min(...ys) - pad;
  return { x: left, y: top, width: Math.max(...xs) + pad - left, height: Math.max(...ys) + pad - top };
}

/** @param {{x: number, y: number, width: number, height: number}} box */
export const viewBox = (box) => `${round(box.x)} ${round(box.y)} ${round(box.width)} ${round(box.height)}`;

/** @param {number} n */
export const round = (n) => Math.round(n * 100) / 100;
