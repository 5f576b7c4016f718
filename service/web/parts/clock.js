// How much time is left: how long, and until when in the reader's own time zone.
import { html, useEffect, useState } from "../lib.js";
import { ago, t, when } from "../i18n.js";
import { useShared } from "../store.js";

const TICK_MS = 20_000;
const SOON_MS = 6 * 3600_000;

/** Draws again now and then, so that "in 2 hours" stays true. */
function useNow() {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const Face = () => html`<svg class="clock-face" viewBox="0 0 20 20" width="15" height="15" aria-hidden="true"><circle
  cx="10" cy="10" r="8" /><path d="M10 5v5l3.5 2.5" /></svg>`;

/** @param {{at: string}} props */
export function Deadline({ at }) {
  const { me } = useShared();
  const now = useNow();
  const left = new Date(at).getTime() - now;
  return html`<time class=${`deadline nowrap ${left < SOON_MS ? "soon" : ""}`} datetime=${at}><${Face} /> ${ago(at,
    now)} <span class="soft">(${when(at, me?.tz)})</span></time>`;
}

/** @type {[string, number][]} */
const UNITS = [["days", 86_400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];

/** A length of time in whole units: "3 days". @param {number} seconds */
export function span(seconds) {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) || UNITS[3];
  return t("span." + unit, { n: seconds / size });
}

/** The rules of a match's clock in a few words. @param {any} clock */
export function policy(clock) {
  if (!clock) return t("clock.none");
  const kind = clock.kind === "per_move" ? t("clock.per_move_is", { time: span(clock.seconds) })
    : t("clock.bank_is", { time: span(clock.seconds), more: span(clock.increment || 0) });
  return `${kind} ${t("timeout_is." + (clock.timeout || "caretaker"))}`;
}
