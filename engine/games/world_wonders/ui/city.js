// A city on its map. Cells where the piece may lie glow; the ghost shows how; tapping again tries the next fit.
import { html, useEffect, useMemo, useRef, useState } from "/static/lib.js";
import { same } from "/static/pick.js";
import { pressable } from "/static/kit/press.js";
import { PATHS } from "./icons.js";
import { border, covered } from "./shapes.js";

/** @typedef {import("/static/parts/boards.js").BoardProps} Props */

const SIZE = 20;
const COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** @param {number} x @param {number} y */
const cellName = (x, y) => `${COLUMNS[x]}${y + 1}`;

/** The pieces that were placed in a city since I acted. @param {Props} props @param {number} owner @returns {[number, number][][]} */
export const fresh = (props, owner) => props.recent.flatMap((event) => (event.seat === props.seat ? [] : event.facts || [])).filter((fact) => fact.type === "placed" && fact.seat === owner).map((fact) => fact.cells);

/** @param {{city: any, data: any, lang: string, label: string, fresh?: [number, number][][], children?: any, [more: string]: any}} props */
export function Drawing({ city, data, lang, label, fresh = [], children, ...more }) {
  const width = city.rows[0].length * SIZE, height = city.rows.length * SIZE;
  return html`<svg class="ww-city" viewBox=${`-1 -1 ${width + 2} ${height + 9}`} role=${children ? "group" : "img"} aria-label=${label} ...${more}>
    ${city.rows.flatMap((/** @type {string} */ row, /** @type {number} */ y) => [...row].map((mark, x) => html`<g key=${`${x},${y}`}><rect class=${`ww-cell ${mark === "~" ? "water" : "land"}`} x=${x * SIZE} y=${y * SIZE} width=${SIZE} height=${SIZE} />
      ${mark === "*" && html`<path class="ww-natural" transform=${`translate(${(x + 0.5) * SIZE} ${(y + 0.5) * SIZE}) scale(.8)`} d=${PATHS.natural} />`}</g>`))}
    <rect class="ww-walk" x="0" y=${height} width=${width} height="7" />
    ${city.objects.map((/** @type {any} */ one, /** @type {number} */ n) => html`<${Thing} key=${n} thing=${one} data=${data} lang=${lang} />`)}
    ${fresh.map((cells) => html`<path class="ww-fresh" d=${border(cells, SIZE)} />`)}${children}</svg>`;
}

/** @param {{thing: any, data: any, lang: string}} props */
function Thing({ thing, data, lang }) {
  const { object, cells, kind } = thing;
  const [x, y] = middle(cells);
  const at = `translate(${x} ${y})`;
  const name = object === "monument" ? data.monuments.find((/** @type {any} */ card) => card.id === thing.card)?.name[lang] : kind ? data.kinds[kind].name[lang] : object;
  return html`<g class=${`ww-${object} k-${kind || object}`}><title>${name}</title>
    ${cells.map((/** @type {number[]} */ [cx, cy]) => html`<rect x=${cx * SIZE} y=${cy * SIZE} width=${SIZE} height=${SIZE} />`)}<path class="edge" d=${border(cells, SIZE)} />
    ${object === "building" && html`<path class="face" fill-rule="evenodd" transform=${at} d=${PATHS[kind]} />`}
    ${object === "tower" && html`<path class="face" transform=${at} d="M-5 8V-4H-6V-8H-3V-6H-1.5V-8H1.5V-6H3V-8H6V-4H5V8z" />`}
    ${object === "monument" && html`<path class="face" transform=${at} d="M0-8 2-2.6 8-2.2 3.4 1.5 5 7.5 0 4-5 7.5-3.4 1.5-8-2.2-2-2.6z" />`}</g>`;
}

/** The cell nearest to the middle: there the picture goes. @param {number[][]} cells */
function middle(cells) {
  const cx = cells.reduce((sum, [x]) => sum + x, 0) / cells.length, cy = cells.reduce((sum, [, y]) => sum + y, 0) / cells.length;
  const [x, y] = [...cells].sort((a, b) => Math.hypot(a[0] - cx, a[1] - cy) - Math.hypot(b[0] - cx, b[1] - cy))[0];
  return [(x + 0.5) * SIZE, (y + 0.5) * SIZE];
}

/** @param {{props: Props, owner: number, piece: string | null}} given */
export function City({ props, owner, piece }) {
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

  /** The placements at a cell: the wanted rotation first, then those that begin in it. @param {string} at @param {number} wanted */
  const ranked = (at, wanted) => [...(fits.get(at) || [])].sort((a, b) => Number(b.action.rot === wanted) - Number(a.action.rot === wanted) || Number(`${b.cells[0]}` === at) - Number(`${a.cells[0]}` === at));
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
    const possible = [...new Set((at ? fits.get(at) || [] : [...fits.values()].flat()).map((fit) => fit.action.rot))].sort();
    const next = possible.length ? possible[(possible.indexOf(rot) + step + possible.length) % possible.length] : rot;
    if (at && possible.length < 2) say(t("why.one_way"));
    setRot(next);
    if (chosen && at) choose(ranked(at, next)[0].action);
  };
  useEffect(() => {
    if (!fits.size) return;
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if ((event.key === "r" || event.key === "R") && !(event.target instanceof HTMLInputElement)) rotate(event.shiftKey ? -1 : 1);
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
  return html`<div ref=${holder}>
    ${fits.size > 0 && html`<p class="row ww-turn"><button onClick=${() => rotate(-1)} aria-label=${t("ww.left")}>↺</button><button onClick=${() => rotate(1)}>↻ ${t("ww.rotate")}</button><span class="soft hint">${t("ww.keys")}</span></p>`}
    <${Drawing} city=${view.cities[owner]} data=${data} lang=${lang} label=${t("ww.city", { name: names[owner] })} onClick=${refused}>
      ${view.purchase?.cells?.length > 0 && view.active === owner && html`<path class="ww-part" d=${border(view.purchase.cells, SIZE)} />`}
      ${[...fits.keys()].map((at) => {
        const [x, y] = at.split(",").map(Number);
        return html`<rect key=${at} class="ww-can can" data-cell=${cellName(x, y)} x=${x * SIZE + 2} y=${y * SIZE + 2} width=${SIZE - 4} height=${SIZE - 4} rx="3" onPointerEnter=${() => setOver(at)} onPointerLeave=${() => setOver("")}
          onFocus=${() => setOver(at)} onBlur=${() => setOver("")} ...${pressable(cellName(x, y), () => put(at))} />`;
      })}
      ${ghost && html`<g class="ww-ghost">${ghost.map(([x, y]) => html`<rect x=${x * SIZE} y=${y * SIZE} width=${SIZE} height=${SIZE} />`)}<path d=${border(/** @type {any} */ (ghost), SIZE)} /></g>`}
    <//></div>`;
}
