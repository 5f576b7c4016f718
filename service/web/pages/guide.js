// How a game is played, in a few pictures: the goal, a turn, the counting. The exact rules are elsewhere.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { lang, t } from "../i18n.js";
import { learn } from "../play.js";
import { gameName, useShared } from "../store.js";
import { useBoard } from "../parts/boards.js";
import { Picture } from "../parts/picture.js";
import { Failed, Loading, NotFound, Refusal, said, useCommand } from "../parts/ui.js";

const PARTS = ["goal", "turn", "scoring"];

/** @param {{args: string[]}} props */
export default function Guide({ args: [key] }) {
  const { games } = useShared();
  const board = useBoard(key);
  const [guide, set] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const game = games.find((one) => one.key === key);
  const look = () => get(`/games/${key}/guide`).then(set, (refused) => setProblem(said(refused)));
  useEffect(() => void look(), [key, lang()]);
  useEffect(() => void (document.title = `${t("guide.title", { game: gameName(key) })} · Turnlog`), [key, lang()]);
  if (games.length && !game) return html`<${NotFound} />`;
  if (problem) return html`<div class="page"><${Failed} message=${problem} again=${look} /></div>`;
  if (!guide || !board || !game) return html`<${Loading} />`;
  return html`<article class="page guide"><header><h1>${t("guide.title", { game: gameName(key) })}</h1><${Ways}
    game=${game} /></header>
    ${!guide.steps.length && html`<p>${t("guide.none")}</p>`}
    ${PARTS.map((part) => html`<${Chapter} key=${part} part=${part} game=${key} board=${board}
      steps=${guide.steps} />`)}
    ${guide.steps.length > 0 && html`<${Try} game=${game} />`}</article>`;
}

/** Where else to go. @param {{game: any}} props */
function Ways({ game }) {
  const match = new URLSearchParams(location.search).get("match") || "";
  return html`<p class="row">${/^[\w-]+$/.test(match) && html`<a class="button main"
    href=${`/matches/${match}`}>${t("guide.back")}</a>`}
    <a class="button" href=${`/rules/${game.key}`}>${t("guide.exact")}</a></p>`;
}

/** @param {{part: string, game: string, board: any, steps: any[]}} props */
const Chapter = ({ part, game, board, steps }) => html`<section class="guide-part"><h2>${t("guide." + part)}</h2>
  ${steps.map((step, n) => step.part === part && html`<figure class="guide-step" key=${`${n}${lang()}`}>
    <${Picture} game=${game} board=${board} step=${step} />
    <figcaption><h3><span class="guide-number" aria-hidden="true">${n
      + 1}</span> ${step.title}</h3><p>${step.text}</p></figcaption></figure>`)}</section>`;

/** @param {{game: any}} props */
function Try({ game }) {
  const [play, busy, refusal] = useCommand(learn);
  return html`<section class="card guide-try"><div><h2>${t("guide.try")}</h2><p>${t("guide.try_about")}</p><${Refusal}
    text=${refusal} /></div>
    <button class="main" disabled=${busy} onClick=${() => play(game)}>${t("rules.play")}</button></section>`;
}
