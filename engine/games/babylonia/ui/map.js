// The map between the rivers: tiles, ziggurats, tokens; chains light up, points rise where they arise.
import { html, useEffect, useRef, useState } from "/static/lib.js";
import { same } from "/static/pick.js";
import { centre, frame, outline, viewBox } from "/static/kit/hex.js";
import { pressable } from "/static/kit/press.js";
import { Zoom } from "/static/kit/zoom.js";
import { LocationTile, Token, Ziggurat } from "./pieces.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

const SIZE = 15;
const AROUND = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]];
const KINDS = ["priest", "servant", "merchant", "farmer"];

/** @param {number[]} hex */
const key = ([q, r]) => `${q},${r}`;

/**
 * Every token on the map, by hex.
 * @param {View} view
 * @returns {Map<string, {seat: number, kind: string | null, down: boolean, hex: number[]}>}
 */
export function tokens(view) {
  const found = new Map();
  view.players.forEach((player, /** @type {number} */ seat) => {
    const up = /** @type {Record<string, number[][]>} */ (/** @type {unknown} */ (player.face_up));
    for (const kind of KINDS) for (const hex of up[kind]) found.set(key(hex), { seat, kind, down: false, hex });
    player.face_down.forEach((/** @type {number[]} */ hex, /** @type {number} */ n) => found.set(key(hex), { seat,
      kind: player.face_down_kinds?.[n] || null, down: true, hex }));
  });
  return found;
}

/** The tokens that hang together with this one. @param {ReturnType<typeof tokens>} all @param {string} from */
function chain(all, from) {
  const start = all.get(from);
  const found = new Set(start ? [from] : []);
  const open = start ? [start.hex] : [];
  for (let hex = open.pop(); hex; hex = open.pop()) {
    for (const [dq, dr] of AROUND) {
      const next = all.get(key([hex[0] + dq, hex[1] + dr]));
      if (!next || next.seat !== start?.seat || found.has(key(next.hex))) continue;
      found.add(key(next.hex));
      open.push(next.hex);
    }
  }
  return found;
}

/** Points that somebody has just gained, at the hex where they arose. @param {View} view */
function useGains(view) {
  const before = useRef(/** @type {View | null} */ (null));
  const [gains, set] = useState(/** @type {{seat: number, n: number, hex: number[], id: string}[]} */ ([]));
  useEffect(() => {
    const old = before.current;
    before.current = view;
    if (!old || old === view) return;
    const left = new Set(view.tiles.map((tile) => key(tile.hex)));
    const gone = old.tiles.find((/** @type {any} */ tile) => !left.has(key(tile.hex)));
    const hex = gone?.hex || view.placed.at(-1)?.hex || [...tokens(view).entries()].find(([at]) => !tokens(old)
      .has(at))?.[1].hex;
    if (!hex) return;
    set(view.players.flatMap((/** @type {any} */ player, /** @type {number} */ seat) =>
      (player.score > old.players[seat].score
      ? [{ seat, n: player.score - old.players[seat].score, hex, id: `${view.turn_number}:${seat}:${player.score}` }]
        : [])));
  }, [view]);
  return gains;
}

