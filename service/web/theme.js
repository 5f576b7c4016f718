// Runs before the first paint, so that a chosen theme does not flash in.
(function () {
  "use strict";
  try {
    var theme = localStorage.getItem("turnlog.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage may be forbidden: then the system's choice counts.
  }
})();
