// Where the board is drawn, or told. A board that fails must not take the table with it: the generic one steps in,
// until the match moves on and the board may try again.
import { html, useEffect, useErrorBoundary, useRef } from "../lib.js";
import { t } from "../i18n.js";
import { send } from "../api.js";
import { Light } from "../kit/light.js";
import { useMotion } from "../kit/motion.js";
import * as generic from "./generic.js";

const PLACE = /\/static\/[\w./-]+/;
const PLACES = 5;

/** Tells the operator's log which error it was and where in our files: no message, for that may quote the match. */
const report = (/** @type {any} */ error) => {
  console.error(error);
  const found = String(error?.stack || "").split("\n").map((line) =>
    line.match(/(\/static\/[^\s)?:]+)[^\s):]*:(\d+):(\d+)/));
  const places = found.flatMap((at) => (at && PLACE.test(at[1]) ? [`${at[1]}:${at[2]}:${at[3]}`] : [])).slice(0,
    PLACES);
  const name = /^[A-Za-z]{1,40}$/.test(error?.name) ? error.name : "Error";
  send("POST", "/reports", { error: name, places }).catch(() => {}); // a report is a courtesy
};

/** @param {{module: any, props: any, textMode: boolean, game: string, seq: number}} given */
export function BoardArea({ module, props: given, textMode, game, seq }) {
  const failed = useRef(0);
  const [broken, again] = useErrorBoundary((error) => {
    failed.current = seq;
    report(error);
  });
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (broken && failed.current !== seq) again();
  }, [broken, seq]);
  useMotion(box, seq);
  const name = `board board-${game} look-${game}`;
  const props = { marked: given.recent.flatMap((/** @type {any} */ event) => event.facts || []), ...given };
  if (broken) return html`<${Frame} name=${name} box=${box}><${generic.Board} ...${props} /><//>`;
  if (textMode) return html`<${Words} module=${module} props=${props} box=${box} />`;
  return html`<${Frame} name=${name} box=${box}><${Light} /><${module.Board} ...${props} /><//>`;
}

/** @param {{name: string, box: any, children?: any, [more: string]: any}} props */
const Frame = ({ name, box, children }) => html`<section class=${name} ref=${box} tabindex="-1"
  aria-label=${t("board.label")}>${children}</section>`;

/** @param {{module: any, props: any, box: any}} given */
function Words({ module, props, box }) {
  const sections = module.text?.(props);
  if (!sections) return html`<${Frame} name="board in-words" box=${box}><${generic.Board} ...${props} /><//>`;
  return html`<${Frame} name="board in-words" box=${box}>
    ${sections.map((/** @type {any} */ part) => html`<section class="card" key=${part.title}><h3>${part.title}</h3>
      <ul>${part.lines.map((/** @type {string} */ line) => html`<li>${line}</li>`)}</ul></section>`)}<//>`;
}
