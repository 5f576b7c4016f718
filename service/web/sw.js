// The service worker: keeps the page itself, so that it opens without a line and quickly on a bad one, and shows
// notices
// that arrive while no page is open. What it keeps has its content in its address; what is private the page keeps
// itself.
const worker = /** @type {any} */ (self);
const KEPT = "turnlog-page";
const SHELL = "/";
const PATIENCE_MS = 2500; // then a page that was kept is better than none
/** @type {string[]} the server fills it in: with every edition this file changes, and browsers fetch it anew */
const EDITION = [];

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([SHELL, ...EDITION])));
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy().then(() =>
  worker.clients.claim())));

/** Only this edition stays. A page of the last one that misses a part loads itself anew. */
async function tidy() {
  const kept = await caches.open(KEPT);
  const wanted = new Set([SHELL, ...EDITION]);
  for (const request of await kept.keys()) if (!wanted.has(new URL(request.url).pathname)) await kept.delete(request);
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== worker.location.origin) return;
  if (/^\/static\/[0-9a-f]{12}\//.test(pathname)) event.respondWith(lasting(event.request));
  else if (event.request.mode === "navigate"
    && !/^\/(api|embed|static)\//.test(pathname)) event.respondWith(page(event.request));
});

/** What never changes: fetched once. @param {Request} request */
async function lasting(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request.url);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request.url, answer.clone());
  return answer;
}

/**
 * The server's page; the kept one if it does not come. Any page will do: it looks at its address itself.
 * @param {Request} request
 */
async function page(request) {
  const fresh = fetch(request);
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS));
  try {
    const answer = await Promise.race([fresh, late]);
    if (answer) return answer;
  } catch {
    // No line: what was kept.
  }
  return (await caches.match(SHELL, { cacheName: KEPT })) || fresh;
}

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, link, tag } = event.data.json();
  worker.navigator.setAppBadge?.();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: "/static/icon-192.png",
    data: { link } }));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.link));
});

/** Only addresses of this house are opened, in a page that is there already if there is one. @param {string} link */
async function open(link) {
  const { pathname, search, hash } = new URL(link, worker.location.origin);
  const path = pathname + search + hash;
  const [page] = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return worker.clients.openWindow(path);
  page.postMessage({ open: path });
  return page.focus();
}
