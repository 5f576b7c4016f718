// The shell: header, the page for this address, footer.
import { html, render, useEffect, useRef, useState } from "./lib.js";
import { LANGS, lang, t } from "./i18n.js";
import { begin, sendQueued, switchLanguage, shared, switchTheme, update, useShared } from "./store.js";
import { listen } from "./calls.js";
import { follow, go, useRoute } from "./route.js";
import "./assets.js";
import { Failed, Loading, NotFound } from "./parts/ui.js";
import { Line } from "./parts/line.js";
import { Naming } from "./parts/naming.js";

/** Which module draws which address; each is fetched when it is first needed. */
const PAGES = [
  { at: /^\/$/, from: () => import("./pages/home.js") },
  { at: /^\/new$/, from: () => import("./pages/new.js") },
  { at: /^\/sign-in$/, from: () => import("./pages/sign.js") },
  { at: /^\/recovery\/([\w.-]+)$/, from: () => import("./pages/recovery.js") },
  { at: /^\/settings$/, from: () => import("./pages/settings.js") },
  { at: /^\/embed\/matches\/([\w-]+)$/, from: () => import("./pages/embed.js") },
  { at: /^\/archive$/, from: () => import("./pages/archive.js") },
  { at: /^\/players\/([^/]+)$/, from: () => import("./pages/player.js") },
  { at: /^\/leaderboard$/, from: () => import("./pages/leaderboard.js") },
  { at: /^\/guide\/([\w-]+)$/, from: () => import("./pages/guide.js") },
  { at: /^\/rules(?:\/([\w-]+))?$/, from: () => import("./pages/rules.js") },
  { at: /^\/matches\/([\w-]+)\/replay$/, from: () => import("./pages/replay.js") },
  { at: /^\/matches\/([\w-]+)\/seats\/(\d+)$/, from: () => import("./pages/substitute.js") },
  { at: /^\/matches\/([\w-]+)$/, from: () => import("./pages/table.js") },
];

const THEMES = ["auto", "light", "dark"];

function Header() {
  const { me, theme } = useShared();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`<header class="top">
    <a class="brand" href="/"><svg role="img" aria-label="Turnlog" viewBox="0 0 32 32" width="28" height="28"><rect
      width="32" height="32" rx="7" fill="#1d5c63"/><path d="M8 8h16v4h-6v13h-4V12H8z" fill="#fff"/><circle cx="24"
        cy="23" r="3" fill="#f2b84b"/></svg> <span aria-hidden="true">Turnlog</span></a>
    <nav aria-label=${t("nav.main")}>
      <a href="/new">${t("nav.new")}</a>
      <a href="/rules">${t("nav.rules")}</a>
      <a href="/leaderboard" class="roomy">${t("nav.leaderboard")}</a>
      ${me ? html`<a href="/settings" class="me">${me.name}</a>` : html`<a href="/sign-in">${t("nav.sign_in")}</a>`}
      <button class="quiet icon" onClick=${() => switchTheme(next)} title=${t("theme." + theme)}
        aria-label=${t("theme.switch", { theme: t("theme." + theme) })}>${{ auto: "◐", light: "☀",
          dark: "☾" }[theme]}</button>
      ${LANGS.filter((tag) => tag !== lang()).map(
        (tag) => html`<button class="quiet icon" lang=${tag} onClick=${() => switchLanguage(tag)}
          aria-label=${`${tag.toUpperCase()}: ${t("lang.to_" + tag)}`}>${tag.toUpperCase()}</button>`,
      )}
    </nav>
  </header>`;
}

function App() {
  const { ready, me } = useShared();
  const path = useRoute();
  const [page, setPage] = useState(/** @type {any} */ (null));
  const [failed, setFailed] = useState(false);
  // A part of this page is not there: there is no line, or there is a newer edition. Loading anew, once, tells which.
  const missing = () => {
    if (navigator.onLine && sessionStorage.getItem("turnlog.anew") !== location.href) {
      sessionStorage.setItem("turnlog.anew", location.href);
      location.reload();
    } else setFailed(true);
  };
  const main = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const found = PAGES.find((one) => one.at.test(path));
    setFailed(false);
    if (!found) return setPage({ path, View: NotFound, args: [] });
    const args = (path.match(found.at) || []).slice(1);
    found.from().then((module) => setPage({ path, View: module.default, args }), missing);
  }, [path]);
  useEffect(() => {
    if (page && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [page?.path, me?.id]);
  if (!ready) return html`<${Loading} />`;
  if (path.startsWith("/embed/")) return html`<main id="main" tabindex="-1" ref=${main}>${page ? html`<${page.View}
    key=${page.path} args=${page.args} />` : html`<${Loading} />`}</main>`;
  return html`<a class="skip" href="#main">${t("nav.skip")}</a>
    <${Header} /><${Line} /><${Naming} />
    <main id="main" tabindex="-1" ref=${main}>
      ${failed ? html`<div class="page"><${Failed} message=${t("offline")} again=${() => location.reload()} /></div>`
        : page ? html`<${page.View} key=${page.path} args=${page.args} />` : html`<${Loading} />`}
    </main>
    <footer class="foot"><a href="/leaderboard">${t("nav.leaderboard")}</a> <a
      href="/archive">${t("archive.title")}</a> <a href="/api/docs">${t("nav.api")}</a></footer>`;
}

document.addEventListener("click", follow);
// A notice was tapped: the service worker says where it leads, which is always an address of this page.
navigator.serviceWorker?.addEventListener("message", (event) => typeof event.data?.open === "string"
  && event.data.open.startsWith("/") && go(event.data.open));
window.addEventListener("turnlog:line", (event) => {
  const offline = /** @type {CustomEvent} */ (event).detail;
  if (offline !== shared().offline) update({ offline });
});
window.addEventListener("online", () => sendQueued());

/** Keeps the page for the next time, once this one is drawn and the line is free. */
const keepPage = () => setTimeout(() => navigator.serviceWorker?.register("/sw.js").catch((problem) =>
  console.info(problem)), 3000);

const root = /** @type {Element} */ (document.getElementById("app"));
begin().then(() => {
  root.replaceChildren(); // the skeleton
  render(html`<${App} />`, root);
  listen();
  keepPage();
  sendQueued();
}, (problem) => {
  console.error(problem);
  root.textContent = `Turnlog: ${problem}`;
});
