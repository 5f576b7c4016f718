// How it ended: places, points, and where they come from, line by line.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { send } from "../api.js";
import { go } from "../route.js";
import { Mark, Refusal, useCommand } from "./ui.js";

/** @param {{match: any}} props */
export function Outcome({ match }) {
  const { result, seats, game, you } = match;
  const order = seats.map((/** @type {any} */ _, /** @type {number} */ n) => n).sort((/** @type {number} */ a, /** @type {number} */ b) => result.places[a] - result.places[b]);
  const names = result.winners.map((/** @type {number} */ n) => seats[n].name).join(", ");
  const won = result.winners.includes(you);
  return html`<section class="card outcome" aria-label=${t("result.title")}>
    <h2>${names ? t(result.winners.length > 1 ? "result.shared" : "result.won", { names }) : t("result.nobody")} ${won ? "★" : ""}</h2>
    ${result.how !== "played" && html`<p>${t("result." + result.how)}</p>`}
    <ul class="totals">${order.map((/** @type {number} */ n) => html`<li key=${n} class=${result.winners.includes(n) ? "won" : ""}><${Mark} seat=${n} size=${22} /> <span>${seats[n].name}</span>
      ${result.how === "played" && html`<b class="points">${result.scores[n]}</b>`}</li>`)}</ul>
    <p class="row">${you !== null && html`<${Rematch} match=${match} />`}<a class="button" href=${`/matches/${match.id}/replay`}>${t("more.replay")}</a></p>
    ${result.how === "played" && html`<details class="how"><summary>${t("result.details")}</summary><div class="columns">${order.map((/** @type {number} */ n) => html`<div class="column" key=${n}>
      <h3><${Mark} seat=${n} /> ${seats[n].name} <span class="points">${result.scores[n]}</span></h3>
      <ol class="lines">${result.breakdown[n].map((/** @type {any} */ line, /** @type {number} */ i) => html`<li style=${{ animationDelay: `${i * 0.12}s` }}>
        <span>${line.rule ? html`<a href=${`/rules/${game}#${line.rule}`}>${line.text}</a>` : line.text}</span> <b>${line.points}</b></li>`)}</ol>
    </div>`)}</div></details>`}</section>`;
}

/** @param {{match: any}} props */
export function Rematch({ match }) {
  const [again, busy, refusal] = useCommand(async () => go(`/matches/${(await send("POST", `/matches/${match.id}/rematch`)).id}`));
  return html`<button class="main" disabled=${busy} onClick=${() => again()}>${t(match.rematch ? "more.join_rematch" : "more.rematch")}</button><${Refusal} text=${refusal} />`;
}
