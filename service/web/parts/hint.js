// What a bot would do in my place, and why. It thinks in the queue like every bot, so the page asks until it knows.
import { html, useEffect, useState } from "../lib.js";
import { t } from "../i18n.js";
import { get } from "../api.js";
import { same } from "../pick.js";
import { Refusal, useCommand } from "./ui.js";

const EVERY_MS = 400;
const MOST = 100; // looks: whoever thinks longer than forty seconds has lost the reader

/** @param {string} id @param {() => boolean} wanted @returns {Promise<any>} the advice, or null if nobody gives any */
async function answered(id, wanted) {
  for (let look = 0; look < MOST && wanted(); look++) {
    const { asked, advice } = await get(`/matches/${id}/hint`);
    if (advice || !asked) return advice;
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
  return null;
}

/**
 * The advice for this turn, once it was asked for; a page that is opened again finds it.
 * @param {any} match @param {(action: any) => void} choose
 */
export function useHint(match, choose) {
  const asked = match.hint?.asked || 0;
  const [known, set] = useState(/** @type {{asked: number, advice: any} | null} */ (null));
  useEffect(() => {
    if (!asked) return;
    let wanted = true;
    answered(match.id, () => wanted).then((advice) => {
      if (!wanted) return;
      set({ asked, advice });
      const best = advice?.offers[0]?.action;
      if (best) choose(best);
    }, () => wanted && set({ asked, advice: null }));
    return () => void (wanted = false);
  }, [match.id, asked]);
  const advice = known && known.asked === asked ? known.advice : null;
  return { thinks: asked > 0 && known?.asked !== asked, advice };
}

/**
 * Asks, once a turn; the first time in a match it says what that means.
 * @param {{live: any, hint: any, choose: (action: any) => void}} props
 */
export function HintKey({ live, hint, choose }) {
  const { match } = live;
  const [run, busy, refusal] = useCommand(async () => {
    if (hint.advice) return hint.advice.offers[0] && choose(hint.advice.offers[0].action);
    if (!match.assisted && !confirm(t("hint.sure"))) return;
    await live.command("POST", "/hint");
  });
  if (!match.hint) return null;
  const thinks = busy || hint.thinks;
  return html`<button class="undo hint-key" disabled=${thinks} aria-busy=${thinks ? "true" : "false"} onClick=${() =>
    run()}
    title=${t("hint.about")}><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path
      d="M10 2a5.5 5.5 0 0 0-3 10.1V14h6v-1.9A5.5 5.5 0 0 0 10 2zM7.6 15.6h4.8M8.4 17.6h3.2" /></svg>
    <span class="label">${t(thinks ? "hint.thinks" : "hint.ask")}</span></button><${Refusal} text=${refusal} />`;
}

/** @param {number | null} n */
const worth = (n) => (n === null ? "–" : String(Math.round(n * 10) / 10));

/** How the next best compares. @param {any} best @param {any} other */
function beside(best, other) {
  if (!other || other.after === null || best.after === null) return "";
  if (worth(other.after) === worth(best.after)) return t("hint.alike");
  return t("hint.other", { label: other.label, after: worth(other.after) });
}

/**
 * Why: what the position is worth now, after it, and after the next best.
 * @param {{hint: any, action: any, match: any}} props
 */
export function Why({ hint: { advice }, action, match }) {
  const best = advice?.offers[0];
  if (!best || !same(best.action, action)) return null;
  const bot = match.seats.find((/** @type {any} */ seat) => seat.bot === advice.bot)?.name || t("hint.bot");
  return html`<span class="about why">${t("hint.does", { bot })} ${best.after === null ? t("hint.ends")
    : t("hint.worth", { before: worth(advice.before), after: worth(best.after) })} ${beside(best,
      advice.offers[1])}</span>`;
}
