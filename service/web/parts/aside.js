// Log, chat and the rest: tabs beside the board where there is room, a drawer where there is not.
import { html, useEffect, useState } from "../lib.js";
import { t } from "../i18n.js";
import { Chat } from "./chat.js";
import { Log } from "./log.js";
import { More } from "./more.js";

/**
 * @param {{live: any, unread: number, read: () => void, open: boolean, close: () => void, light: (event: any) => void,
 *   wanted: string, children?: any, [more: string]: any}} props
 */
export function Aside({ live, unread, read, open, close, light, wanted, children }) {
  const [tab, setTab] = useState(wanted);
  useEffect(() => setTab(wanted), [wanted, open]);
  useEffect(() => {
    if (!open) return;
    const keys = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close();
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  }, [open]);
  const names = ["log", "chat", "more"];
  return html`${open && html`<div class="veil" onClick=${close}></div>`}
  <aside class=${`drawer table-side ${open ? "open" : ""}`} aria-label=${t("aside.label")}>
    <div class="tabs" role="tablist">${names.map((name) => html`<button role="tab" key=${name} id=${`tab-${name}`}
        aria-selected=${tab === name ? "true" : "false"} aria-controls=${`panel-${name}`} onClick=${() => setTab(name)}>
        ${t("tab." + name)} ${name === "chat" && unread > 0 && html`<span class="count">${unread}</span>`}</button>`)}
      <button class="tool drawer-close" onClick=${close} aria-label=${t("strip.close")}>✕</button></div>
    <div class="panel" role="tabpanel" id="panel-log" aria-labelledby="tab-log" hidden=${tab !== "log"}>
      <${Log} match=${live.match} events=${live.events} light=${light} />${children}</div>
    <div class="panel" role="tabpanel" id="panel-chat" aria-labelledby="tab-chat" hidden=${tab !== "chat"}>
      <${Chat} live=${live} unread=${unread} read=${read} /></div>
    <div class="panel" role="tabpanel" id="panel-more" aria-labelledby="tab-more" hidden=${tab !== "more"}>
      <${More} live=${live} /></div>
  </aside>`;
}
