// A match that was played elsewhere says so.
import { html } from "../lib.js";
import { t, when } from "../i18n.js";

/** @param {{match: any}} props */
export function Origin({ match }) {
  if (!match.imported) return null;
  const { by, at, signed, server } = match.imported;
  return html`<p class="note" data-imported=${signed}>${t("imported." + signed, { by, server })} <span
    class="soft nowrap">${when(at)}</span></p>`;
}

/** Whoever only looks on is told so, and what they see. @param {{match: any}} props */
export const Watching = ({ match }) => (match.you === null && match.status === "running"
  ? html`<p class="note watching"><strong>${t("watch.now")}</strong> <span
    class="soft">${t("watch.about")} ${t(match.listed ? "chat.read_by_all" : "chat.read_by_table")}</span></p>` : null);
