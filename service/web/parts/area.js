// Where the board is drawn, or told. A board that fails must not take the table with it: the generic one steps in,
// until the match moves on and the board may try again.
import { html, useEffect, useErrorBoundary } from "../lib.js";
import { t } from "../i18n.js";
import * as generic from "./generic.js";

/** @param {{module: any, props: any, textMode: boolean, game: string, seq: number}} given */
export function BoardArea({ module, props, textMode, game, seq }) {
  const [broken, again] = useErrorBoundary((error) => console.error(error));
  useEffect(() => again(), [seq]);
  if (broken) return html`<section class="board" tabindex="-1" aria-label=${t("board.label")}><${generic.Board} ...${props} /></section>`;
  const name = `board board-${game}`;
  if (!textMode) return html`<section class=${name} tabindex="-1" aria-label=${t("board.label")}><${module.Board} ...${props} /></section>`;
  const sections = module.text?.(props);
  return html`<section class="board in-words" tabindex="-1" aria-label=${t("board.label")}>
    ${sections ? sections.map((/** @type {any} */ part) => html`<section class="card" key=${part.title}><h3>${part.title}</h3>
      <ul>${part.lines.map((/** @type {string} */ line) => html`<li>${line}</li>`)}</ul></section>`) : html`<${generic.Board} ...${props} />`}
  </section>`;
}
