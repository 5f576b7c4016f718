// A city from above. Where the chosen tile may lie glows; a ghost shows how it would.
import { html, useEffect, useRef, useState } from "/static/lib.js";
import { centre, frame, nearest, outline, viewBox } from "/static/kit/hex.js";
import { pressable } from "/static/kit/press.js";
import { Zoom } from "/static/kit/zoom.js";
import { Hex, RISE, SIZE, spaces } from "./hexes.js";

const LOOSE = 6; // a young city is not blown up to fill the screen

/** @typedef {import("/static/parts/boards.js").BoardProps} Props */

/** The tiles that were built in a city since I acted, as spaces. @param {Props} props @param {number} owner */
const fresh = (props, owner) => props.recent.flatMap((event) => (event.seat === props.seat ? [] : event.facts || []))
  .filter((fact) => fact.type === "built" && fact.seat === owner).flatMap((fact) => spaces(props.data, fact.q, fact.r, fact.rotation));

/** @param {{cells: any[], data: any, around?: [number, number][], marks?: [number, number][], children?: any, label: string, [more: string]: any}} props */
function Drawing({ cells, data, around = [], marks = [], children, label, ...more }) {
  const [dq, dr] = [LOOSE / 2, LOOSE / 4];
  /** @type {[number, number][]} */
  const loose = [[-dq, dr], [dq, -dr]];
  const box = frame([...cells.map((cell) => /** @type {[number, number]} */ ([cell.q, cell.r])), ...around, ...loose], SIZE, 0.4);
  const order = [...cells].sort((a, b) => centre(a.q, a.r, 1)[1] - centre(b.q, b.r, 1)[1] || a.level - b.level);
  return html`<svg class="ak-city" viewBox=${viewBox(box)} role=${children ? "group" : "img"} aria-label=${label} ...${more}>
    ${order.map((cell) => html`<${Hex} key=${`${cell.q},${cell.r}`} q=${cell.q} r=${cell.r} kind=${cell.hex} level=${cell.level} data=${data} />`)}
    ${marks.map(([q, r]) => html`<${Fresh} key=${`${q},${r}`} q=${q} r=${r} level=${levelAt(cells, `${q},${r}`)} />`)}${children}</svg>`;
}

/** Another's city, only to look at. @param {{props: Props, owner: number}} given */
export const Elsewhere = ({ props, owner }) =>
  html`<${Drawing} cells=${props.view.players[owner].cells} data=${props.data} marks=${fresh(props, owner)} label=${props.t("ak.city", { name: props.names[owner] })} />`;

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
  const tile = pick.slot === undefined ? null : view.site.find((/** @type {any} */ offer) => offer.price === pick.slot);
  const left = tile ? legal.filter((action) => action.slot === pick.slot) : [];
  /** @type {Map<string, number[]>} the rotations that fit, by space */
  const fits = new Map();
  for (const { q, r, rotation } of left) fits.set(`${q},${r}`, [...(fits.get(`${q},${r}`) || []), rotation]);
  const chosen = pick.q === undefined ? "" : `${pick.q},${pick.r}`;

  /** The wanted rotation, or the next one that fits there. @param {string} at @param {number} wanted @param {number} [step] */
  const fitting = (at, wanted, step = 1) => {
    const possible = fits.get(at) || [];
    for (let n = 0; n < 6; n++) if (possible.includes((((wanted + n * step) % 6) + 6) % 6)) return (((wanted + n * step) % 6) + 6) % 6;
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
  return html`<div ref=${svg}>
    ${tile && html`<div class="row ak-turn"><button onClick=${() => rotate(-1)} aria-label=${t("ak.left")}>↺</button><button onClick=${() => rotate(1)}>↻ ${t("ak.rotate")}</button><span class="soft hint">${t("ak.keys")}</span></div>`}
    <${Zoom}><${Drawing} cells=${cells} data=${data} around=${around} label=${t("ak.city", { name: names[owner] })} onClick=${refused}>
      ${[...fits.keys()].map((at) => html`<${Space} key=${at} at=${at} put=${() => put(at)} enter=${() => setOver(at)} leave=${() => setOver("")} on=${at === chosen} level=${levelAt(cells, at)} t=${t} />`)}
      ${tile && ghost && html`<${Ghost} at=${ghost} rotation=${chosen ? pick.rotation : fitting(ghost, turn)} tile=${tile} data=${data} cells=${cells} />`}
    <//><//></div>`;
}

/** @param {any[]} cells @param {string} at */
const levelAt = (cells, at) => cells.find((cell) => `${cell.q},${cell.r}` === at)?.level || 0;

/** @param {any} props */
function Space({ at, put, enter, leave, on, level, t }) {
  const [q, r] = at.split(",").map(Number);
  const [x, y] = centre(q, r, SIZE);
  return html`<g class=${`ak-space can ${on ? "on" : ""}`} onPointerEnter=${enter} onPointerLeave=${leave} onFocus=${enter} onBlur=${leave}
    ...${pressable(t("ak.space", { q, r, level: level + 1 }), put)}>
    <polygon points=${outline(x, y - Math.max(0, level - 1) * 5, SIZE * 0.62)} /></g>`;
}

/** @param {any} props */
function Ghost({ at, rotation, tile, data, cells }) {
  const [q, r] = at.split(",").map(Number);
  const where = spaces(data, q, r, rotation);
  const level = levelAt(cells, at) + 1;
  return html`<g class="ak-ghost">${where.map(([x, y], n) => html`<${Hex} q=${x} r=${y} kind=${tile.hexes[n]} level=${level} data=${data} ghost=${true} />`)}</g>`;
}

/** A tile by itself. @param {{hexes: string[], data: any}} props */
export function Tile({ hexes, data }) {
  const where = spaces(data, 0, 0, 1);
  const box = frame(where, SIZE, 0.15);
  return html`<svg viewBox=${viewBox(box)} aria-hidden="true">${where.map(([q, r], n) => html`<${Hex} q=${q} r=${r} kind=${hexes[n]} level=${1} data=${data} />`)}</svg>`;
}

