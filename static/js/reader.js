/* Public pages are the same for everybody, so that shared caches can keep them. If somebody is signed in, this
   script asks for the blocks of the page that depend on the reader, puts them in place, and marks the rows about
   the reader. It also tells the server which language a signed-in reader chose, for letters. */
(function () {
  "use strict";
  const signedIn = /(?:^|; )(?:__Host-)?inside=1(?:;|$)/.test(document.cookie);
  if (!signedIn) return;

  document.addEventListener("click", function (event) {
    const link = event.target.closest("[data-language]");
    if (link) navigator.sendBeacon(link.dataset.language, new URLSearchParams({ language: link.lang }));
  });

  function markRows(own, word) {
    document.querySelectorAll(".baza tbody a[href]").forEach(function (link) {
      const row = link.closest("tr");
      if (link.getAttribute("href") !== own || row.classList.contains("own")) return;
      row.classList.add("own");
      row.id = "yo";
      if (location.hash === "#yo") row.scrollIntoView({ block: "center" });
      const mark = document.createElement("span");
      mark.className = "own-word";
      mark.textContent = " (" + word + ")";
      link.after(mark);
    });
  }

  function place(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    page.querySelectorAll("[data-part]").forEach(function (block) {
      const old = document.querySelector('[data-part="' + block.dataset.part + '"]');
      if (!old || old.innerHTML === block.innerHTML || old.contains(document.activeElement)) return;
      old.replaceChildren(...block.childNodes);
    });
    const account = document.querySelector("[data-own]");
    if (account) markRows(account.dataset.own, account.dataset.you);
  }

  if ("shared" in document.documentElement.dataset) {
    const address = new URL(location.href);
    address.searchParams.set("yo", "1");
    fetch(address, { headers: { "X-Parts": "1" }, redirect: "error" })
      .then((response) => (response.ok ? response.text() : ""))
      .then(place)
      .catch(() => {}) // the page stays as everybody sees it
      .finally(() => (document.documentElement.dataset.shared = "placed")); // tests and screenshots wait for it
  }
})();
