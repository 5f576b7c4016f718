// Runs before everything else: a chosen theme must not flash in, and what this address will ask the server for is asked
// now, while the scripts are still on their way. `api.js` takes the answers; whoever is not signed in asks less.
(function () {
  "use strict";
  /** @param {string} name */
  function kept(name) {
    try {
      return localStorage.getItem("turnlog." + name);
    } catch (error) {
      return null; // storage may be forbidden: then the system's choice counts
    }
  }
  var theme = kept("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  var known = document.cookie.indexOf("turnlog_csrf=") >= 0;
  var tags = [kept("lang")].concat(navigator.languages || [navigator.language]);
  var lang = tags.map((tag) => (tag || "").slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "cs")
    || "en";
  document.documentElement.lang = lang;
  /** @type {Record<string, Promise<Response>>} */
  var early = (/** @type {any} */ (window).turnlogEarly = {});
  /** @param {string} path */
  function ask(path) {
    early[path] = fetch("/api" + path, { headers: { "Accept-Language": lang } });
    early[path].catch(function () {}); // whoever takes it hears of it
  }
  if (known) ask("/me");
  ask("/games");
  var match = location.pathname.match(/^(?:\/embed)?\/matches\/([\w-]+)(\/replay)?$/);
  if (match) {
    var invite = new URLSearchParams(location.search).get("invite");
    var query = invite ? "invite=" + encodeURIComponent(invite) : "";
    var path = "/matches/" + match[1];
    ask(path + "?" + query);
    ask(path + "/events?text=1&after=0&limit=1000&" + query);
  } else if (location.pathname === "/") {
    ask("/matches?status=open&limit=30");
    ask("/matches?status=running&limit=10");
    if (known) ask("/me/turns");
    if (known) ask("/matches?mine=true&limit=30");
  }
})();
