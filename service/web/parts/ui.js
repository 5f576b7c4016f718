// Small things that every page uses.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { t } from "../i18n.js";

export const Loading = () => html`<p class="loading" role="status">${t("loading")}</p>`;

/** @param {{message?: string, again?: () => void}} props */
export const Failed = ({ message, again }) => html`<div class="note bad" role="alert">
  <p>${message || t("failed")}</p>
  ${again && html`<button onClick=${again}>${t("again")}</button>`}
</div>`;

/** Nothing lies at this address, or nothing for whoever asks. */
export const NotFound = () => html`<div class="page narrow"><section class="card"><h1>${t("not_found.title")}</h1>
  <p>${t("not_found.about")}</p><p><a class="button main" href="/">${t("not_found.home")}</a></p></section></div>`;

/** What a refusal says to people. @param {any} problem */
export const said = (problem) => (problem?.code === "offline" || !problem?.message ? t("offline") : problem.message);

/**
 * Runs a command and keeps its refusal. Returns [run, busy, refusal].
 * @param {(...given: any[]) => Promise<any>} command
 * @returns {[(...given: any[]) => Promise<void>, boolean, string]}
 */
export function useCommand(command) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  /** @param {any[]} given */
  const run = async (...given) => {
    setBusy(true);
    setRefusal("");
    try {
      await command(...given);
    } catch (problem) {
      setRefusal(said(problem));
    }
    setBusy(false);
  };
  return [run, busy, refusal];
}

/** @param {{text: string}} props */
export const Refusal = ({ text }) => (text ? html`<p class="note bad" role="alert">${text}</p>` : null);

// A seat is known by its shape as well as by its colour.
const SHAPES = [
  html`<circle cx="10" cy="10" r="8" />`,
  html`<rect x="2.5" y="2.5" width="15" height="15" rx="2" />`,
  html`<path d="M10 1.5 19 17.5H1z" />`,
  html`<path d="M10 .5 19.5 10 10 19.5.5 10z" />`,
  html`<path d="M10 1l2.7 6 6.3.6-4.8 4.2 1.5 6.5L10 14.8l-5.7 3.5 1.5-6.5L1 7.6 7.3 7z" />`,
];

/** The mark of a seat. @param {{seat: number, size?: number}} props */
export const Mark = ({ seat, size = 20 }) => html`<svg class=${`mark seat${seat}`} viewBox="0 0 20 20" width=${size}
  height=${size} aria-hidden="true">${SHAPES[seat % SHAPES.length]}</svg>`;

/** The same inside another drawing. @param {{seat: number, x: number, y: number, size: number}} props */
export const MarkAt = ({ seat, x, y, size }) => html`<g class=${`mark seat${seat}`}
  transform=${`translate(${x - size / 2} ${y - size / 2}) scale(${size / 20})`}>${SHAPES[seat % SHAPES.length]}</g>`;

/** @param {{label: string, children?: any, [more: string]: any}} props */
export const Field = ({ label, children }) => html`<label class="field"><span>${label}</span>${children}</label>`;

/** Whether tokens outlive a change of password. @param {{keep: boolean, set: (keep: boolean) => void}} props */
export const KeepTokens = ({ keep, set }) => html`<p class="soft">${t("password.ends")}</p>
  <label class="check"><input type="checkbox" name="keep" checked=${keep} onChange=${() =>
    set(!keep)} /> ${t("password.keep")}</label>`;

/** Runs a form's command instead of sending the form. @param {(event: any) => void} run */
export const submit = (run) => (/** @type {Event} */ event) => {
  event.preventDefault();
  run(event);
};

/**
 * What an address answers, and how to ask again. Returns [answer or null, look, refusal].
 * @param {string} path below /api
 * @returns {[any, () => Promise<void>, string]}
 */
export function useAnswer(path) {
  const [answer, set] = useState(/** @type {any} */ (null));
  const [refusal, setRefusal] = useState("");
  const look = async () => set(await get(path));
  useEffect(() => {
    look().then(() => setRefusal(""), (problem) => setRefusal(said(problem)));
  }, [path]);
  return [answer, look, refusal];
}

/**
 * Something to copy: selected when touched, and a button where the browser has a clipboard.
 * @param {{text: string, label: string}} props
 */
export function Copy({ text, label }) {
  const [copied, set] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => set(true), () => set(false));
  return html`<span class="copy"><input class="break" readonly value=${text} aria-label=${label}
    onFocus=${(/** @type {any} */ event) => event.target.select()} />
    ${navigator.clipboard && html`<button type="button" onClick=${copy}>${t(copied ? "lobby.copied"
      : "lobby.copy")}</button>`}</span>`;
}
