// Everybody at the table in a strip: key figures and a small board each; a tap enlarges it.
import { html, useEffect, useRef, useState } from "../lib.js";
import { t } from "../i18n.js";
import { Mark } from "./ui.js";
import { Deadline } from "./clock.js";
import { playerPage } from "./seats.js";

/** @param {{match: any, module: any, props: any}} given */
export function Strip({ match, module, props }) {
  const [open, setOpen] = useState(/** @type {number | null} */ (null));
  const you = match.you ?? -1;
  const order = match.seats.map((/** @type {any} */ _, /** @type {number} */ n) => n)
    .sort((/** @type {number} */ a, /** @type {number} */ b) => Number(b === you) - Number(a === you));
  return html`<section class="strip seats" aria-label=${t("seats.title")}><ul class="plain">
      ${order.map((/** @type {number} */ n) => html`<${Person} key=${n} match=${match} seat=${match.seats[n]}
        module=${module}
        props=${props} open=${() => setOpen(n)} />`)}</ul>
    ${match.seats.some((/** @type {any} */ seat) => seat.caretaker || seat.substitute)
      && html`<p class="soft substitutes">${t("seats.substitutes")}</p>`}
    ${open !== null && html`<${Enlarged} module=${module} props=${props} owner=${open}
      page=${playerPage(match.seats[open])} close=${() => setOpen(null)} />`}
  </section>`;
}

/** @param {{match: any, seat: any, module: any, props: any, open: () => void}} given */
function Person({ match, seat, module, props, open }) {
  const acts = match.to_act.includes(seat.seat);
  const you = seat.seat === match.you;
  const state = seat.resigned ? "resigned" : seat.caretaker ? "caretaker" : seat.substitute ? "substitute" : "";
  const opens = module.Area && !you;
  const page = playerPage(seat);
  const called = page && !opens ? html`<a href=${page}>${seat.name}</a>` : seat.name; // no link inside a button
  const inside = html`<span class="who"><${Mark} seat=${seat.seat} size=${16} /> <span class="name">${called}
      ${you && html`<em class="hidden">(${t("seat.you")})</em>`}</span></span>
    <${Figures} module=${module} props=${props} owner=${seat.seat} />
    ${module.Mini && !you && html`<span class="mini" aria-hidden="true"><${module.Mini} props=${props}
      owner=${seat.seat} /></span>`}
    ${acts && html`<span class="to-act">${t("seat.to_act")}</span>`}
    ${state && html`<span class="soft state">${t("seat." + state)}</span>`}`;
  const name = `person seat-${seat.seat} ${acts ? "acts" : ""} ${you ? "you" : ""}`;
  return html`<li class=${name} data-seat=${seat.seat}>
    ${opens ? html`<button class="see" onClick=${open}
      title=${t("strip.open", { name: seat.name })}>${inside}</button>`
      : html`<div class="see">${inside}</div>`}
    ${match.clock?.deadlines?.[seat.seat] && html`<${Deadline} at=${match.clock.deadlines[seat.seat]} />`}</li>`;
}

/** The numbers that a seat is known by. @param {{module: any, props: any, owner: number}} given */
export function Figures({ module, props, owner }) {
  const figures = module.figures?.(props.view, owner, props) || [];
  return html`<span class="figures">${figures.map((/** @type {any} */ one, /** @type {number} */ n) => html`<span
    key=${one.key}
    class=${`figure ${n ? "" : "points"}`} title=${props.t("figure." + one.key)}>${one.icon}
    <span class="hidden">${props.t("figure." + one.key)}</span> <${Count} n=${one.n} /></span>`)}</span>`;
}

const TICKS = 8;
const TICK_MS = 40;

/** A number that counts to where it is now, if things may move. @param {{n: number}} props */
function Count({ n }) {
  const [shown, show] = useState(n);
  useEffect(() => {
    if (shown === n) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return show(n);
    const left = n - shown;
    const timer = setTimeout(() => show(shown + Math.sign(left) * Math.ceil(Math.abs(left) / TICKS)), TICK_MS);
    return () => clearTimeout(timer);
  }, [n, shown]);
  return html`<b class=${shown === n ? "" : "counting"}>${shown}</b>`;
}

/** Somebody's area in full. @param {{module: any, props: any, owner: number, page: string, close: () => void}} given */
function Enlarged({ module, props, owner, page, close }) {
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => box.current.showModal(), []);
  return html`<dialog class=${`enlarged ${props.look}`} ref=${box} onClose=${close} aria-label=${props.names[owner]}
    onClick=${(/** @type {any} */ event) => event.target === box.current && box.current.close()}>
    <header class="row spread"><h2 class="row"><${Mark} seat=${owner} />
      ${page ? html`<a href=${page}>${props.names[owner]}</a>` : props.names[owner]}</h2>
      <button class="tool" onClick=${() => box.current.close()} aria-label=${t("strip.close")}>✕</button></header>
    <${Figures} module=${module} props=${props} owner=${owner} />
    <${module.Area} props=${props} owner=${owner} /></dialog>`;
}
