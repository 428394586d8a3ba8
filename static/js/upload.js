/* The first page of an upload. Files dropped anywhere on the page count as chosen in the field; without this script,
   only those dropped on the field do, and the browser opens the others in place of the page. */
(function () {
  "use strict";
  const field = document.getElementById("id_file");

  function hasFiles(event) { return Boolean(event.dataTransfer) && event.dataTransfer.types.includes("Files"); }

  function mark(isTarget) { field.classList.toggle("is-target", isTarget); }

  document.addEventListener("dragover", function (event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    mark(true);
  });
  document.addEventListener("dragleave", function (event) {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener("drop", function (event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(false);
    const files = event.dataTransfer.files;
    if (!files.length || (files.length > 1 && !field.multiple)) return;
    field.files = files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();

/* For a director of one club: what is chosen is sent at once, unless the details of the tournament are being entered.
   Without this script, or with them, the button sends it. */
(function () {
  "use strict";
  const form = document.querySelector("form[data-at-once]");
  if (!form) return;
  const field = document.getElementById("id_file");
  const details = form.querySelector("details");
  const hint = document.getElementById("at-once");
  const status = document.getElementById("sending");
  let isSent = false;

  function isAtOnce() { return !details.open; }

  function show() {
    hint.hidden = !isAtOnce();
    status.textContent = isSent ? status.dataset.words : "";
  }

  field.setAttribute("aria-describedby", [hint.id, field.getAttribute("aria-describedby")].join(" ").trim());
  field.addEventListener("change", function () {
    if (field.files.length && isAtOnce()) form.requestSubmit();
  });
  details.addEventListener("toggle", show);
  form.addEventListener("submit", function (event) {
    // A click on the button while the file is on its way would send it twice.
    if (isSent) event.preventDefault();
    isSent = true;
    show();
  });
  // The Back button may show this page as it was left.
  window.addEventListener("pageshow", function () {
    isSent = false;
    show();
  });
})();
