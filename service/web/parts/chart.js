// Points over time, at every event of the match.
import { html, useEffect, useState } from "../lib.js";
import { lines } from "../api.js";
import { t } from "../i18n.js";

const MOST = 1000; // positions of one answer
const WIDTH = 300, HEIGHT = 150, LEFT = 28, BOTTOM = 18;
const MOST_TURNS = 8; // as buttons; the chart marks all
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "12 4"];

/**
 * Every position after an event, in as few requests as there are thousands of them.
 * @param {string} id
 * @param {string} invite
 * @param {number} after
 * @returns {Promise<any[]>}
 */
async function readViews(id, invite, after) {
  const found = await lines(`/matches/${id}/views?after=${after}&limit=${MOST}${invite
    ? `&invite=${encodeURIComponent(invite)}` : ""}`);
  const last = found.length ? found[found.length - 1].seq : after;
  return last - after < MOST ? found : [...found, ...(await readViews(id, invite, last))];
}

/** Where somebody else takes the lead. @param {{seq: number, scores: number[]}[]} points */
function turningPoints(points) {
  let leader = -1;
  return points.flatMap(({ seq, scores }) => {
    const best = Math.max(...scores);
    const ahead = scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : leader;
    const turned = ahead !== leader && leader >= 0;
    leader = ahead;
    return turned ? [{ seq, seat: ahead, score: best }] : [];
  });
}

/**
 * @param {{id: string, invite: string, first: number, last: number, seq: number, names: string[], scores: (view:
 *   any) => number[] | null, jump: (seq: number) => void}} props
 */
export function Chart({ id, invite, first, last, seq, names, scores, jump }) {
  const [points, set] = useState(/** @type {{seq: number, scores: number[]}[]} */ ([]));
  useEffect(() => {
    let wanted = true;
    readViews(id, invite, first - 1).then(
      (lines) => wanted && set(lines.flatMap(({ seq, view }) => ((now) => (now ? [{ seq, scores: now }]
        : []))(scores(view)))),
      () => wanted && set([]), // no chart then; the replay itself says what is wrong
    );
    return () => void (wanted = false);
  }, [id, first, last]);
  if (points.length < 2) return null;
  const turns = turningPoints(points);
  const top = Math.max(1, ...points.flatMap((point) => point.scores));
  const low = Math.min(0, ...points.flatMap((point) => point.scores));
  /** @param {number} at */
  const x = (at) => LEFT + ((at - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 6);
  /** @param {number} score */
  const y = (score) => HEIGHT - BOTTOM - ((score - low) / (top - low)) * (HEIGHT - BOTTOM - 8);
  /** @param {MouseEvent} event */
  const clicked = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    jump(Math.round(first + (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - 6) * (last
      - first)));
  };
  return html`<section class="card chart"><h2>${t("chart.title")}</h2>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("chart.label", { last: names.map((name, n) =>
      `${name} ${points[points.length - 1].scores[n]}`).join(", ") })} onClick=${clicked}>
      ${[low, Math.round((top + low) / 2), top].map((value) => html`<g class="grid"><line x1=${LEFT} x2=${WIDTH - 6}
        y1=${y(value)} y2=${y(value)} />
        <text x=${LEFT - 4} y=${y(value) + 4} text-anchor="end">${value}</text></g>`)}
      <text class="axis" x=${LEFT} y=${HEIGHT - 3}>${first}</text><text class="axis" x=${WIDTH - 6} y=${HEIGHT - 3}
        text-anchor="end">${last}</text>
      <line class="now" x1=${x(seq)} x2=${x(seq)} y1="4" y2=${HEIGHT - BOTTOM} />
      ${names.map((_, n) => html`<polyline class=${`seat${n}`} stroke-dasharray=${DASHES[n % DASHES.length]}
        points=${points.map((point) => `${x(point.seq)},${y(point.scores[n])}`).join(" ")} />`)}
      ${turns.map((turn) => html`<circle class=${`turn seat${turn.seat}`} cx=${x(turn.seq)} cy=${y(turn.score)}
        r="5"><title>${t("chart.leads", { name: names[turn.seat] })}</title></circle>`)}
    </svg>
    ${turns.length > 0 && html`<p class="turns">${t("chart.turns")} ${turns.slice(-MOST_TURNS).map((turn) =>
      html`<button class="small" key=${turn.seq} onClick=${() => jump(turn.seq)}>${t("chart.leads",
        { name: names[turn.seat] })}</button> `)}</p>`}
    <ul class="legend">${names.map((name, n) => html`<li><svg viewBox="0 0 24 8" width="24" height="8"
      aria-hidden="true"><line class=${`seat${n}`} x1="0" x2="24" y1="4" y2="4"
      stroke-dasharray=${DASHES[n % DASHES.length]} /></svg> ${name}</li>`)}</ul></section>`;
}
