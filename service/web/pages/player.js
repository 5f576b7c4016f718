// Somebody who plays here: results by game, how the rating went, what happened when we met, and matches.
import { html, useEffect } from "../lib.js";
import { day, lang, t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { Failed, Loading, useAnswer } from "../parts/ui.js";
import { Matches } from "../parts/archive.js";

/** @param {{args: string[]}} props */
export default function Player({ args: [name] }) {
  const { me } = useShared();
  const known = decodeURIComponent(name);
  const [player, , refusal] = useAnswer(`/players/${encodeURIComponent(known)}`);
  useEffect(() => void (document.title = `${player?.name || known} · Turnlog`), [player?.name, lang()]);
  if (refusal) return html`<div class="page narrow"><${Failed} message=${refusal} /></div>`;
  if (!player) return html`<${Loading} />`;
  const own = me && me.name === player.name;
  return html`<div class="page player-page"><h1>${own ? t("player.own") : player.name}</h1>
    <p class="soft">${t("player." + player.kind)} ${player.since && t("player.since", { day: day(player.since.slice(0,
      10)) })}</p>
    ${player.games.length === 0 ? html`<p class="note">${t("player.nothing")}</p>`
      : html`<ul class="records">${player.games.map((/** @type {any} */ one) => html`<${Record} key=${one.game}
        one=${one} />`)}</ul>`}
    ${player.kind !== "bot" && html`<h2>${t("player.matches")}</h2><p class="soft">${t(own ? "player.matches_own"
      : "player.matches_about")}</p>
      <${Matches} query=${own ? "mine=true" : `player=${encodeURIComponent(player.name)}`} />`}</div>`;
}

/** @param {{one: any}} props */
const Record = ({ one }) => html`<li class="card record"><h2>${gameName(one.game)}</h2>
  <dl><div><dt>${t("leaders.rating")}</dt><dd>${one.rating} <span class="soft">± ${2 * one.deviation}</span></dd></div>
    <div><dt>${t("leaders.wins")}</dt><dd>${t("leaders.won", one)}</dd></div>
    ${one.you && html`<div><dt>${t("player.you")}</dt><dd>${t("player.you_ahead", one.you)}</dd></div>`}</dl>
  <${Way} way=${one.way} /></li>`;

const WIDTH = 280, HEIGHT = 80, EDGE = 6;

/** The rating over time. @param {{way: {at: string, rating: number}[]}} props */
function Way({ way }) {
  if (way.length < 2) return null;
  const ratings = way.map((one) => one.rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (/** @type {number} */ n) => EDGE + (n * (WIDTH - 2 * EDGE)) / (way.length - 1);
  const y = (/** @type {number} */ rating) => HEIGHT - EDGE - ((rating - low) * (HEIGHT - 2 * EDGE)) / Math.max(1, high
    - low);
  const line = way.map((one, n) => `${x(n).toFixed(1)},${y(one.rating).toFixed(1)}`).join(" ");
  return html`<figure class="way"><svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("player.way",
    { from: ratings[0], to: ratings[ratings.length - 1], low, high })}>
    <polyline points=${line} /><circle cx=${x(way.length - 1)} cy=${y(ratings[ratings.length - 1])} r="4" /></svg>
    <figcaption class="soft small">${low} – ${high}</figcaption></figure>`;
}
