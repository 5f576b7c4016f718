// Motion tells cause: what is new on the board comes from where it was, or from whoever put it there.
import { useLayoutEffect, useRef } from "../lib.js";

const TIME = { duration: 320, easing: "cubic-bezier(.2, .7, .2, 1)" };
const MOST = 12; // more things at once are a change of scene, not a move

/** Whether the reader wants things to move. */
export const moves = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Everything with `data-piece` that moved or appeared since the last moment travels to its place. A new piece comes
 * from the first element that its `data-from` selects, wherever on the page that is.
 * @param {any} box ref of the element that holds the pieces @param {any} moment whose change is worth motion
 */
export function useMotion(box, moment) {
  const before = useRef(/** @type {{moment: any, places: Map<string, Spot>}} */ ({ moment: null, places: new Map() }));
  useLayoutEffect(() => {
    if (!box.current) return;
    const pieces = /** @type {Element[]} */ ([...box.current.querySelectorAll("[data-piece]")]);
    const places = new Map(pieces.map((piece) => [name(piece), spot(piece)]));
    const old = before.current;
    before.current = { moment, places };
    if (!old.places.size || old.moment === moment || !moves()) return;
    const late = pieces.filter((piece) => changed(old.places.get(name(piece)), places.get(name(piece))));
    if (late.length <= MOST) late.forEach((piece) => travel(piece, old.places.get(name(piece))));
  });
}

/** @typedef {{x: number, y: number, width: number}} Spot where something lies on the page */

/** @param {Element} piece */
const name = (piece) => /** @type {any} */ (piece).dataset.piece;

/** @param {Element} piece @returns {Spot} */
function spot(piece) {
  const { x, y, width, height } = piece.getBoundingClientRect();
  return { x: x + width / 2 + scrollX, y: y + height / 2 + scrollY, width };
}

/** @param {Spot | undefined} old @param {Spot | undefined} now */
const changed = (old, now) => !old || !now || Math.hypot(old.x - now.x, old.y - now.y) > 12;

/** @param {Element} piece @param {Spot | undefined} old */
function travel(piece, old) {
  const from = old || source(piece);
  const to = spot(piece);
  // Inside a drawing, lengths are the drawing's own.
  const scale = piece instanceof SVGGraphicsElement ? piece.getScreenCTM()?.a || 1 : 1;
  const [dx, dy] = from ? [(from.x - to.x) / scale, (from.y - to.y) / scale] : [0, -10 / scale];
  const begin = { transform: `translate(${dx}px, ${dy}px)`, opacity: from ? 0.85 : 0 };
  piece.animate([begin, { transform: "none", opacity: 1 }], TIME);
}

/** @param {Element} piece */
function source(piece) {
  const found = piece instanceof HTMLElement || piece instanceof SVGElement ? piece.dataset.from : "";
  const element = found ? document.querySelector(found) : null;
  return element ? spot(element) : null;
}
