// A board that may be larger than the screen: it scrolls in its own frame, never the page.
import { html, useState } from "../lib.js";
import { t } from "../i18n.js";

const STEPS = [100, 150, 220];

/** @param {{children?: any, [more: string]: any}} props */
export function Zoom({ children }) {
  const [step, set] = useState(0);
  return html`<div class=${`zoom ${step ? "zoomed" : ""}`}>
    <div class="zoom-keys"><button class="small" disabled=${step === 0} onClick=${() => set(step - 1)} aria-label=${t("zoom.out")}>−</button>
      <button class="small" disabled=${step === STEPS.length - 1} onClick=${() => set(step + 1)} aria-label=${t("zoom.in")}>+</button></div>
    <div class="zoom-box" tabindex=${step ? 0 : null}><div style=${{ width: `${STEPS[step]}%` }}>${children}</div></div>
  </div>`;
}
