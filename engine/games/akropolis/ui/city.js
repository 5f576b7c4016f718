// A city from above. Where the chosen tile may lie glows; a ghost shows how it would.
import { html, useEffect, useRef, useState } from "/static/lib.js";
import { centre, frame, nearest, outline, viewBox } from "/static/kit/hex.js";
import { pressable } from "/static/kit/press.js";
import { Zoom } from "/static/kit/zoom.js";
import { Hex, Island, RISE, SIZE, spaces } from "./hexes.js";

const LOOSE = 6; // a young city is not blown up to fill the screen

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

/** The tiles that are marked in a city, as spaces. @param {Props} props @param {number} owner */
const fresh = (props, owner) => props.marked.filter((fact) => fact.type === "built" && fact.seat === owner)
  .flatMap((fact) => spaces(props.data, fact.q, fact.r, fact.rotation));

/** @param {{q: number, r: number}[]} cells @returns {[number, number][]} */
const axial = (cells) => cells.map((cell) => [cell.q, cell.r]);

/** The lower first, and within a level from behind to the front. @param {any[]} cells */
const painted = (cells) => [...cells].sort((a, b) => a.level - b.level || centre(a.q, a.r, 1)[1] - centre(b.q, b.r,
  1)[1]);

/** How wide the frame around a city is, in its own units. @param {any[]} cells @param {[number, number][]} around */
function framed(cells, around) {
  const [dq, dr] = [LOOSE / 2, LOOSE / 4];
  /** @type {[number, number][]} */
  const loose = [[-dq, dr], [dq, -dr]];
  return frame([...axial(cells), ...around, ...loose], SIZE, 0.55);
}

/**
 * @param {{cells: any[], data: any, owner: number, around?: [number, number][], marks?: [number, number][], children?:
 *   any,
 *   label: string, [more: string]: any}} props
 */
function Drawing({ cells, data, owner, around = [], marks = [], children, label, ...more }) {
  return html`<svg class="ak-city" viewBox=${viewBox(framed(cells, around))} role=${children ? "group" : "img"}
    aria-label=${label} ...${more}>
    <${Island} cells=${cells} />
    ${painted(cells).map((cell) => html`<${Hex} key=${`${cell.q},${cell.r}`} q=${cell.q} r=${cell.r} kind=${cell.hex}
      level=${cell.level}
      data=${data} piece=${`${owner}:${cell.q},${cell.r}:${cell.level}`} from=${`[data-seat="${owner}"]`} />`)}
    ${marks.map(([q, r]) => html`<${Fresh} key=${`${q},${r}`} q=${q} r=${r}
      level=${levelAt(cells, `${q},${r}`)} />`)}${children}</svg>`;
}

/** Another's city, only to look at. @param {{props: Props, owner: number}} given */
export const Elsewhere = ({ props, owner }) => html`<${Drawing} cells=${props.view.players[owner].cells}
  data=${props.data} owner=${owner}
  marks=${fresh(props, owner)} label=${props.t("ak.city", { name: props.names[owner] })} />`;

/** @param {{q: number, r: number, level: number}} props */
function Fresh({ q, r, level }) {
  const [x, y] = centre(q, r, SIZE);
  return html`<polygon class="ak-fresh" points=${outline(x, y - Math.max(0, level - 1) * RISE, SIZE * 0.9)} />`;
}

