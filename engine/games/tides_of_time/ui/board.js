// Tides of Time: two kingdoms, a hand, and the points card by card.
import { html } from "/static/lib.js";
import { Mark } from "/static/parts/ui.js";
import { Card } from "./card.js";
import { Suit } from "./icons.js";

const ROUNDS = [0, 1, 2];

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

/** @param {View} view */
export const scores = (view) => view.players.map((player) => sum(player.scores));

/** @param {number[]} list */
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** @param {Props} props */
export function prompt({ view, legal, seat, pick, t }) {
  if (!legal.length || seat === null) return "";
  if (view.players[seat].committed) return t("prompt.change");
  if (view.phase === "draft") return t("prompt.play");
  return t(pick.relic ? "prompt.discard" : "prompt.relic");
}

/** @param {string} field @param {any} value @param {Props} props */
export function valueName(field, value, { data, lang }) {
  return ["card", "relic", "discard"].includes(field) ? card(data, value).name[lang] : null;
}

/** @param {any} data @param {string} id */
const card = (data, id) => data.cards.find((/** @type {any} */ one) => one.id === id);

/** What tapping a card of the hand means now. @param {Props} props @param {string} id */
function part({ view, pick }, id) {
  if (view.phase === "draft") return { type: "play", card: id };
  if (pick.relic === id) return {};
  return pick.relic && !pick.discard ? { ...pick, discard: id } : { type: "keep", relic: id };
}

/** What the chosen card scores, in words. @param {any} action @param {Props} props */
export function about(action, { data, lang }) {
  return action.type === "play" ? card(data, action.card).text[lang] : "";
}

/** @param {View} view @param {number} seat */
export const figures = (view, seat) => [{ key: "points", n: sum(view.players[seat].scores) }, 
  { key: "hand", n: view.players[seat].hand_size, icon: html`<span class="backs"><i></i></span>` }];

/** A fan of what lies before somebody. @param {{props: Props, owner: number}} given */
export const Mini = ({ props: { view, data }, owner }) => html`<span
  class="tt-fan">${shown(view, owner).map((/** @type {string} */ id) =>
  html`<i key=${id} class=${card(data, id).suit || "none"}></i>`)}</span>`;

/** @param {Props} props */
export function Board(props) {
  const { view, seat, names, t } = props;
  const mine = seat ?? 1;
  return html`<div class="tt">
    <p class="row tt-round"><strong>${t("tt.round", { round: view.round })}</strong> <span>${t("tt.deck",
      { n: view.deck_size })}</span></p>
    <div class="tt-both"><${Kingdom} props=${props} owner=${1 - mine} /><${Kingdom} props=${props}
      owner=${mine} /></div>
    ${seat !== null && (view.players[seat].hand || []).length > 0 && html`<${Hand} props=${props} />`}
    ${view.opponent_known && view.opponent_known.length > 0 && view.phase === "draft" && html`<details
      class="tt-more"><summary>${t("tt.known")} (${view.opponent_known.length})</summary>
      <div class="tt-cards">${view.opponent_known.map((/** @type {string} */ id) => html`<${Card} key=${id}
        card=${card(props.data, id)} lang=${props.lang} small=${true} />`)}</div></details>`}
    ${view.discards.length > 0 && html`<details
      class="tt-more"><summary>${t("tt.removed")} (${view.discards.length})</summary>
      <ul>${view.discards.map((gone) => html`<li>${card(props.data, gone.card).name[props.lang]} <span
        class="soft">(${names[gone.seat]})</span></li>`)}</ul></details>`}
  </div>`;
}

/**
 * The scored kingdom stays on the table while relics are chosen; one's own is in the hand then.
 * @param {View} view
 * @param {number} owner
 */
function shown(view, owner) {
  const player = view.players[owner];
  return view.phase === "keep" && owner !== view.seat ? [...player.kingdom, ...(player.hand || [])] : player.kingdom;
}

/**
 * Cards that are chosen and lie face down until both have: one to play; one to keep and one to remove.
 * @param {View} view
 * @param {number} owner
 */
const hidden = (view, owner) => (!view.players[owner].committed || view.phase === "over" ? 0 : view.phase === "draft"
  ? 1 : 2);

/** What each card scored just now. @param {View} view @param {number} owner @returns {Record<string, number>} */
const earned = (view, owner) => (view.phase === "draft" ? {} : view.players[owner].breakdown.at(-1) || {});

