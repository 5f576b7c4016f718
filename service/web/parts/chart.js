// Points over time, from moments of the match spread over its length.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { t } from "../i18n.js";

const MOMENTS = 30;
const WIDTH = 300, HEIGHT = 150, LEFT = 28, BOTTOM = 18;
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "12 4"];

/** @param {{id: string, invite: string, first: number, last: number, seq: number, names: string[], scores: (view: any) => number[] | null, jump: (seq: number) => void}} props */
export function Chart({ id, invite, first, last, seq, names, scores, jump }) {
  const [points, set] = useState(/** @type {{seq: number, scores: number[]}[]} */ ([]));
  useEffect(() => {
    let wanted = true;
    const step = Math.max(1, (last - first) / MOMENTS);
    const moments = [...new Set(Array.from({ length: MOMENTS + 1 }, (_, n) => Math.min(last, Math.round(first + n * step))))];
    (async () => {
      /** @type {{seq: number, scores: number[]}[]} */
      const found = [];
      for (const at of moments) {
        if (!wanted) return;
        const then = await get(`/matches/${id}?at=${at}${invite ? `&invite=${encodeURIComponent(invite)}` : ""}`).catch(() => null);
        const now = then?.view && scores(then.view);
        if (now) found.push({ seq: at, scores: now });
      }
      if (wanted) set(found);
    })();
    return () => void (wanted = false);
  }, [id, first, last]);
  if (points.length < 2) return null;
  const top = Math.max(1, ...points.flatMap((point) => point.scores));
  const low = Math.min(0, ...points.flatMap((point) => point.scores));
  /** @param {number} at */
  const x = (at) => LEFT + ((at - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 6);
  /** @param {number} score */
  const y = (score) => HEIGHT - BOTTOM - ((score - low) / (top - low)) * (HEIGHT - BOTTOM - 8);
  /** @param {MouseEvent} event */
  const clicked = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    jump(Math.round(first + (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - 6) * (last - first)));
  };
  return html`<section class="card chart"><h2>${t("chart.title")}</h2>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("chart.label", { last: names.map((name, n) => `${name} ${points[points.length - 1].scores[n]}`).join(", ") })} onClick=${clicked}>
      ${[low, Math.round((top + low) / 2), top].map((value) => html`<g class="grid"><line x1=${LEFT} x2=${WIDTH - 6} y1=${y(value)} y2=${y(value)} />
        <text x=${LEFT - 4} y=${y(value) + 4} text-anchor="end">${value}</text></g>`)}
      <text class="axis" x=${LEFT} y=${HEIGHT - 3}>${first}</text><text class="axis" x=${WIDTH - 6} y=${HEIGHT - 3} text-anchor="end">${last}</text>
      <line class="now" x1=${x(seq)} x2=${x(seq)} y1="4" y2=${HEIGHT - BOTTOM} />
      ${names.map((_, n) => html`<polyline class=${`seat${n}`} stroke-dasharray=${DASHES[n % DASHES.length]}
        points=${points.map((point) => `${x(point.seq)},${y(point.scores[n])}`).join(" ")} />`)}
    </svg>
    <ul class="legend">${names.map((name, n) => html`<li><svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true"><line class=${`seat${n}`} x1="0" x2="24" y1="4" y2="4"
      stroke-dasharray=${DASHES[n % DASHES.length]} /></svg> ${name}</li>`)}</ul></section>`;
}
