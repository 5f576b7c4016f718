// A match that was played elsewhere says so.
import { html } from "../lib.js";
import { t, when } from "../i18n.js";

/** @param {{match: any}} props */
export function Origin({ match }) {
  if (!match.imported) return null;
  const { by, at, signed, server } = match.imported;
  return html`<p class="note" data-imported=${signed}>${t("imported." + signed, { by, server })} <span class="soft nowrap">${when(at)}</span></p>`;
}
