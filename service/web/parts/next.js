// The next table that waits for me, one thumb away once nothing is left to do at this one; by itself, if I want that.
import { html, useEffect, useState } from "../lib.js";
import { t } from "../i18n.js";
import { get } from "../api.js";
import { go } from "../route.js";
import { gameName, useShared } from "../store.js";

const LOOK_MS = 1500; // time to see what my action did before the page moves on

/** Another table where I am waited for, or null. @param {string} here @param {boolean} asks */
function useOther(here, asks) {
  const { me, waiting } = useShared();
  const [other, set] = useState(/** @type {any} */ (null));
  useEffect(() => {
    set(null);
    if (!asks || !me || waiting < 1) return; // nobody has counted yet, or nobody waits
    let wanted = true;
    get("/me/turns").then(({ items }) => wanted
      && set(items.find((/** @type {any} */ turn) => turn.match.id !== here)?.match || null),
        () => {}); // asked again after the next action
    return () => void (wanted = false);
  }, [here, asks, me?.id, waiting]);
  return other;
}

/** @param {{match: any}} props */
export function NextTable({ match }) {
  const { onward } = useShared();
  const idle = match.you !== null && !match.to_act.includes(match.you);
  const other = useOther(match.id, idle);
  const [acted, note] = useState(false);
  useEffect(() => {
    const done = () => note(true);
    window.addEventListener("turnlog:acted", done);
    return () => window.removeEventListener("turnlog:acted", done);
  }, []);
  const leaves = Boolean(onward && acted && idle && other);
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(() => go(`/matches/${other.id}`), LOOK_MS);
    return () => clearTimeout(timer);
  }, [leaves, other?.id]);
  if (!idle || !other) return null;
  return html`<a class="button next-table" href=${`/matches/${other.id}`}>${t("next.table",
    { game: gameName(other.game) })}
    <span aria-hidden="true">→</span></a>`;
}
