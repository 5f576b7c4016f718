// The rules as implemented, with the ids that scoring lines link to.
import { html, useEffect, useState } from "../lib.js";
import { asset } from "../assets.js";
import { lang, t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { Failed, Loading, NotFound } from "../parts/ui.js";
import { boardWords, useBoard } from "../parts/boards.js";
import { Markdown, chapters } from "../markdown.js";

/** @param {{args: (string | undefined)[]}} props */
export default function Rules({ args: [key] }) {
  const { games } = useShared();
  useEffect(() => void (document.title = `${t("nav.rules")} · Turnlog`), [lang()]);
  if (key && games.length && !games.some((game) => game.key === key)) return html`<${NotFound} />`;
  if (key) return html`<${OneGame} game=${key} />`;
  return html`<div class="page narrow"><h1>${t("nav.rules")}</h1><ul class="matches">
    ${games.map((game) => html`<li key=${game.key}><a class="match"
      href=${`/rules/${game.key}`}><strong>${game.name}</strong></a></li>`)}</ul></div>`;
}

/** @param {{game: string}} props */
function OneGame({ game }) {
  const { games } = useShared();
  const board = useBoard(game);
  const [text, failed] = useRules(game, lang());
  useEffect(() => {
    if (board && text && location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))
      ?.scrollIntoView();
  }, [board, text]);
  if (failed) return html`<${Failed} />`;
  if (!text || !board) return html`<${Loading} />`;
  const names = named(board.data, text.language);
  const parts = chapters(text.source);
  const { Components } = board.module;
  const options = games.find((one) => one.key === game)?.words || {};
  return html`<article class="page rules"><h1>${gameName(game)}</h1><p class="soft">${t("guide.exact_about")}</p>
    <p class="row"><a class="button" href=${`/new?game=${game}`}>${t("rules.play")}</a>
      ${games.some((one) => one.key === game && one.guide) && html`<a class="button"
        href=${`/guide/${game}`}>${t("guide.link")}</a>`}</p>
    ${Object.keys(options).length > 0 && html`<section
      class="card"><h2>${t("new.options")}</h2><ul>${Object.values(options).map((option) =>
        html`<li>${option}</li>`)}</ul></section>`}
    <nav class="card" aria-label=${t("rules.contents")}><ul class="contents">${parts.filter((part) => part.title)
      .map((part) => html`<li key=${part.id}>
      <a href=${"#" + part.id}>${part.title}</a></li>`)}
      ${Components && html`<li><a href="#components">${t("rules.components")}</a></li>`}</ul></nav>
    <div lang=${text.language}>${parts.map((part) => html`<${Markdown} key=${part.id} source=${part.source}
      names=${names} />`)}</div>
    ${Components && html`<h2 id="components">${t("rules.components")}</h2><${Components} data=${board.data}
      lang=${lang()} t=${boardWords(board.words)} />`}</article>`;
}

/**
 * A game's rules in the reader's language, or in the one the server has them in; on a switch the old text stays until
 *   the new one is here.
 * @param {string} game
 * @param {string} language
 */
function useRules(game, language) {
  const [text, set] = useState(/** @type {{source: string, language: string} | null} */ (null));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let wanted = true;
    setFailed(false);
    fetch(asset(`games/${game}/${language === "en" ? "rules.md" : `rules.${language}.md`}`))
      .then(async (answer) => (answer.ok ? { source: await answer.text(),
        language: answer.headers.get("Content-Language") || language } : Promise.reject()))
      .then((found) => wanted && set(found), () => wanted && setFailed(true));
    return () => void (wanted = false);
  }, [game, language]);
  return /** @type {const} */ ([text, failed]);
}

/**
 * What a game's data.json calls its parts, by id.
 * @param {any} data
 * @param {string} language
 * @param {Map<string, string>} [found]
 */
function named(data, language, found = new Map()) {
  if (typeof data !== "object" || data === null) return found;
  if (typeof data.id === "string" && data.name?.[language]) found.set(data.id, data.name[language]);
  for (const part of Object.values(data)) named(part, language, found);
  return found;
}
