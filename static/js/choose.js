/* Boxes in which one chooses by typing: what may be meant is listed below the box, as a combobox. Without this
   script the text is sent as it is, and the server resolves it. */
(function () {
  "use strict";
  const PAUSE = 200; // milliseconds without typing before choices are looked up
  const SHORTEST = 2; // letters
  const boxes = document.querySelectorAll("input[data-lookup]:not([role=combobox])");

  boxes.forEach(function (input) {
    const box = document.createElement("div");
    const list = document.createElement("ul");
    const status = document.createElement("p"); // how many there are, also for the eye
    let active = null;
    let timer = 0;
    let asked = 0; // a late answer must not open the list again

    list.id = input.id + "_options";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", input.labels.length ? input.labels[0].textContent.trim() : input.name);
    list.hidden = true;
    status.className = "row-note";
    status.setAttribute("role", "status");
    box.className = "visually-hidden"; // not `hidden`: what changes in it must be read out
    box.append(list, status);
    input.after(box);
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", list.id);

    function close() {
      box.className = "visually-hidden";
      list.hidden = true;
      list.replaceChildren();
      active = null;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }

    function forget() {
      clearTimeout(timer);
      asked += 1;
      close();
    }

    function mark(option) {
      if (active) active.setAttribute("aria-selected", "false");
      active = option;
      option.setAttribute("aria-selected", "true");
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }

    function optionOf(choice, place) {
      const option = document.createElement("li");
      const name = document.createElement("strong");
      const note = document.createElement("span");
      option.id = list.id + "_" + place;
      option.dataset.value = choice.value;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      name.textContent = choice.name;
      note.className = "row-note";
      note.textContent = choice.note;
      option.append(name, " ", note);
      return option;
    }

    function show(answer) {
      close();
      if (!answer || document.activeElement !== input) return;
      status.textContent = answer.status;
      box.className = "options";
      list.append(...answer.options.map(optionOf));
      list.hidden = !list.children.length;
      input.setAttribute("aria-expanded", String(!list.hidden));
    }

    function look() {
      const text = input.value.trim();
      const turn = (asked += 1);
      if (text.length < SHORTEST) {
        close();
        return;
      }
      fetch(input.dataset.lookup + "?q=" + encodeURIComponent(text), { credentials: "same-origin" })
        .then(function (response) { return response.ok ? response.json() : null; })
        .then(function (answer) { if (turn === asked) show(answer); })
        .catch(close);
    }

    function choose(option) {
      input.value = option.dataset.value;
      status.textContent = option.dataset.value;
      forget();
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }

    input.addEventListener("input", function () {
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE);
    });
    input.addEventListener("blur", forget);
    input.addEventListener("keydown", function (event) {
      const options = Array.from(list.children);
      const at = options.indexOf(active);
      if (event.key === "ArrowDown" && list.hidden) look();
      else if (list.hidden) return;
      else if (event.key === "ArrowDown") mark(options[(at + 1) % options.length]);
      else if (event.key === "ArrowUp") mark(options[at > 0 ? at - 1 : options.length - 1]);
      else if (event.key === "Enter" && active) choose(active); // otherwise the form is sent with what was typed
      else if (event.key === "Escape") forget();
      else return;
      event.preventDefault();
    });
    // A press would take the focus from the box, which closes the list, before it chooses.
    list.addEventListener("mousedown", function (event) { event.preventDefault(); });
    list.addEventListener("click", function (event) {
      const option = event.target.closest("[role=option]");
      if (option) choose(option);
    });
  });
})();
