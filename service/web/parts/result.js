// How it ended: who won and why in a sentence, the totals in a row, what next; the details are folded.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { send } from "../api.js";
import { go } from "../route.js";
import { gameName } from "../store.js";
import { share } from "./resultcard.js";
import { Mark, Refusal, useCommand } from "./ui.js";

/** @param {any} result @returns {number[]} seats, the best first */
const ranked = (result) => result.places.map((/** @type {number} */ _, /** @type {number} */ n) => n)
  .sort((/** @type {number} */ a, /** @type {number} */ b) => result.places[a] - result.places[b]);

/** Who won, in a few words. @param {any} result @param {any[]} seats */
function headline(result, seats) {
  const names = result.winners.map((/** @type {number} */ n) => seats[n].name).join(", ");
  if (!names) return t("result.nobody");
  return t(result.winners.length > 1 ? "result.shared" : "result.won", { names });
}

/** Why, in a sentence; a game may have its own. @param {any} result @param {any[]} seats @param {typeof t} word */
function reason(result, seats, word) {
  if (result.how !== "played") return t("result." + result.how);
  const [first, second] = ranked(result);
  if (second === undefined || result.winners.length !== 1) return "";
  const more = result.scores[first] - result.scores[second];
  if (more <= 0) return t("result.tied");
  return word("result.by", { name: seats[first].name, n: result.scores[first], more, other: seats[second].name });
}

/** @param {{match: any, word?: typeof t}} props */
export function Outcome({ match, word = t }) {
  const { result, seats, you } = match;
  const played = result.how === "played";
  const card = { game: gameName(match.game), title: headline(result, seats), reason: reason(result, seats, word),
    look: match.game,
    rows: ranked(result).map((n) => ({ seat: n, name: seats[n].name, points: played ? result.scores[n] : "",
      won: result.winners.includes(n) })) };
  const [give, busy, refusal] = useCommand(() => share(card));
  return html`<section class="card outcome" aria-label=${t("result.title")}>
    <h2>${card.title} ${result.winners.includes(you) ? "★" : ""}</h2>
    ${card.reason && html`<p class="reason">${card.reason}</p>`}
    <ul class="totals">${card.rows.map((row) => html`<li key=${row.seat} class=${row.won ? "won" : ""}>
      <${Mark} seat=${row.seat} size=${22} /> <span class="name">${row.name}</span>
      ${played && html`<b class="points">${row.points}</b>`}</li>`)}</ul>
    <p class="row keys">${you !== null && html`<${Rematch} match=${match} />`}
      <a class="button" href=${`/matches/${match.id}/replay`}>${t("more.replay")}</a>
      <button disabled=${busy} onClick=${() => give()}>${t("result.share")}</button></p><${Refusal} text=${refusal} />
    ${played && html`<details class="how"><summary>${t("result.details")}</summary><div class="columns">
      ${card.rows.map(({ seat }) => html`<${Lines} key=${seat} match=${match}
        seat=${seat} />`)}</div></details>`}</section>`;
}

/** Where a seat's points come from, line by line. @param {{match: any, seat: number}} props */
const Lines = ({ match: { result, seats, game }, seat }) => html`<div class="column">
  <h3><${Mark} seat=${seat} /> ${seats[seat].name} <span class="points">${result.scores[seat]}</span></h3>
  <ol class="lines">${result.breakdown[seat].map((/** @type {any} */ line) => html`<li>
    <span>${line.rule ? html`<a href=${`/rules/${game}#${line.rule}`}>${line.text}</a>` : line.text}</span>
    <b>${line.points}</b></li>`)}</ol></div>`;

/** @param {{match: any}} props */
export function Rematch({ match }) {
  const [again, busy, refusal] = useCommand(async () => go(`/matches/${(await send("POST",
    `/matches/${match.id}/rematch`)).id}`));
  return html`<button class="main" disabled=${busy} onClick=${() => again()}>
    ${t(match.rematch ? "more.join_rematch" : "more.rematch")}</button><${Refusal} text=${refusal} />`;
}
