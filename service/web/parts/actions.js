// The bar below the board: what is chosen, confirm, take back. It stays in reach of the thumb.
import { html, useEffect } from "../lib.js";
import { t } from "../i18n.js";

/** @param {{props: any, found: {action: any, label: string}[], busy: boolean, note: string}} given */
export function ActionBar({ props, found, busy, note }) {
  const { pick, choose, act } = props;
  const chosen = Object.keys(pick).length > 0;
  const only = chosen && found.length === 1 ? found[0] : null;
  const about = only && props.module.about?.(only.action, props);
  useEffect(() => {
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && chosen) choose({});
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  });
  if (!chosen && !note) return null;
  return html`<div class="action-bar" role="region" aria-label=${t("act.bar")}>
    <p aria-live="polite">${note ? html`<span class="bad">${note}</span>` : only ? only.label : t("act.more")}
      ${only && !note && about && html`<span class="about">${about}</span>`}</p>
    <div class="row">
      ${only && html`<button class="main" disabled=${busy} onClick=${() => act(only.action)}>${t("act.confirm")}</button>`}
      ${chosen && html`<button onClick=${() => choose({})}>${t("act.cancel")}</button>`}
    </div>
  </div>`;
}
