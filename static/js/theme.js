/* The reader's theme: light, dark, or whatever the system says. Loaded in the head, before anything is
   painted, so that a dark page never flashes white. The choice is kept in a cookie for a year. */
(function () {
  "use strict";
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    const found = document.cookie.match(/(?:^|; )theme=(light|dark)(?:;|$)/);
    return found ? found[1] : "auto";
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
    const age = button.dataset.setTheme === "auto" ? 0 : 31536000;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = "theme=" + button.dataset.setTheme + "; Path=/; SameSite=Lax; Max-Age=" + age + secure;
    apply();
  });
})();
