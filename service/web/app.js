// The shell: header, the page for this address, footer.
import { html, render, useEffect, useRef, useState } from "./lib.js";
import { LANGS, lang, t } from "./i18n.js";
import { begin, switchLanguage, switchTheme, useShared } from "./store.js";
import { follow, go, useRoute } from "./route.js";
import { Failed, Loading, NotFound } from "./parts/ui.js";

/** Which module draws which address; each is fetched when it is first needed. */
const PAGES = [
  { at: /^\/$/, from: () => import("./pages/home.js") },
  { at: /^\/new$/, from: () => import("./pages/new.js") },
  { at: /^\/sign-in$/, from: () => import("./pages/sign.js") },
  { at: /^\/recovery\/([\w.-]+)$/, from: () => import("./pages/recovery.js") },
  { at: /^\/settings$/, from: () => import("./pages/settings.js") },
  { at: /^\/leaderboard$/, from: () => import("./pages/leaderboard.js") },
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
    <a class="brand" href="/"><img src="/static/icon.svg" alt="Turnlog" width="26" height="26" /> <span aria-hidden="true">Turnlog</span></a>
    <nav aria-label=${t("nav.main")}>
      <a href="/new">${t("nav.new")}</a>
      <a href="/rules">${t("nav.rules")}</a>
      <a href="/leaderboard" class="roomy">${t("nav.leaderboard")}</a>
      ${me ? html`<a href="/settings" class="me">${me.name}</a>` : html`<a href="/sign-in">${t("nav.sign_in")}</a>`}
      <button class="quiet icon" onClick=${() => switchTheme(next)} title=${t("theme." + theme)}
        aria-label=${t("theme.switch", { theme: t("theme." + theme) })}>${{ auto: "◐", light: "☀", dark: "☾" }[theme]}</button>
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
  const main = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const found = PAGES.find((one) => one.at.test(path));
    setFailed(false);
    if (!found) return setPage({ path, View: NotFound, args: [] });
    const args = (path.match(found.at) || []).slice(1);
    found.from().then((module) => setPage({ path, View: module.default, args }), () => setFailed(true));
  }, [path]);
  useEffect(() => {
    if (page && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [page?.path, me?.id]);
  if (!ready) return html`<${Loading} />`;
  return html`<a class="skip" href="#main">${t("nav.skip")}</a>
    <${Header} />
    <main id="main" tabindex="-1" ref=${main}>
      ${failed ? html`<div class="page"><${Failed} message=${t("offline")} again=${() => location.reload()} /></div>` : page ? html`<${page.View} key=${page.path} args=${page.args} />` : html`<${Loading} />`}
    </main>
    <footer class="foot"><a href="/leaderboard">${t("nav.leaderboard")}</a> <a href="/api/docs">API</a></footer>`;
}

document.addEventListener("click", follow);
// A notice was tapped: the service worker says where it leads, which is always an address of this page.
navigator.serviceWorker?.addEventListener("message", (event) => typeof event.data?.open === "string" && event.data.open.startsWith("/") && go(event.data.open));
const root = /** @type {Element} */ (document.getElementById("app"));
begin().then(() => render(html`<${App} />`, root), () => location.reload());
