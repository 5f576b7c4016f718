// An invitation to pass on: by the phone's own share sheet, as a link, as a code for the camera of whoever sits beside.
import { html, useMemo } from "../lib.js";
import { t } from "../i18n.js";
import { Copy } from "./ui.js";
import { encode } from "../vendor/uqr-0.1.3.js";

/** @param {{link: string, title: string, text: string}} props */
export function Invitation({ link, title, text }) {
  const given = new URL(link);
  const here = location.origin + given.pathname + given.search;
  const share = () => navigator.share({ title, text, url: here })
    .catch(() => {}); // closed without sending: nothing is wrong
  return html`<section class="card invitation"><h2>${t("lobby.invite")}</h2><p
    class="soft">${t("lobby.invite_about")}</p>
    ${"share" in navigator && html`<p><button class="main" onClick=${share}>${t("lobby.share")}</button></p>`}
    <${Copy} text=${here} label=${t("lobby.invite")} />
    <details class="qr"><summary>${t("lobby.qr")}</summary><${QrCode} text=${here} /></details></section>`;
}

/** @param {{text: string}} props */
function QrCode({ text }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: "M", border: 2 });
    const dark = data.flatMap((/** @type {boolean[]} */ row, /** @type {number} */ y) => row.map((on, x) => (on
      ? `M${x} ${y}h1v1h-1z` : "")));
    return { size, path: dark.join("") };
  }, [text]);
  return html`<svg class="qr-code" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${t("lobby.qr")}>
    <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" /></svg>`;
}
