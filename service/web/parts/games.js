// Games as pictures: what it is, for how many, how long, how hard.
import { html } from "../lib.js";
import { asset, exists } from "../assets.js";
import { t } from "../i18n.js";
import { playNow } from "../play.js";
import { Refusal, useCommand } from "./ui.js";

/** @param {any} game */
export const players = ({ seats }) => t("new.players", { range: seats.min === seats.max ? seats.min
  : `${seats.min}–${seats.max}`, most: seats.max });

/** @param {{game: any}} props */
export const Cover = ({ game }) => (exists(`games/${game.key}/cover.svg`)
  ? html`<img class="cover" src=${asset(`games/${game.key}/cover.svg`)} alt="" width="320" height="200"
    loading="lazy" />`
  : html`<span class="cover bare display" aria-hidden="true">${game.name.slice(0, 1)}</span>`);

/** Players, minutes, weight. @param {{game: any}} props */
export const Facts = ({ game }) => html`<span class="facts soft">
  <span>${players(game)}</span>
  ${game.cover && html`<span>${t("game.minutes", { from: game.cover.minutes[0], to: game.cover.minutes[1] })}</span>
    <span title=${t("game.weight." + game.cover.weight)}><span
      aria-hidden="true">${"●".repeat(game.cover.weight)}${"○".repeat(3 - game.cover.weight)}</span> ${t("game.weight."
        + game.cover.weight)}</span>`}</span>`;

/** The guide, or the rules of a game that has none. @param {{game: any}} props */
export const HowTo = ({ game }) => (game.guide
  ? html`<a href=${`/guide/${game.key}`} aria-label=${t("guide.of", { game: game.name })}>${t("guide.link")}</a>`
  : html`<a href=${`/rules/${game.key}`} aria-label=${t("new.rules", { game: game.name })}>${t("nav.rules")}</a>`);

/** @param {{games: any[]}} props */
export function Gallery({ games }) {
  const [play, busy, refusal] = useCommand(playNow);
  return html`<${Refusal} text=${refusal} /><ul class="gallery">${games.map((game) => html`<li class="tile"
    key=${game.key}>
    <${Cover} game=${game} />
    <div class="tile-text"><h3 class="display">${game.name}</h3>
      ${game.cover && html`<p>${game.cover.line}</p>`}
      <${Facts} game=${game} />
      <p class="row tile-keys"><button class="main" disabled=${busy} onClick=${() => play(game)}
        aria-label=${t("home.play_game", { game: game.name })}>${t("home.play_now")}</button>
        <a class="button" href=${`/new?game=${game.key}&with=friends`} aria-label=${t("home.with_friends_game",
          { game: game.name })}>${t("home.with_friends")}</a>
        <${HowTo} game=${game} /></p></div></li>`)}</ul>`;
}