/** @param {{props: Props, owner: number}} given */
export function City({ props, owner }) {
  const { view, legal, pick, choose, data, t, names, say, why } = props;
  const [turn, setTurn] = useState(0);
  const [over, setOver] = useState("");
  const svg = useRef(/** @type {any} */ (null));
  const cells = view.players[owner].cells;
  const tile = pick.slot === undefined ? null : view.site.find((offer) => offer.price === pick.slot);
  const left = tile ? legal.filter((action) => action.slot === pick.slot) : [];
  /** @type {Map<string, number[]>} the rotations that fit, by space */
  const fits = new Map();
  for (const { q, r, rotation } of left) fits.set(`${q},${r}`, [...(fits.get(`${q},${r}`) || []), rotation]);
  const chosen = pick.q === undefined ? "" : `${pick.q},${pick.r}`;

  /**
   * The wanted rotation, or the next one that fits there.
   * @param {string} at
   * @param {number} wanted
   * @param {number} [step]
   */
  const fitting = (at, wanted, step = 1) => {
    const possible = fits.get(at) || [];
    for (let n = 0; n < 6; n++) if (possible.includes((((wanted + n * step) % 6) + 6) % 6)) return (((wanted + n
      * step) % 6) + 6) % 6;
    return wanted;
  };
  /** @param {string} at */
  const put = (at) => {
    const [q, r] = at.split(",").map(Number);
    const rotation = fitting(at, turn);
    setTurn(rotation);
    choose({ type: "build", slot: pick.slot, q, r, rotation });
  };
  /** @param {number} step */
  const rotate = (step) => {
    const at = chosen || over;
    const next = at ? fitting(at, turn + step, step) : (turn + step + 6) % 6;
    if (at && next === turn) say(t("why.one_way"));
    setTurn(next);
    if (chosen) choose({ ...pick, rotation: next });
  };
  useEffect(() => {
    if (!tile) return;
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "r" && event.key !== "R") return;
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      rotate(event.shiftKey ? -1 : 1);
    };
    // The wheel turns the tile only over the city, and only then the page stands still.
    const wheel = (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      rotate(event.deltaY > 0 ? 1 : -1);
    };
    const drawing = svg.current?.querySelector("svg");
    window.addEventListener("keydown", keys);
    drawing?.addEventListener("wheel", wheel, { passive: false });
    return () => {
      window.removeEventListener("keydown", keys);
      drawing?.removeEventListener("wheel", wheel);
    };
  });
  /** A place that does not glow: the rules say why. @param {MouseEvent} event */
  const refused = (event) => {
    const drawing = svg.current.querySelector("svg");
    if (!tile || /** @type {Element} */ (event.target).closest(".can")) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const [q, r] = nearest(point.x, point.y, SIZE);
    why({ type: "build", slot: pick.slot, q, r, rotation: turn });
  };
  const ghost = chosen || over;
  const around = legal.map((action) => /** @type {[number, number]} */ ([action.q, action.r]));
  const box = framed(cells, around);
  const tools = html`<button class="tool" disabled=${!tile} onClick=${() => rotate(-1)}
    aria-label=${t("ak.left")}>↺</button>
    <button class="tool" disabled=${!tile} onClick=${() => rotate(1)}>↻ ${t("ak.rotate")}</button>
    <span class="soft hint">${tile && t("ak.keys")}</span>`;
  return html`<div ref=${svg}><${Zoom} tools=${tools} unit=${(SIZE * 1.7) / box.width} held=${Boolean(tile)}
    focus=${focusOf([...fits.keys()], box)}>
    <${Drawing} cells=${cells} data=${data} owner=${owner} around=${around} marks=${fresh(props, owner)}
      label=${t("ak.city", { name: names[owner] })} onClick=${refused}>
      ${[...fits.keys()].map((at) => html`<${Space} key=${at} at=${at} put=${() => put(at)} enter=${() => setOver(at)}
        leave=${() => setOver("")}
        on=${at === chosen} level=${levelAt(cells, at)} t=${t} />`)}
      ${tile && ghost && html`<${Ghost} at=${ghost} rotation=${chosen ? pick.rotation : fitting(ghost, turn)}
        tile=${tile} data=${data} cells=${cells} />`}
    <//><//></div>`;
}

/** The middle of the spaces that can be chosen, as shares of the frame. @param {string[]} keys @param {any} box */
function focusOf(keys, box) {
  if (!keys.length) return null;
  const points = keys.map((at) => centre(...(/** @type {[number, number]} */ (at.split(",").map(Number))), SIZE));
  const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  return [(x - box.x) / box.width, (y - box.y) / box.height];
}

/** @param {any[]} cells @param {string} at */
const levelAt = (cells, at) => cells.find((cell) => `${cell.q},${cell.r}` === at)?.level || 0;

/** @param {any} props */
function Space({ at, put, enter, leave, on, level, t }) {
  const [q, r] = at.split(",").map(Number);
  const [x, y] = centre(q, r, SIZE);
  return html`<g class=${`ak-space can ${on ? "on" : ""}`} onPointerEnter=${enter} onPointerLeave=${leave}
    onFocus=${enter} onBlur=${leave}
    ...${pressable(t("ak.space", { q, r, level: level + 1 }), put)}>
    <polygon points=${outline(x, y - Math.max(0, level - 1) * RISE, SIZE * 0.94)} />
    <circle cx=${x} cy=${y - Math.max(0, level - 1) * RISE} r="4" /></g>`;
}

/** @param {any} props */
function Ghost({ at, rotation, tile, data, cells }) {
  const [q, r] = at.split(",").map(Number);
  const where = spaces(data, q, r, rotation);
  const level = levelAt(cells, at) + 1;
  return html`<g class="ak-ghost">${where.map(([x, y], n) => html`<${Hex} q=${x} r=${y} kind=${tile.hexes[n]}
    level=${level} data=${data} ghost=${true} />`)}</g>`;
}

/** A tile by itself. @param {{hexes: string[], data: any}} props */
export function Tile({ hexes, data }) {
  const where = spaces(data, 0, 0, 1);
  const box = frame(where, SIZE, 0.22);
  return html`<svg viewBox=${viewBox(box)} aria-hidden="true">${where.map(([q, r], n) => html`<${Hex} q=${q} r=${r}
    kind=${hexes[n]} level=${1} data=${data} />`)}</svg>`;
}

