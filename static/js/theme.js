/* The reader's theme: light, dark, or whatever the system says. Loaded in the head, before anything is
   painted, so that a dark page never flashes white. The choice stays in the browser. */
(function () {
  "use strict";
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    const stored = window.localStorage.getItem("theme");
    return stored === "light" || stored === "dark" ? stored : "auto";
  }

  function apply() {
    const choice = chosen();
    root.dataset.themeChoice = choice;
    root.dataset.bsTheme = choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
    document.querySelectorAll("[data-set-theme]").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.setTheme === choice));
    });
  }

  apply();
  dark.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-set-theme]");
    if (!button) return;
    window.localStorage.setItem("theme", button.dataset.setTheme);
    apply();
  });
})();
