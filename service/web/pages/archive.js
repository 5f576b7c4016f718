// The archive: matches that are over, by game and by player.
import { html, useEffect, useState } from "../lib.js";
import { lang, t } from "../i18n.js";
import { useShared } from "../store.js";
import { go } from "../route.js";
import { Field, submit } from "../parts/ui.js";
import { Matches } from "../parts/archive.js";

export default function Archive() {
  const { games } = useShared();
  const asked = new URLSearchParams(location.search);
  const [game, setGame] = useState(asked.get("game") || "");
  const [player, setPlayer] = useState(asked.get("player") || "");
  const [typed, type] = useState(player);
  useEffect(() => void (document.title = `${t("archive.title")} · Turnlog`), [lang()]);
  const query = new URLSearchParams([["game", game], ["player", player]].filter(([, value]) => value)).toString();
  useEffect(() => go(`/archive${query && "?" + query}`, true), [query]); // so that the address can be shared
  return html`<div class="page"><h1>${t("archive.title")}</h1><p class="soft">${t("archive.about")}</p>
    <form class="inline card" role="search" onSubmit=${submit(() => setPlayer(typed.trim()))}>
      <${Field} label=${t("new.game")}><select value=${game} onChange=${(/** @type {any} */ event) =>
        setGame(event.target.value)}>
        <option value="">${t("archive.all")}</option>${games.map((one) => html`<option
          value=${one.key}>${one.name}</option>`)}</select><//>
      <${Field} label=${t("leaders.who")}><input name="player" maxlength="40" value=${typed}
        onInput=${(/** @type {any} */ event) => type(event.target.value)} /><//>
      <button>${t("archive.search")}</button></form>
    <${Matches} query=${query} /></div>`;
}
