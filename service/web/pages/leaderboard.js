// Who plays how well, game by game: people and bots on one scale.
import { html, useEffect, useState } from "../lib.js";
import { lang, t } from "../i18n.js";
import { useShared } from "../store.js";
import { go } from "../route.js";
import { Failed, Field, Loading, useAnswer } from "../parts/ui.js";

export default function Leaderboard() {
  const { games } = useShared();
  const asked = new URLSearchParams(location.search).get("game");
  const [key, setKey] = useState(games.some((one) => one.key === asked) ? asked : games[0]?.key);
  useEffect(() => void (document.title = `${t("nav.leaderboard")} · Turnlog`), [lang()]);
  /** @param {any} event */
  const chosen = (event) => {
    setKey(event.target.value);
    go(`/leaderboard?game=${event.target.value}`, true); // so that the address can be shared
  };
  return html`<div class="page narrow"><h1>${t("nav.leaderboard")}</h1>
    <p class="soft">${t("leaders.about")}</p>
    ${key ? html`<${Field} label=${t("new.game")}><select value=${key} onChange=${chosen}>
        ${games.map((one) => html`<option value=${one.key}>${one.name}</option>`)}</select><//>
      <${Ranking} key=${key + lang()} game=${key} />` : html`<${Failed} />`}</div>`;
}

/** @param {{game: string}} props */
function Ranking({ game }) {
  const { me } = useShared();
  const [answer, , refusal] = useAnswer(`/leaderboard?game=${game}`);
  if (refusal) return html`<${Failed} message=${refusal} />`;
  if (!answer) return html`<${Loading} />`;
  if (!answer.items.length) return html`<p class="note">${t("leaders.none")}</p>`;
  return html`<div class="card scroll" tabindex="0" role="region" aria-label=${t("nav.leaderboard")}><table
    class="leaders">
    <thead><tr><th scope="col"><span class="hidden">${t("leaders.rank")}</span></th><th
      scope="col">${t("leaders.who")}</th>
      <th scope="col" class="number">${t("leaders.rating")}</th><th scope="col"
        class="number">${t("leaders.wins")}</th></tr></thead>
    <tbody>${answer.items.map((/** @type {any} */ one) => html`<tr key=${one.kind + one.name}
      class=${one.kind === "person" && one.name === me?.name ? "own" : ""}>
      <td class="number">${one.rank}.</td>
      <th scope="row"><a href=${`/players/${encodeURIComponent(one.page)}`}>${one.name}</a> ${one.provisional
        && html`<span class="chip soft nowrap">${t("leaders.provisional")}</span>`}</th>
      <td class="number">${one.rating} <span class="soft nowrap">± ${2 * one.deviation}</span></td>
      <td class="number">${t("leaders.won", one)}</td></tr>`)}</tbody></table></div>`;
}
