// Remote bots for a seat: asked for when somebody wants one, since most tables need none.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { t } from "../i18n.js";
import { said } from "./ui.js";

/** @param {{game: string, bot: string, label: string, change: (bot: string) => void}} props */
export function RemoteBot({ game, bot, label, change }) {
  const [bots, set] = useState(/** @type {any[] | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    get("/bots").then(
      ({ items }) => {
        const fit = items.filter((/** @type {any} */ one) => one.enabled && one.games.includes(game));
        set(fit);
        if (fit.length && !fit.some((/** @type {any} */ one) => one.name === bot)) change(fit[0].name);
      },
      (refused) => (refused.status === 404 ? set([]) : setProblem(said(refused))),
    );
  }, [game]);
  if (problem) return html`<span class="bad">${problem}</span>`;
  if (!bots) return html`<span class="soft">${t("loading")}</span>`;
  if (!bots.length) return html`<span class="soft">${t("remote.none")}</span>`;
  return html`<select aria-label=${label} value=${bot} onChange=${(/** @type {any} */ e) => change(e.target.value)}>
    ${bots.map((one) => html`<option value=${one.name}>${one.name} (${t("health."
      + one.health.state)})</option>`)}</select>`;
}
