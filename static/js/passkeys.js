/* Passkeys. A button with `data-passkey` asks the browser to make one ("create") or to use one ("get"), puts the answer
   into the form's field `data-answer`, and sends the form. What the browser is asked stands in the button's
   `data-options`, or is fetched from the form's address. Without this script the buttons stay hidden. */
(function () {
  "use strict";

  function toBytes(text) {
    const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  }

  function toText(buffer) {
    const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
    return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  /* The options with bytes where the browser wants bytes: the challenge, and the ids of account and passkeys. */
  function readable(options) {
    const result = { ...options, challenge: toBytes(options.challenge) };
    if (options.user) result.user = { ...options.user, id: toBytes(options.user.id) };
    for (const name of ["excludeCredentials", "allowCredentials"]) {
      if (options[name]) result[name] = options[name].map((item) => ({ ...item, id: toBytes(item.id) }));
    }
    return result;
  }

  function answerOf(credential) {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (credential.response[name]) response[name] = toText(credential.response[name]);
    }
    return {
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    };
  }

  async function optionsOf(button) {
    if (button.dataset.options) return JSON.parse(button.dataset.options);
    const answer = await fetch(button.form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
    return (await answer.json()).request_options;
  }

  async function ask(button) {
    const refused = button.form.querySelector("[data-refused]");
    refused.hidden = true;
    button.disabled = true;
    try {
      const options = { publicKey: readable((await optionsOf(button)).publicKey) };
      const credential = await navigator.credentials[button.dataset.passkey](options);
      button.form.querySelector("[data-answer]").value = JSON.stringify(answerOf(credential));
      button.form.submit();
    } catch {
      refused.hidden = false;
      button.disabled = false;
    }
  }

  const isBare = /^[\d.]+$|:/.test(location.hostname); // an IP address, to which no passkey can belong
  const isPossible = Boolean(window.PublicKeyCredential && navigator.credentials && !isBare);
  for (const button of document.querySelectorAll("[data-passkey]")) {
    button.hidden = !isPossible;
    button.addEventListener("click", () => ask(button));
  }
  for (const note of document.querySelectorAll("[data-no-passkeys]")) note.hidden = isPossible;
})();
