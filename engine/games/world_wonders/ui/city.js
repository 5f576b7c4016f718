// A city on its map. Cells where the piece may lie glow; the ghost shows how; tapping again tries the next fit.
import { html, useEffect, useMemo, useRef, useState } from "/static/lib.js";
import { same } from "/static/pick.js";
import { pressable } from "/static/kit/press.js";
import { Zoom } from "/static/kit/zoom.js";
import { PATHS } from "./icons.js";
import { Art } from "./wonders.js";
import { border, covered } from "./shapes.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

const SIZE = 20;
const COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const MARGIN = 9; // for the letters and numbers that the log speaks of

/** @param {number} x @param {number} y */
const cellName = (x, y) => `${COLUMNS[x]}${y + 1}`;

/** The pieces that are marked in a city. @param {Props} props @param {number} owner @returns {[number, number][][]} */
export const fresh = (props, owner) => props.marked
  .filter((fact) => fact.type === "placed" && fact.seat === owner).map((fact) => fact.cells);

/** @param {any} city @param {(mark: string) => boolean} is @returns {[number, number][]} */
const cellsWhere = (city, is) => city.rows.flatMap((/** @type {string} */ row, /** @type {number} */ y) =>
  [...row].flatMap((mark, x) => (is(mark) ? [/** @type {[number, number]} */ ([x, y])] : [])));

/** Cells as one path of squares. @param {number[][]} cells */
const squares = (cells) => cells.map(([x, y]) => `M${x * SIZE} ${y * SIZE}h${SIZE}v${SIZE}h-${SIZE}z`).join("");

/** The land itself: an atlas page with a lake or river, wealth of nature, and a walk along the edge. */
function Land(/** @type {{city: any, width: number, height: number}} */ { city, width, height }) {
  const water = cellsWhere(city, (mark) => mark === "~");
  const lines = Array.from({ length: width / SIZE - 1 }, (_, n) => `M${(n + 1) * SIZE} 0V${height}`).join("")
    + Array.from({ length: height / SIZE - 1 }, (_, n) => `M0 ${(n + 1) * SIZE}H${width}`).join("");
  return html`<rect class="ww-land" x="0" y="0" width=${width} height=${height} rx="2" />
    <rect class="ww-light" x="0" y="0" width=${width} height=${height} fill="url(#lit)" />
    <path class="ww-shore" d=${border(water, SIZE)} /><path class="ww-water" d=${squares(water)} />
    <path class="ww-ripple" d=${water.map(([x, y]) => `M${x * SIZE + 4} ${y * SIZE + 8}q3-3 6 0t6 0`).join("")} />
    <path class="ww-grid" d=${lines} />
    ${cellsWhere(city, (mark) => mark === "*").map(([x, y]) => html`<g class="ww-natural" key=${`${x},${y}`}
      transform=${`translate(${(x + 0.5) * SIZE} ${(y + 0.5) * SIZE})`}><path class="trunk"
        d="M-1 8V3H1V8zM-6 8V5H-5V8z" />
      <path class="leaf" d="M0-8 5 4H-5zM-5.5 0-2.5 6H-8.5z" /><path class="sun" d="M0-8 1.6-4-2.6 4H-5z" /></g>`)}
    <rect class="ww-walk" x="0" y=${height} width=${width} height="7" rx="1.5" />`;
}

/** Letters above, numbers at the left. @param {{width: number, height: number}} props */
const Axes = ({ width, height }) => html`<g class="ww-axes" aria-hidden="true">
  ${Array.from({ length: width / SIZE }, (_, n) => html`<text x=${(n + 0.5) * SIZE} y="-2.5"
    text-anchor="middle">${COLUMNS[n]}</text>`)}
  ${Array.from({ length: height / SIZE }, (_, n) => html`<text x="-2" y=${(n + 0.5) * SIZE + 2.4}
    text-anchor="end">${n + 1}</text>`)}</g>`;

/**
 * @param {{city: any, data: any, lang: string, label: string, owner: number, fresh?: [number, number][][], bare?:
 *   boolean,
 *   children?: any, [more: string]: any}} props
 */
