// Addresses of the page: links are followed without loading anything anew.
import { useEffect, useState } from "./lib.js";

/** @param {string} path @param {boolean} [replace] */
export function go(path, replace) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  window.dispatchEvent(new Event("turnlog:route"));
  if (!replace) window.scrollTo(0, 0);
}

export function useRoute() {
  const [path, set] = useState(location.pathname);
  useEffect(() => {
    const changed = () => set(location.pathname);
    window.addEventListener("popstate", changed);
    window.addEventListener("turnlog:route", changed);
    return () => {
      window.removeEventListener("popstate", changed);
      window.removeEventListener("turnlog:route", changed);
    };
  }, []);
  return path;
}

/** @param {MouseEvent} event */
export function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api") || link.pathname.startsWith("/static")) return;
  if (link.pathname === location.pathname && link.hash) return; // a jump inside the page
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
