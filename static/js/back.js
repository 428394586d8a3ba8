/* The answer to a form that was sent: a page that the browser may not keep, because it is private. Going back
   to it would ask the browser to send the form again, and it shows an error instead. So the history gets the page
   from which the form was sent. */
(function () {
  "use strict";
  const from = document.referrer && new URL(document.referrer);
  if (!from || from.origin !== location.origin) return;
  // What has no address of its own means that of the page, which is about to change.
  document.querySelectorAll("form:not([action])").forEach((form) => form.setAttribute("action", location.href));
  document.querySelectorAll('a[href=""], a[href^="?"]').forEach((link) => link.setAttribute("href", link.href));
  history.replaceState(history.state, "", from);
})();
