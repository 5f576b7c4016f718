// For pages outside the app (links in letters, the documents): a chosen theme must not flash in.
(function () {
  "use strict";
  try {
    var theme = localStorage.getItem("turnlog.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage may be forbidden: then the system's choice counts.
  }
})();