/** @param {{props: Props, owner: number}} given */
function Kingdom({ props, owner }) {
  const { view, data, lang, names, t, seat } = props;
  const player = view.players[owner];
  const cards = shown(view, owner);
  const points = earned(view, owner);
  const fresh = new Set([...props.recent.flatMap((event) => event.facts || []), ...props.marked]
    .filter((fact) => ["revealed", "forced"].includes(fact.type)).slice(-1).flatMap((fact) => fact.cards));
  const status = view.phase === "over" ? "" : player.committed ? t("tt.committed") : t("tt.thinking");
  return html`<section class=${`tt-kingdom ${owner === seat ? "mine" : ""}`}
    aria-label=${t("tt.kingdom", { name: names[owner] })}>
    <header class="row spread"><h2 class="row"><${Mark} seat=${owner} /> ${names[owner]} ${status && html`<span
      class=${`chip ${player.committed ? "done" : ""}`}>${player.committed ? "✓ " : ""}${status}</span>`}</h2>
      <span class="row">${owner !== seat && view.phase === "draft" && html`<span class="backs" role="img"
        aria-label=${t("tt.cards", { n: player.hand_size })}>${Array.from({ length: player.hand_size }, () =>
          html`<i></i>`)}</span>`}<${Totals} player=${player} t=${t} /></span></header>
    <p class="row tt-suits">${data.suits.map((/** @type {any} */ suit) => html`<span class="nowrap"><${Suit}
      suit=${suit.id} size=${18} label=${suit.name[lang]} /> ${cards.filter((/** @type {string} */ id) => card(data, id)
        .suit === suit.id).length}</span>`)}</p>
    ${cards.length === 0 && !hidden(view, owner) ? html`<p class="soft">${t("tt.empty")}</p>` : html`<div
      class="tt-cards">${cards.map((/** @type {string} */ id, /** @type {number} */ n) => html`<${Card} key=${id}
        card=${card(data, id)} lang=${lang} small=${true}
      badge=${player.relics.includes(id) ? t("tt.relic") : ""} points=${points[id]} order=${n} fresh=${fresh.has(id)}
        from=${`[data-seat="${owner}"]`} />`)}
      ${Array.from({ length: hidden(view, owner) }, (_, n) => html`<div key=${`back${n}`} class="tt-card small tt-back"
        role="img" aria-label=${t("tt.face_down")}></div>`)}</div>`}
  </section>`;
}

/** @param {{player: any, t: Props["t"]}} props */
const Totals = ({ player, t }) => html`<span
  class="tt-totals">${ROUNDS.map((n) => html`<span>${player.scores[n] ?? "·"}</span>`)}
  <b title=${t("tt.total")}>${sum(player.scores)}</b></span>`;

/** @param {{props: Props}} given */
function Hand({ props }) {
  const { view, seat, legal, pick, choose, data, lang, t, say } = props;
  const player = view.players[/** @type {number} */ (seat)];
  /** @type {Record<string, any>} */
  const chosen = Object.keys(pick).length ? pick : player.choice || {};
  /** @param {string} id */
  const badge = (id) => (chosen.relic === id ? t("tt.keeps") : chosen.discard === id ? t("tt.removes")
    : chosen.card === id ? t("tt.chosen") : "");
  /** @param {string} id */
  const tap = (id) => {
    const next = part(props, id);
    const fits = legal.some((action) => Object.entries(next).every(([field, value]) => action[field] === value));
    if (fits) choose(next);
    else say(t("why.not_now"));
  };
  const points = earned(view, /** @type {number} */ (seat));
  return html`<section class=${`tt-hand ${legal.length ? "acts" : ""}`}><h2>${t("tt.hand")}</h2><div
    class="tt-cards big">${(player.hand || []).map((/** @type {string} */ id) => html`<${Card} key=${id}
      card=${card(data, id)}
      lang=${lang}
    points=${points[id]} badge=${badge(id)} on=${Boolean(badge(id))} from=${`[data-seat="${1
      - /** @type {number} */ (seat)}"]`}
    tap=${legal.length ? () => tap(id) : null} />`)}</div></section>`;
}

/** @param {Props} props */
export function text({ view, names, data, lang, t }) {
  /** @param {string} id */
  const told = (id) => {
    const one = card(data, id);
    const suit = data.suits.find((/** @type {any} */ s) => s.id === one.suit);
    return `${one.name[lang]} (${suit ? suit.name[lang] : t("tt.no_suit")}): ${one.text[lang]}`;
  };
  return view.players.map((player, /** @type {number} */ n) => ({
    title: t("tt.kingdom", { name: names[n] }),
    lines: [...shown(view, n).map(told), `${t("tt.total")}: ${sum(player.scores)} (${player.scores.join(" + ") || 0})`,
      t("tt.cards", { n: player.hand_size })],
  })).concat(view.seat === null || !view.players[view.seat].hand?.length ? [] : [{ title: t("tt.hand"),
    lines: (view.players[view.seat].hand || []).map(told) }]);
}
