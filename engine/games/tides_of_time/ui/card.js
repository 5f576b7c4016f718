// One card: name, suit, and what it scores, as symbols and as a sentence.
import { html } from "/static/lib.js";
import { Scene } from "./art.js";
import { Suit } from "./icons.js";

/** What a card scores, in symbols. @param {{effect: any}} props */
export function Effect({ effect }) {
  const { kind, vp, suit, suits } = effect;
  const icon = (/** @type {string} */ one) => html`<${Suit} suit=${one} size=${16} />`;
  if (kind === "majority") return html`<span>${vp} <i>›</i> ${icon(suit)}</span>`;
  if (kind === "per_suit") return html`<span>${vp} <i>×</i> ${icon(suit)}</span>`;
  if (kind === "per_set") return html`<span>${vp} <i>×</i> ${suits.map(icon)}</span>`;
  if (kind === "per_missing_suit") return html`<span>${vp} <i>×</i> ∅</span>`;
  if (kind === "majority_of_single_suits") return html`<span>${vp} <i>›</i> 1×</span>`;
  if (kind === "double_most_numerous") return html`<span>max <i>×</i> 2</span>`;
  if (kind === "best_single_card") return html`<span>${vp} <i>›</i> max</span>`;
  return html`<span>= ✓</span>`;
}

/**
 * @param {{card: any, lang: string, small?: boolean, badge?: string, points?: number, on?: boolean, order?: number,
 *   fresh?: boolean, tap?: (() => void) | null, from?: string}} props
 */
export function Card({ card, lang, small, badge, points, on, order = 0, fresh, tap, from }) {
  const suit = card.suit ? html`<${Suit} suit=${card.suit} size=${small ? 15 : 20} />` : html`<span
    class="none">◌</span>`;
  const inside = html`<span class="tt-art"><${Scene} id=${card.id} /><span class="tt-suit">${suit}</span></span>
    <span class="tt-name">${card.name[lang]}</span>
    <span class="tt-effect" aria-hidden="true"><${Effect} effect=${card.effect} /></span>
    <span class=${small ? "hidden" : "tt-text"}>${card.text[lang]}</span>
    ${badge && html`<span class="tt-badge">${badge}</span>`}
    ${points !== undefined && html`<span class="tt-points"
      style=${{ animationDelay: `${order * 0.25}s` }}>+${points}</span>`}`;
  const name = `tt-card ${card.suit || "none"} ${small ? "small" : ""} ${on ? "chosen" : ""} ${fresh ? "fresh" : ""}`;
  const piece = { "data-piece": card.id, "data-from": from };
  return tap ? html`<button class=${`${name} can`} ...${piece} aria-pressed=${on ? "true" : "false"}
    onClick=${tap}>${inside}</button>`
    : html`<div class=${name} ...${piece} title=${card.text[lang]}>${inside}</div>`;
}
