/* The first page of an upload: what is chosen or dropped on the field is sent at once, unless the details of the
   tournament are being entered. Without this script, or with them, the button sends it. */
(function () {
  "use strict";
  const form = document.querySelector("form[data-at-once]");
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
