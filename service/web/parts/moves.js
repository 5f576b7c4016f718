// Every move of a match as a list: a tap leads to the moment, and the list follows the moment.
import { html, useEffect, useRef } from "../lib.js";
import { t } from "../i18n.js";
import { told } from "./log.js";

/** @param {{events: any[], names: string[], seq: number, jump: (seq: number) => void}} props */
export function Moves({ events, names, seq, jump }) {
  const list = useRef(/** @type {any} */ (null));
  const moves = events.filter((event) => event.kind === "acted" || event.kind === "undone");
  const now = moves.filter((event) => event.seq <= seq).pop()?.seq;
  useEffect(() => {
    const [box, line] = [list.current, list.current?.querySelector("[aria-current]")];
    if (line) box.scrollTop = line.offsetTop - box.clientHeight / 2;
  }, [now]);
  if (!moves.length) return null;
  return html`<section class="card moves"><h2>${t("replay.moves")}</h2><ol ref=${list} tabindex="0"
    aria-label=${t("replay.moves")}>
    ${moves.map((event) => html`<li key=${event.seq}><button class="quiet wide" aria-current=${event.seq === now
      ? "step" : undefined} onClick=${() => jump(event.seq)}>
      <span>${told(event, names).join(" ") || event.kind}</span></button></li>`)}</ol></section>`;
}
