// The rules as implemented, with the ids that scoring lines link to.
import { html, useEffect, useState } from "../lib.js";
import { lang, t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { Failed, Loading } from "../parts/ui.js";
import { Markdown, chapters } from "../markdown.js";

/** @param {{args: (string | undefined)[]}} props */
export default function Rules({ args: [key] }) {
  const { games } = useShared();
  useEffect(() => void (document.title = `${t("nav.rules")} · Turnlog`), [lang()]);
  if (key) return html`<${OneGame} game=${key} />`;
  return html`<div class="page narrow"><h1>${t("nav.rules")}</h1><ul class="matches">
    ${games.map((game) => html`<li key=${game.key}><a class="match" href=${`/rules/${game.key}`}><strong>${game.name}</strong></a></li>`)}</ul></div>`;
}

/** @param {{game: string}} props */
function OneGame({ game }) {
  const { games } = useShared();
  const [source, set] = useState(/** @type {string | null} */ (null));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    fetch(`/static/games/${game}/rules.md`).then((answer) => (answer.ok ? answer.text() : Promise.reject())).then(set, () => setFailed(true));
  }, [game]);
  useEffect(() => {
    if (source && location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [source]);
  if (failed) return html`<${Failed} />`;
  if (!source) return html`<${Loading} />`;
  const parts = chapters(source);
  const words = parts.filter((part) => /glossary/i.test(part.title));
  const rest = parts.filter((part) => !words.includes(part));
  const options = games.find((one) => one.key === game)?.words || {};
  // The rules are kept in one language, so that there is one truth; Czech readers get the vocabulary first.
  const order = lang() === "en" ? parts : [...words, ...rest];
  return html`<article class="page rules"><h1>${gameName(game)}</h1>
    ${lang() !== "en" && html`<p class="note">${t("rules.language")}</p>`}
    <p><a class="button" href=${`/new?game=${game}`}>${t("rules.play")}</a></p>
    ${Object.keys(options).length > 0 && html`<section class="card"><h2>${t("new.options")}</h2><ul>${Object.values(options).map((option) => html`<li>${option}</li>`)}</ul></section>`}
    <nav class="card" aria-label=${t("rules.contents")}><ul class="contents">${order.filter((part) => part.title).map((part) => html`<li key=${part.title}>
      <a href=${"#" + idOf(part.source)}>${part.title}</a></li>`)}</ul></nav>
    <div lang="en">${order.map((part) => html`<${Markdown} key=${part.title} source=${part.source} />`)}</div></article>`;
}

/** @param {string} source */
const idOf = (source) => (/^## (.*)/.exec(source)?.[1] || "").trim().toLowerCase().replace(/[^\w]+/g, "-");
