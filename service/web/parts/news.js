// What happened since I last acted: in one line of words, and as facts for the boards to mark.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { told } from "./log.js";

const SHOWN = 3; // sentences; the rest is a tap away

/** The events that still count: what was taken back is not among them. @param {any[]} events @returns {any[]} */
export function standing(events) {
  /** @type {any[]} */
  let kept = [];
  for (const event of events) {
    if (event.kind === "undone") kept = kept.filter((one) => one.seq <= event.to);
    else kept.push(event);
  }
  return kept;
}

/** The seq of a seat's latest action that still counts; 0 if there is none. @param {any[]} events @param {number | null} seat */
export function lastStanding(events, seat) {
  return standing(events).findLast((event) => event.kind === "acted" && event.seat === seat)?.seq || 0;
}

/** What I have not answered yet; who only watches is shown the latest action. @param {any[]} events @param {number | null} you */
export function since(events, you) {
  const kept = standing(events).filter((event) => event.kind === "acted");
  const mark = you === null ? 0 : kept.findLast((event) => event.seat === you)?.seq || 0;
  return you === null ? kept.slice(-1) : kept.filter((event) => event.seq > mark);
}

/** The same with my own last action before it: what came of that belongs to the picture. @param {any[]} events @param {number | null} you */
export function recent(events, you) {
  const news = since(events, you);
  const own = you === null ? null : standing(events).findLast((event) => event.kind === "acted" && event.seat === you);
  return own ? [own, ...news] : news;
}

/** @param {{match: any, events: any[]}} props */
export function News({ match, events }) {
  const news = since(events, match.you);
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const sentences = news.flatMap((event) => told(event, names));
  if (!sentences.length || match.result) return null;
  const before = news[0].seq - 1;
  return html`<p class="news" aria-label=${t("news.title")}>${sentences.length > SHOWN && html`<span class="soft">… </span>`}
    ${sentences.slice(-SHOWN).map((sentence) => html`<span class="said">${sentence}</span> `)}
    ${match.you !== null && html`<a class="nowrap" href=${`/matches/${match.id}/replay?play=1#${before}`}>▶ ${t("news.play")}</a>`}</p>`;
}
