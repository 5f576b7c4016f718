// What happened, seen again on the board itself, step by step; and the answers of others at a pace that can be
// followed.
import { useEffect, useRef, useState } from "../lib.js";
import { get } from "../api.js";
import { moves } from "../kit/motion.js";
import { standing } from "./news.js";

const PACE_MS = 1100;
const FIRST_MS = 500;
const MOST = 12; // steps that are shown unasked; who was away longer asks

/** @typedef {{event: any, moment: any}} Step one event, and the match after it */

/**
 * Shows steps one after the other. Returns the step that is on the table, or null, and how to start and to stop.
 * @param {any} match @param {any[]} events @param {string} invite
 */
export function usePlayback(match, events, invite) {
  const [step, setStep] = useState(/** @type {Step | null} */ (null));
  const run = useRef(0);
  const stop = () => {
    run.current++;
    setStep(null);
  };
  const query = `labels=0&legal=0${invite ? `&invite=${encodeURIComponent(invite)}` : ""}`;
  /** @param {number} seq */
  const moment = (seq) => (seq === match.seq ? match : get(`/matches/${match.id}?at=${seq}&${query}`));
  /** @param {any[]} list @param {boolean} [fromBefore] whether the board first goes back to before them */
  const play = async (list, fromBefore = true) => {
    const mine = ++run.current;
    const begin = list[0].seq - 1;
    const wanted = [...(fromBefore ? [{ seq: begin, before: true }] : []), ...list];
    try {
      for (const event of wanted) {
        const found = await moment(event.seq);
        if (run.current !== mine) return;
        setStep({ event: event.before ? null : event, moment: found });
        await new Promise((go) => setTimeout(go, event.before ? FIRST_MS : PACE_MS));
        if (run.current !== mine) return;
      }
    } catch {
      // The line is gone: the table says so itself, and shows what it knows.
    }
    if (run.current === mine) setStep(null);
  };
  useArrivals(match, events, (news) => play(news, false));
  useEffect(() => stop, [match.id]);
  return { step, play, stop };
}

/** Several answers that come at once are shown one by one; what was there at the beginning is not news. */
function useArrivals(/** @type {any} */ match, /** @type {any[]} */ events, /** @type {(news: any[]) => void} */ show) {
  const seen = useRef(0);
  useEffect(() => {
    const newest = events.at(-1)?.seq || 0;
    if (newest < match.seq) return; // the words are still on their way
    const since = seen.current;
    seen.current = newest;
    if (!since || document.hidden || !moves()) return;
    const news = standing(events).filter((event) => event.kind === "acted" && event.seq > since
      && event.seat !== match.you);
    if (news.length > 1 && news.length <= MOST) show(news);
  }, [match.seq, events.length]);
}
