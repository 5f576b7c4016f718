// A board that may be larger than the screen: it scrolls in its own frame, never the page. The keys lie outside of
// the drawing; two fingers do the same; where a thumb must hit something small, it grows by itself.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib.js";
import { t } from "../i18n.js";

const MOST = 4;
const STEP = 1.5;
const THUMB = 40; // px that a target needs

/**
 * `unit`: the size of a target relative to the width of the drawing; `held`: whether such targets are shown;
 * `focus`: where they are, as shares of width and height.
 * @param {{children?: any, tools?: any, unit?: number, held?: boolean, focus?: number[] | null, [more: string]: any}}
 *   props
 */
export function Zoom({ children, tools, unit = 0, held = false, focus = null }) {
  const [scale, setScale] = useState(1);
  const box = useRef(/** @type {any} */ (null));
  const middle = useRef(/** @type {number[] | null} */ (null));
  /** Grows around a point of the frame, so that what is under it stays. @param {number} next @param {number[]} [at] */
  const grow = (next, at) => {
    const frame = box.current;
    const [x, y] = at || [frame.clientWidth / 2, frame.clientHeight / 2];
    middle.current = [(frame.scrollLeft + x) / frame.scrollWidth, (frame.scrollTop + y) / frame.scrollHeight, x, y];
    setScale(Math.min(MOST, Math.max(1, next)));
  };
  useLayoutEffect(() => {
    if (!middle.current) return;
    const [share, down, x, y] = middle.current;
    box.current.scrollTo(share * box.current.scrollWidth - x, down * box.current.scrollHeight - y);
    middle.current = null;
  }, [scale]);
  useEffect(() => {
    const frame = box.current;
    if (!held || !unit || !matchMedia("(pointer: coarse)").matches) return;
    const drawing = frame.querySelector("svg")?.getBoundingClientRect();
    const need = drawing ? THUMB / ((drawing.width / scale) * unit) : 1;
    if (need <= scale * 1.02) return;
    const [share, down] = focus || [0.5, 0.5];
    middle.current = [share, down, frame.clientWidth / 2, frame.clientHeight / 2];
    setScale(Math.min(MOST, need));
  }, [held]);
  usePinch(box, scale, grow);
  const lit = scale > 1;
  return html`<div class=${`zoom ${lit ? "zoomed" : ""}`}>
    <div class="tools"><div class="row">${tools}</div>
      <div class="row zoom-keys">
        <button class="tool" disabled=${!lit} onClick=${() => grow(scale / STEP)} aria-label=${t("zoom.out")}>−</button>
        <button class="tool" disabled=${scale >= MOST} onClick=${() => grow(scale * STEP)}
          aria-label=${t("zoom.in")}>+</button></div></div>
    <div class="zoom-box" ref=${box} tabindex=${lit ? 0 : null}>
      <div class="zoom-sheet" style=${{ width: `${scale * 100}%` }}>${children}</div></div>
  </div>`;
}

/** Two fingers. @param {any} box @param {number} scale @param {(next: number, at?: number[]) => void} grow */
function usePinch(box, scale, grow) {
  const now = useRef({ scale, grow });
  now.current = { scale, grow };
  useEffect(() => {
    const frame = box.current;
    let start = 0, base = 1;
    /** @param {TouchEvent} event */
    const apart = ({ touches: [a, b] }) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    /** @param {TouchEvent} event */
    const begin = (event) => {
      if (event.touches.length === 2) [start, base] = [apart(event), now.current.scale];
    };
    /** @param {TouchEvent} event */
    const move = (event) => {
      if (event.touches.length !== 2 || !start) return;
      event.preventDefault();
      const { left, top } = frame.getBoundingClientRect();
      const [a, b] = event.touches;
      now.current.grow((base * apart(event)) / start, [(a.clientX + b.clientX) / 2 - left, (a.clientY + b.clientY) / 2
        - top]);
    };
    frame.addEventListener("touchstart", begin, { passive: true });
    frame.addEventListener("touchmove", move, { passive: false });
    return () => {
      frame.removeEventListener("touchstart", begin);
      frame.removeEventListener("touchmove", move);
    };
  }, []);
}
