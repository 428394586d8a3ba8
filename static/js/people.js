/* The people of a ranking under review: players are listed while a number or a name is typed, and the counts of
   licences follow what is chosen. Without this script the page works with the same fields and a button. */
(function () {
  "use strict";
  const people = document.getElementById("people");
  if (!people || !people.dataset.lookup) return;
  const PAUSE = 200; // milliseconds without typing before players are looked up
  const SHORTEST = 2; // letters
  const status = document.createElement("p");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  people.append(status);
  let open = null; // the box whose list is shown: {input, list, active}
  let timer = 0;
  let asked = 0;

  // --- The list under a box ---
  function close() {
    if (!open) return;
    open.list.remove();
    open.input.setAttribute("aria-expanded", "false");
    open.input.removeAttribute("aria-activedescendant");
    open.input.removeAttribute("aria-controls");
    open = null;
  }

  function mark(option) {
    const options = Array.from(open.list.children);
    options.forEach(function (other) { other.setAttribute("aria-selected", String(other === option)); });
    open.active = option;
    open.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function show(input, html) {
    close();
    const template = document.createElement("template");
    template.innerHTML = html;
    const found = template.content.querySelector("ul");
    if (!found || document.activeElement !== input) return;
    const list = document.createElement("ul");
    list.id = "list_" + input.id;
    list.className = "options";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", input.getAttribute("aria-label"));
    Array.from(found.children).forEach(function (option, place) {
      option.id = list.id + "_" + place;
      if (isTaken(option.dataset.value, document.getElementById("seat_" + keyOf(input)))) {
        const note = document.createElement("span");
        note.className = "row-note";
        note.textContent = people.dataset.seated;
        option.append(note);
      }
      list.append(option);
    });
    input.after(list);
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", list.id);
    open = { input: input, list: list, active: null };
    status.textContent = found.dataset.status.trim();
    mark(list.firstElementChild);
    list.scrollIntoView({ block: "nearest" });
  }

  // Say that there were too many requests, or stop saying it.
  function refuse(input, isRefused) {
    const note = input.parentElement.querySelector(".busy");
    if (isRefused === Boolean(note)) return;
    if (note) {
      note.remove();
      return;
    }
    close();
    const message = document.createElement("p");
    message.className = "row-note busy";
    message.setAttribute("role", "alert");
    message.textContent = people.dataset.busy;
    input.after(message);
  }

  // A late answer must not open the list again after a choice.
  function forget() {
    clearTimeout(timer);
    asked += 1;
  }

  function look(input) {
    clearTimeout(timer);
    const text = input.value.trim();
    const turn = (asked += 1);
    if (text.length < SHORTEST) {
      close();
      return;
    }
    const data = new FormData();
    data.set("q", text);
    data.set("csrfmiddlewaretoken", document.getElementsByName("csrfmiddlewaretoken")[0].value);
    fetch(people.dataset.lookup, { method: "POST", body: data, credentials: "same-origin" })
      .then(function (response) {
        refuse(input, response.status === 429);
        return response.ok ? response.text() : "";
      })
      .then(function (html) { if (turn === asked) show(input, html); });
  }

  // --- What was chosen ---
  function keyOf(input) { return input.name.replace(/^(number|who)_/, ""); }
  function radios(key) { return Array.from(document.getElementsByName("who_" + key)); }
  function before(key) { return document.getElementsByName("was_" + key)[0].value; }

  function choose(option) {
    forget();
    const input = open.input;
    const key = keyOf(input);
    const value = option.dataset.value;
    const radio = radios(key).find(function (item) { return item.value === value; });
    (radio || offer(key, value, option)).checked = true;
    input.value = before(key);
    status.textContent = option.textContent.replace(/\s+/g, " ").trim();
    close();
    settle(key, option.dataset.light, value);
  }

  // A player of the list becomes one of the choices below the box.
  function offer(key, value, option) {
    const box = radios(key)[0].closest(".form-check").cloneNode(true);
    const radio = box.querySelector("input");
    const label = box.querySelector("label");
    radio.value = value;
    radio.dataset.light = option.dataset.light;
    radio.id = "who_" + key + "_" + value;
    label.htmlFor = radio.id;
    label.textContent = option.firstElementChild.textContent.trim();
    radios(key)[0].closest("[role=radiogroup]").prepend(box);
    return radio;
  }

  function settle(key, light, value) {
    const row = document.getElementById("seat_" + key);
    if (!row) return;
    row.dataset.light = light;
    row.dataset.number = /^\d+$/.test(value) ? value : "";
    const place = row.querySelector("[data-shown-light], .licence");
    const shape = document.getElementById("lights").content.querySelector(".light-" + light);
    if (place) place.replaceChildren(shape ? shape.cloneNode(true) : "");
    count();
  }

  // --- The counts, all from the state of the rows ---
  const elsewhere = new Set(people.dataset.elsewhere.split(" ").filter(Boolean));
  function rows() { return Array.from(people.querySelectorAll("tr[data-light]")); }
  function isTaken(number, row) {
    return elsewhere.has(number) || rows().some(function (other) {
      return other !== row && other.dataset.number === number;
    });
  }
  function isTwice(row) { return Boolean(row.dataset.number) && isTaken(row.dataset.number, row); }
  function needOf(row) {
    if (["lapsed", "foreign", "none"].includes(row.dataset.light)) return "lapsed";
    return row.dataset.light === "open" || isTwice(row) ? "open" : "";
  }

  // The number of different players on this page with a licence.
  function licensedHere() {
    const players = rows().filter(function (row) {
      return row.dataset.light === "valid" && !elsewhere.has(row.dataset.number);
    });
    return new Set(players.map(function (row) { return row.dataset.number; })).size;
  }

  function warn(row) {
    const form = row.querySelector(".asked");
    const note = row.querySelector(".twice");
    if (!form || isTwice(row) === Boolean(note)) return;
    if (note) {
      note.remove();
      return;
    }
    const warning = document.createElement("p");
    warning.className = "invalid-feedback twice";
    warning.setAttribute("role", "alert");
    warning.textContent = people.dataset.twice;
    form.querySelector(".lookup").after(warning);
  }

  function ending(place, number) { place.textContent = place.textContent.trim().replace(/[\d.,]+$/, String(number)); }

  function countPending() {
    const pending = people.querySelector("[data-pending]");
    if (!pending) return;
    const needs = new Map(rows().map(function (row) { return [row.id.replace("seat_", ""), needOf(row)]; }));
    const number = Array.from(needs.values()).filter(Boolean).length;
    ending(pending, Number(pending.dataset.more) + number);
    people.querySelectorAll("[data-need]").forEach(function (list) {
      const rest = list.querySelector("[data-others]");
      people.querySelectorAll(".pending [data-seat]").forEach(function (link) {
        if (needs.get(link.dataset.seat) === list.dataset.need) rest.before(link);
        link.hidden = !needs.get(link.dataset.seat);
      });
      const linked = new Set(Array.from(list.querySelectorAll("[data-seat]"), function (link) {
        return link.dataset.seat;
      }));
      const others = Array.from(needs.keys()).filter(function (key) {
        return needs.get(key) === list.dataset.need && !linked.has(key);
      });
      rest.hidden = !others.length;
      if (others.length) rest.firstElementChild.href = "#" + anchorOf(others[0]);
      ending(rest.firstElementChild, others.length);
      list.hidden = !list.querySelector("[data-seat]:not([hidden]), [data-others]:not([hidden])");
    });
  }

  function anchorOf(key) { return (document.getElementById("number_" + key) ? "number_" : "change_") + key; }

  function count() {
    rows().forEach(warn);
    countPending();
    if (!meter) return;
    const all = Number(meter.dataset.people);
    const licensed = beyond + licensedHere();
    // Half up on whole numbers, as the server rounds: a binary fraction may be just below a half.
    const rounded = Math.floor((20000 * licensed + all) / (2 * all));
    const percent = new Intl.NumberFormat(document.documentElement.lang, {
      style: "percent", maximumFractionDigits: 2,
    });
    const words = meter.dataset.words
      .replace("{licensed}", String(licensed))
      .replace("{people}", String(all))
      .replace("{share}", percent.format(rounded / 10000));
    document.querySelectorAll("[data-meter]").forEach(function (place) { place.textContent = words; });
    meter.querySelector(".meter-done").setAttribute("width", String((100 * licensed) / all));
  }

  const meter = document.getElementById("licences");
  // The players with a licence on other pages of the ranking.
  const beyond = meter ? Number(meter.dataset.licensed) - licensedHere() : 0;

  // --- Events ---
  document.querySelectorAll("input[name^='number_']").forEach(function (input) {
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-haspopup", "listbox");
    input.addEventListener("input", function () {
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE, input);
    });
    input.addEventListener("blur", close);
    input.addEventListener("keydown", function (event) {
      if (!open || open.input !== input) {
        // Enter would send the page with half a name in the box.
        if (event.key === "Enter") event.preventDefault();
        if (event.key === "ArrowDown" || event.key === "Enter") look(input);
        return;
      }
      const options = Array.from(open.list.children);
      const at = options.indexOf(open.active);
      if (event.key === "ArrowDown") mark(options[(at + 1) % options.length]);
      else if (event.key === "ArrowUp") mark(options[(at + options.length - 1) % options.length]);
      else if (event.key === "Enter") choose(open.active);
      else if (event.key === "Escape") {
        forget();
        close();
      }
      else return;
      event.preventDefault();
    });
  });
  // A click would take the focus from the box, which closes the list, before it chooses.
  document.addEventListener("mousedown", function (event) {
    if (open && open.list.contains(event.target)) event.preventDefault();
  });
  document.addEventListener("click", function (event) {
    const option = open && event.target.closest("[role=option]");
    if (option) choose(option);
  });
  document.addEventListener("change", function (event) {
    const radio = event.target;
    if (!radio.name || !radio.name.startsWith("who_")) return;
    document.getElementById("number_" + keyOf(radio)).value = before(keyOf(radio));
    settle(keyOf(radio), radio.dataset.light, radio.value);
  });
})();