export function Drawing({ city, data, lang, label, owner, fresh = [], bare = false, children, ...more }) {
  const width = city.rows[0].length * SIZE, height = city.rows.length * SIZE, edge = bare ? 1 : MARGIN;
  const box = `${-edge} ${-edge} ${width + edge + 2} ${height + edge + (bare ? 1 : 9)}`;
  return html`<svg class="ww-city" viewBox=${box} role=${children ? "group" : "img"} aria-label=${label} ...${more}>
    <${Land} city=${city} width=${width} height=${height} />${!bare && html`<${Axes} width=${width}
      height=${height} />`}
    ${city.objects.map((/** @type {any} */ one) => html`<${Thing} key=${`${one.object}${one.cells}`} thing=${one}
      data=${data}
      lang=${lang} owner=${owner} />`)}
    ${fresh.map((cells) => html`<path class="ww-fresh" d=${border(cells, SIZE)} />`)}${children}</svg>`;
}

/**
 * A piece with a body: shadow, colour, light, edge, and one sign.
 * @param {{thing: any, data: any, lang: string, owner: number}} props
 */
function Thing({ thing, data, lang, owner }) {
  const { object, cells, kind } = thing;
  const [x, y] = middle(cells);
  const at = `translate(${x} ${y})`;
  const wonder = object === "monument" && data.monuments.find((/** @type {any} */ card) => card.id === thing.card);
  const name = wonder ? wonder.name[lang] : kind ? data.kinds[kind].name[lang] : object;
  const [cx, cy] = centroid(cells);
  return html`<g class=${`ww-${object} k-${kind || object}`} data-piece=${`${owner}:${object}${cells}`}
    data-from=${`[data-seat="${owner}"]`}>
    <title>${name}</title>${object !== "road" && html`<path class="shade" transform="translate(1.6 2.2)"
      d=${squares(cells)} />`}
    <path class="body" d=${squares(cells)} /><path class="gleam" d=${squares(cells)} />
    ${object === "building" && html`<path class="tiles"
      d=${cells.map((/** @type {number[]} */ [a, b]) => `M${a * SIZE} ${b * SIZE + 7}h20m-20 6h20`).join("")} />`}
    <path class="edge" d=${border(cells, SIZE)} />
    ${object === "building" && html`<circle class="seal" cx=${x} cy=${y} r="8" />
      <path class="face" fill-rule="evenodd" transform=${`${at} scale(.78)`} d=${PATHS[kind]} />`}
    ${object === "tower" && html`<g transform=${at}><circle class="keep" r="7.5" /><path class="face"
      transform="scale(.62)"
      d="M-5 8V-4H-6V-8H-3V-6H-1.5V-8H1.5V-6H3V-8H6V-4H5V8z" /></g>`}
    ${wonder && html`<${Art} id=${wonder.id} x=${wonder.mode === "rigid" ? cx : x} y=${wonder.mode === "rigid" ? cy : y}
      scale=${cells.length > 3 && wonder.mode === "rigid" ? 1.25 : 0.85} />`}</g>`;
}

/** @param {number[][]} cells */
const centroid = (cells) => [0, 1].map((axis) => (cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length + 0.5)
  * SIZE);

/** The cell nearest to the middle: there the picture goes. @param {number[][]} cells */
function middle(cells) {
  const cx = cells.reduce((sum, [x]) => sum + x, 0) / cells.length, cy = cells.reduce((sum, [, y]) => sum + y,
    0) / cells.length;
  const [x, y] = [...cells].sort((a, b) => Math.hypot(a[0] - cx, a[1] - cy) - Math.hypot(b[0] - cx, b[1] - cy))[0];
  return [(x + 0.5) * SIZE, (y + 0.5) * SIZE];
}

