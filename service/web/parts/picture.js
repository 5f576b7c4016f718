// A moment of a guide, drawn by the game's own board: only to look at, and cut down to what the words speak of.
import { html, useErrorBoundary, useLayoutEffect, useRef } from "../lib.js";
import { lang, t } from "../i18n.js";
import { Light } from "../kit/light.js";
import { boardWords } from "./boards.js";

const MARGIN = 0.45; // around what a drawing is cut out for, as a share of it
const LEAST = 0.55; // a cutting is never narrower than this, compared with its height

const nothing = () => {};

/** Leaves only what is shown, and what it lies in. @param {Element} box @param {string} show */
function crop(box, show) {
  const shown = show ? [...box.querySelectorAll(show)] : [];
  if (!shown.length) return;
  for (const one of box.querySelectorAll("*")) {
    const part = shown.some((kept) => kept === one || kept.contains(one) || one.contains(kept));
    if (!part && !one.closest("defs") && !one.querySelector("defs")) one.classList.add("cut");
  }
}

/** Cuts a drawing out around some of its parts. @param {Element} box @param {string} near */
function cutOut(box, near) {
  const parts = near ? /** @type {SVGGraphicsElement[]} */ ([...box.querySelectorAll(near)]) : [];
  const drawing = parts[0]?.ownerSVGElement;
  const toDrawing = drawing?.getScreenCTM()?.inverse();
  if (!drawing || !toDrawing) return;
  const points = parts.flatMap((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return [[left, top], [right, bottom]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(toDrawing));
  });
  const [x, y] = [Math.min(...points.map((one) => one.x)), Math.min(...points.map((one) => one.y))];
  const [width, height] = [Math.max(...points.map((one) => one.x)) - x, Math.max(...points.map((one) => one.y)) - y];
  const around = Math.max(width, height) * MARGIN;
  const wide = Math.max(width + 2 * around, (height + 2 * around) / LEAST);
  drawing.setAttribute("viewBox", `${x + width / 2 - wide / 2} ${y - around} ${wide} ${height + 2 * around}`);
}

/** @param {{game: string, board: any, step: any}} given */
export function Picture({ game, board, step }) {
  const box = useRef(/** @type {any} */ (null));
  const [broken] = useErrorBoundary((error) => console.error(error));
  useLayoutEffect(() => {
    if (broken) return;
    crop(box.current, step.show);
    cutOut(box.current, step.near);
  }, [broken]);
  if (broken) return null;
  const { module, data, words } = board;
  const recent = [{ seat: step.actor, facts: step.facts }];
  const props = { view: step.view, legal: step.legal, labels: step.legal.map(() => ""), seat: step.seat,
    names: [t("guide.you"), t("guide.other")],
    lang: lang(), data, pick: step.pick, past: !step.legal.length, recent, events: recent, marked: step.facts,
      result: null, module,
    t: boardWords(words), choose: nothing, act: nothing, say: nothing, why: nothing };
  return html`<div class=${`picture board board-${game} look-${game}`} ref=${box} inert aria-hidden="true">
    <${Light} /><${module.Board} ...${props} /></div>`;
}
