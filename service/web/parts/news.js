// What happened since I last acted: in one line of words, and as facts for the boards to mark.
import { html, useState } from "../lib.js";
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

/** The seq of a seat's latest action that still counts, or 0. @param {any[]} events @param {number | null} seat */
export function lastStanding(events, seat) {
  return standing(events).findLast((event) => event.kind === "acted" && event.seat === seat)?.seq || 0;
}

/** The first thing that would be taken back, in words: people know what they did, not its number. */
export function deedAfter(/** @type {any[]} */ events, /** @type {number} */ to, /** @type {string[]} */ names) {
  const deed = standing(events).find((event) => event.kind === "acted" && event.seq > to);
  return (deed ? told(deed, names)[0] : "") || "";
}

/**
 * What I have not answered yet; who only watches is shown the latest action.
 * @param {any[]} events
 * @param {number | null} you
 */
export function since(events, you) {
  const kept = standing(events).filter((event) => event.kind === "acted");
  const mark = you === null ? 0 : kept.findLast((event) => event.seat === you)?.seq || 0;
  return you === null ? kept.slice(-1) : kept.filter((event) => event.seq > mark);
}

/**
 * The same with my own last action before it: what came of that belongs to the picture.
 * @param {any[]} events @param {number | null} you
 */
export function recent(events, you) {
  const news = since(events, you);
  const own = you === null ? null : standing(events).findLast((event) => event.kind === "acted" && event.seat === you);
  return own ? [own, ...news] : news;
}

/** The facts to mark on the board: what others did, or one line of the log that somebody points at. */
export const marked = (/** @type {any[]} */ events, /** @type {number | null} */ you, /** @type {any} */ lit) =>
  (lit ? [lit] : since(events, you)).flatMap((event) => event.facts || []);

/** One line, of one height: the latest of what happened. A tap shows all of it, a button plays it back. */
export function News(/** @type {{match: any, events: any[], playback: any}} */ { match, events, playback }) {
  const [all, setAll] = useState(false);
  const news = since(events, match.you);
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const shown = playback.step ? (playback.step.event ? [playback.step.event] : []) : news;
  const sentences = shown.flatMap((event) => told(event, names));
  if (match.result) return null;
  const latest = all ? sentences : sentences.slice(-SHOWN);
  return html`<div class=${`news ${all ? "all" : ""} ${sentences.length ? "" : "none"}`} aria-label=${t("news.title")}
    role="group">
    <button class="line" aria-expanded=${all ? "true" : "false"} onClick=${() => setAll(!all)}
      disabled=${!sentences.length}>
      ${sentences.length > latest.length && html`<span class="soft">… </span>`}
      ${latest.map((sentence, n) => html`<span class="said" key=${n}>${sentence}</span> `)}
      ${!sentences.length && html`<span class="soft">${t("news.nothing")}</span>`}</button>
    ${match.you !== null && news.length > 0 && !playback.step && html`<button class="play" aria-label=${t("news.play")}
      onClick=${() => playback.play(news)}>
      <span aria-hidden="true">▶</span> <span class="roomy">${t("news.play")}</span></button>`}</div>`;
}
