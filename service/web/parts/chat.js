// What is said at the table. Text is text: nothing in it becomes a link, a picture or markup.
import { html, useEffect, useRef, useState } from "../lib.js";
import { keep, remember, t, when } from "../i18n.js";
import { Mark, Refusal, submit, useCommand } from "./ui.js";

const LONGEST = 500;
const AFTERWARDS_MS = 10_000; // a finished match has no stream any more, but people talk on and offer a rematch

/** How much of it was not seen yet; what was seen is remembered in this browser. @param {any} live */
export function useUnread({ match, chat }) {
  const key = `chat.${match.id}`;
  const [seen, set] = useState(Number(remember(key)) || 0);
  const newest = chat.length ? chat[chat.length - 1].id : 0;
  const unread = chat.filter((/** @type {any} */ one) => one.id > seen && one.seat !== match.you).length;
  const read = () => {
    if (newest <= seen) return;
    set(newest);
    keep(key, String(newest));
  };
  return { unread, read };
}

/** @param {{live: any, unread: number, read: () => void}} props */
export function Chat({ live, unread, read }) {
  const { match, chat } = live;
  const box = useRef(/** @type {any} */ (null));
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => setVisible(entry.isIntersecting));
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    box.current.scrollTop = box.current.scrollHeight;
  }, [chat.length]);
  useEffect(() => {
    if (visible && !document.hidden) read();
  }, [visible, chat.length]);
  useEffect(() => {
    if (match.status !== "finished") return;
    const timer = setInterval(() => document.hidden || (live.look(), live.readChat().catch(() => {})),
      AFTERWARDS_MS); // the next one may succeed
    return () => clearInterval(timer);
  }, [match.status]);
  return html`<section class="card chat" id="chat"><h2>${t("chat.title")} ${unread > 0 && html`<span
    class="count">${unread}</span>`}</h2>
    <ol ref=${box} tabindex="0" aria-label=${t("chat.title")} aria-live="polite">${chat.map((/** @type {any} */ one) =>
      html`<li key=${one.id} class=${one.seat === match.you ? "own" : ""}>
      <span class="by"><${Mark} seat=${one.seat} size=${12} /> ${one.name} <span
        class="soft">${when(one.at)}</span></span>
      <span class="text">${one.text}</span></li>`)}</ol>
    ${!chat.length && html`<p class="soft">${t("chat.empty")}</p>`}
    <p class="soft small">${t(match.listed ? "chat.read_by_all" : "chat.read_by_table")}</p>
    ${match.you !== null && match.status !== "cancelled" && html`<${Say} live=${live} />`}</section>`;
}

/** @param {{live: any}} props */
function Say({ live }) {
  const [text, set] = useState("");
  const [run, busy, refusal] = useCommand(async () => {
    if (!text.trim()) return;
    await live.say(text.trim());
    set("");
  });
  return html`<form class="say" onSubmit=${submit(run)}><input aria-label=${t("chat.say")} placeholder=${t("chat.say")}
    maxlength=${LONGEST} autocomplete="off" value=${text}
      onInput=${(/** @type {any} */ event) => set(event.target.value)} /><button
        disabled=${busy}>${t("chat.send")}</button><${Refusal} text=${refusal} /></form>`;
}

/**
 * A sign at the top of the table that somebody has said something.
 * @param {{unread: number, open: () => void}} props
 */
export const Unread = ({ unread, open }) =>
  unread > 0 ? html`<a class="unread" href="#chat" onClick=${open} aria-label=${t("chat.unread", { n: unread })}>
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path
      d="M2 3h16v10H9l-4 4v-4H2z" /></svg> ${unread}</a>` : null;