/** @param {{props: Props, children?: any, [more: string]: any}} given */
export function WorldMap({ props, children }) {
  const { view, data, legal, pick, choose, say, why, t, past } = props;
  const [over, setOver] = useState("");
  const gains = useGains(view);
  const regions = data.player_counts[view.players.length].regions_in_play;
  const cells = data.map.cells.filter((/** @type {any} */ cell) => regions.includes(cell.region));
  const all = tokens(view);
  // What is pointed at, else what is about to be placed, else what was placed last.
  const looked = over && all.has(over) ? over : pick.hex && pick.token ? key(pick.hex) : view.placed.length
    ? key(view.placed[view.placed.length - 1].hex) : "";
  const planned = new Map(all);
  if (pick.hex && pick.token && !all.has(key(pick.hex))) planned.set(key(pick.hex), { seat: props.seat ?? 0,
    kind: pick.token, down: false, hex: pick.hex });
  const lit = chain(planned, looked);
  const field = legal.some((action) => action.type === "resolve") ? "resolve" : "place";
  /** @param {any} cell */
  const part = (cell) => (field === "resolve" ? { type: "resolve", hex: [cell.q, cell.r] } : { type: "place",
    token: pick.token, hex: [cell.q, cell.r] });
  const possible = new Set(legal.filter((action) => (field === "resolve" ? action.type === "resolve"
    : action.type === "place" && action.token === pick.token)).map((action) => key(action.hex)));
  const laid = props.marked.filter((fact) => fact.type === "placed");
  const fresh = new Set([...view.placed, ...laid].map((token) => key(token.hex)));
  const box = frame(cells.map((/** @type {any} */ cell) => [cell.q, cell.r]), SIZE, 0.1);
  /** @param {any} cell */
  const refuse = (cell) => {
    if (past || !legal.length) return;
    if (field === "place" && !pick.token) say(t("why.no_token"));
    else why(part(cell));
  };
  const done = (/** @type {number[]} */ hex) => view.resolved.some((/** @type {number[]} */ one) => same(one, hex));
  const held = possible.size > 0;
  return html`<${Zoom} unit=${(SIZE * 1.7) / box.width} held=${held} focus=${focusOf([...possible], box)}
    tools=${children}>
    <svg class="ba-map" viewBox=${viewBox(box)} role="group" aria-label=${t("ba.map")}>
    ${cells.map((/** @type {any} */ cell) => html`<${Ground} key=${cell.label} cell=${cell}
      can=${possible.has(key([cell.q, cell.r]))}
      on=${pick.hex && same(pick.hex, [cell.q, cell.r])} last=${fresh.has(key([cell.q, cell.r]))} press=${() =>
        choose(part(cell))}
      refuse=${() => refuse(cell)} enter=${() => setOver(key([cell.q, cell.r]))} leave=${() => setOver("")} />`)}
    <g class="ba-things">
      ${view.tiles.map((tile) => html`<${LocationTile} key=${key(tile.hex)} tile=${tile.tile}
        ...${at(tile.hex)} />`)}
      ${view.ziggurats.map((/** @type {number[]} */ hex) => html`<${Ziggurat} key=${key(hex)} ...${at(hex)}
        done=${done(hex)} />`)}
      ${[...all].map(([where, token]) => html`<${Token} key=${where} seat=${token.seat} kind=${token.kind}
        down=${token.down}
        lit=${lit.size > 1 && lit.has(where)} piece=${where} ...${at(token.hex)} />`)}
      ${laid.map((fact) => html`<polygon key=${`f${key(fact.hex)}`} class="ba-fresh"
        points=${outline(at(fact.hex).x, at(fact.hex).y, SIZE * 0.9)} />`)}
      ${pick.token && pick.hex && html`<g class="ba-ghost"><${Token} seat=${props.seat ?? 0} kind=${pick.token}
        ...${at(pick.hex)} /></g>`}
      ${gains.map((gain) => html`<text key=${gain.id} class=${`ba-gain s${gain.seat}`} text-anchor="middle"
        x=${at(gain.hex).x}
        y=${at(gain.hex).y - 8 + gain.seat * 6}>+${gain.n}</text>`)}
    </g></svg><//>`;
}

/** The middle of what can be chosen, as shares of the map. @param {string[]} keys @param {any} box */
function focusOf(keys, box) {
  if (!keys.length) return null;
  const points = keys.map((one) => at(one.split(",").map(Number)));
  const x = points.reduce((sum, point) => sum + point.x, 0) / points.length, y = points.reduce((sum, point) => sum
    + point.y, 0) / points.length;
  return [(x - box.x) / box.width, (y - box.y) / box.height];
}

/** @param {number[]} hex */
function at([q, r]) {
  const [x, y] = centre(q, r, SIZE);
  return { x, y };
}

/** A space of the map: clay or river, its name, and a dot if something may lie there. @param {any} props */
function Ground({ cell, can, on, last, press, refuse, enter, leave }) {
  const { x, y } = at([cell.q, cell.r]);
  const name = `ba-hex ${cell.terrain} ${cell.region} ${cell.space} ${last ? "last" : ""}`;
  const shape = html`<polygon class=${name} points=${outline(x, y, SIZE * 0.97)} /><polygon
    class=${`ba-lit ${cell.terrain}`} points=${outline(x, y, SIZE * 0.97)} />
    ${cell.terrain === "river" && html`<path class="ba-wave"
      d=${`M${x - 8} ${y - 3}q4-3 8 0t8 0M${x - 8} ${y + 4}q4-3 8 0t8 0`} />`}
    <text class="ba-name" x=${x} y=${y + SIZE * 0.78} text-anchor="middle">${cell.label}</text>
    ${can && html`<polygon class="ba-can" points=${outline(x, y, SIZE * 0.93)} /><circle
      class=${`ba-dot ${on ? "on" : ""}`} cx=${x} cy=${y} r="3.2" />`}`;
  const watch = { onPointerEnter: enter, onPointerLeave: leave };
  return can ? html`<g class="can" data-hex=${cell.label} ...${watch} ...${pressable(cell.label, press)}>${shape}</g>`
    : html`<g ...${watch} onClick=${refuse}>${shape}</g>`;
}
