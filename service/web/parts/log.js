// What happened, in words; a line marks where I acted last.
import { html, useEffect, useRef } from "../lib.js";
import { t, when } from "../i18n.js";

/** What an event says besides its facts. @param {any} event @param {string[]} names @returns {string[]} */
export function told(event, names) {
  const name = hasSeat(event) ? names[event.seat] : "";
  if (event.kind === "acted" || event.kind === "started") return event.text || [];
  if (event.kind === "opened" || event.kind === "nonce") return [];
  return [t("event." + kind(event), { name })];
}

/** @param {any} event */
const hasSeat = (event) => event.seat !== undefined && event.seat !== null;

/** Some kinds say two things: which one is in the event. @param {any} event */
function kind(event) {
  if (event.kind === "undo_answered") return event.agree ? "undo_agreed" : hasSeat(event) ? "undo_refused"
    : "undo_expired";
  if (event.kind === "agreed") return event.agree === false ? "withdrawn" : "wish_" + event.what;
  if (event.kind === "handed_over" && event.holder?.kind === "person") return "substitute";
  return event.kind;
}

/** The seq of my last action: what came after it is news. @param {any[]} events @param {number | null} you */
export function lastOf(events, you) {
  for (let n = events.length - 1; n >= 0; n--) if (events[n].kind === "acted"
    && events[n].seat === you) return events[n].seq;
  return 0;
}

/**
 * A line that is pointed at or tapped lights up its place.
 * @param {{match: any, events: any[], light?: (event: any) => void}} props
 */
export function Log({ match, events, light = () => {} }) {
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const box = useRef(/** @type {any} */ (null));
  const mark = match.you === null ? 0 : lastOf(events, match.you);
  const lines = events.map((event) => ({ event, said: told(event, names) })).filter((line) => line.said.length);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [events.length]);
  return html`<section class="card log"><h2>${t("log.title")}</h2>
    <ol ref=${box} tabindex="0" aria-label=${t("log.title")}>${lines.map(({ event, said }) => html`<li key=${event.seq}
      class=${`${event.seq > mark && mark ? "new" : ""} ${event.seq === mark ? "last" : ""}`}
      onPointerEnter=${() => light(event)} onPointerLeave=${() => light(null)} onFocusIn=${() => light(event)}
        onFocusOut=${() => light(null)}>
      <a class="seq" href=${`/matches/${match.id}/replay#${event.seq}`} title=${when(event.at)}
        aria-label=${t("log.replay", { seq: event.seq })}>${event.seq}</a>
      <${Said} said=${said} /></li>`)}</ol>
  </section>`;
}

const MOST_SAID = 5; // sentences; a setup of thirty is folded behind its first

/** @param {{said: string[]}} props */
const Said = ({ said }) => (said.length <= MOST_SAID
  ? html`<span>${said.map((sentence) => html`<span class="said">${sentence}</span> `)}</span>`
  : html`<details class="many"><summary>${said[0]} …</summary>
      ${said.slice(1).map((sentence) => html`<span class="said">${sentence}</span> `)}</details>`);
