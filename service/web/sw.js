// The service worker: shows notices that arrive while no page is open, and leads to the match. It keeps no pages.
const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, link, tag } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: "/static/icon.svg", data: { link } }));
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