/** @param {{props: Props, owner: number, piece: string | null, children?: any, [more: string]: any}} given */
export function City({ props, owner, piece, children }) {
  const { view, data, lang, legal, pick, choose, t, names, say, why } = props;
  const [rot, setRot] = useState(0);
  const [over, setOver] = useState("");
  const holder = useRef(/** @type {any} */ (null));
  const fits = useMemo(() => {
    /** @type {Map<string, {action: any, cells: number[][]}[]>} placements by each cell they cover */
    const found = new Map();
    for (const action of legal) {
      if (action.type !== "place" || action.piece !== piece) continue;
      const fit = { action, cells: covered(view, data, action) };
      for (const [x, y] of fit.cells) found.set(`${x},${y}`, [...(found.get(`${x},${y}`) || []), fit]);
    }
    return found;
  }, [legal, piece]);
  const chosen = pick.x === undefined ? null : pick;

  /**
   * The placements at a cell: the wanted rotation first, then those that begin in it.
   * @param {string} at
   * @param {number} wanted
   */
  const ranked = (at, wanted) => [...(fits.get(at) || [])].sort((a, b) => Number(b.action.rot === wanted)
    - Number(a.action.rot === wanted) || Number(`${b.cells[0]}` === at) - Number(`${a.cells[0]}` === at));
  /** @param {string} at */
  const put = (at) => {
    const list = ranked(at, rot);
    const now = list.findIndex((fit) => chosen && same(fit.action, chosen));
    const next = list[(now + 1) % list.length].action;
    setRot(next.rot);
    choose(next);
  };
  /** @param {number} step */
  const rotate = (step) => {
    const at = chosen ? [...fits].find(([, list]) => list.some((fit) => same(fit.action, chosen)))?.[0] || "" : over;
    const possible = [...new Set((at ? fits.get(at) || [] : [...fits.values()].flat()).map((fit) =>
      fit.action.rot))].sort();
    const next = possible.length ? possible[(possible.indexOf(rot) + step + possible.length) % possible.length] : rot;
    if (at && possible.length < 2) say(t("why.one_way"));
    setRot(next);
    if (chosen && at) choose(ranked(at, next)[0].action);
  };
  useEffect(() => {
    if (!fits.size) return;
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if ((event.key === "r" || event.key === "R") && !(event.target instanceof HTMLInputElement)) rotate(event.shiftKey
        ? -1 : 1);
    };
    const wheel = (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      rotate(event.deltaY > 0 ? 1 : -1);
    };
    const drawing = holder.current?.querySelector("svg");
    window.addEventListener("keydown", keys);
    drawing?.addEventListener("wheel", wheel, { passive: false });
    return () => {
      window.removeEventListener("keydown", keys);
      drawing?.removeEventListener("wheel", wheel);
    };
  });
  /** A cell that does not glow: the rules say why the piece cannot begin there. @param {MouseEvent} event */
  const refused = (event) => {
    if (!piece || /** @type {Element} */ (event.target).closest(".can")) return;
    const drawing = holder.current.querySelector("svg");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    why({ type: "place", piece, x: Math.floor(point.x / SIZE), y: Math.floor(point.y / SIZE), rot });
  };
  const ghost = chosen ? covered(view, data, chosen) : over && fits.has(over) ? ranked(over, rot)[0].cells : null;
  const city = view.cities[owner];
  const tools = html`<button class="tool" disabled=${!fits.size} onClick=${() => rotate(-1)}
    aria-label=${t("ww.left")}>↺</button>
    <button class="tool" disabled=${!fits.size} onClick=${() => rotate(1)}>↻ ${t("ww.rotate")}</button>
    ${children || html`<span class="soft hint">${fits.size > 0 && t("ww.keys")}</span>`}`;
  return html`<div ref=${holder}><${Zoom} tools=${tools} unit=${SIZE / (city.rows[0].length * SIZE + 11)}
    held=${fits.size > 0}
      focus=${focusOf([...fits.keys()], city)}>
    <${Drawing} city=${city} data=${data} lang=${lang} owner=${owner} label=${t("ww.city", { name: names[owner] })}
      fresh=${fresh(props, owner)} onClick=${refused}>
      ${view.purchase?.cells && view.purchase.cells.length > 0 && view.active === owner && html`<path class="ww-part"
        d=${border(view.purchase.cells, SIZE)} />`}
      ${[...fits.keys()].map((at) => html`<${Spot} key=${at} at=${at} put=${() => put(at)} look=${setOver} />`)}
      ${ghost && html`<g class="ww-ghost"><path class="body" d=${squares(ghost)} /><path
        d=${border(/** @type {any} */ (ghost), SIZE)} /></g>`}
    <//><//></div>`;
}

/** The middle of the cells that can be chosen, as shares of the map. @param {string[]} keys @param {any} city */
function focusOf(keys, city) {
  if (!keys.length) return null;
  const [x, y] = centroid(keys.map((at) => at.split(",").map(Number)));
  return [x / (city.rows[0].length * SIZE), y / (city.rows.length * SIZE)];
}

/** A cell that can be chosen: a dot, until somebody points at it. */
function Spot(/** @type {{at: string, put: () => void, look: (at: string) => void}} */ { at, put, look }) {
  const [x, y] = at.split(",").map(Number);
  const watch = { onPointerEnter: () => look(at), onPointerLeave: () => look(""), onFocus: () => look(at), onBlur: () =>
    look("") };
  return html`<g class="ww-can can" data-cell=${cellName(x, y)} ...${watch} ...${pressable(cellName(x, y), put)}>
    <rect x=${x * SIZE} y=${y * SIZE} width=${SIZE} height=${SIZE} rx="3" />
    <circle cx=${(x + 0.5) * SIZE} cy=${(y + 0.5) * SIZE} r="3" /></g>`;
}
