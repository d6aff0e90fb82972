"use strict";

// The heads of a table become buttons that sort its rows by the column: by data-sort if cells have it, otherwise by their text.
function sortable(table, rows) {
  const body = table.tBodies[0];

  function sort(head, column) {
    // Numbers start with the largest.
    const first = head.classList.contains("number") ? "descending" : "ascending";
    const down = (head.getAttribute("aria-sort") === first) !== (first === "descending");
    const key = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
    // A cell without a number comes after all that have one.
    const number = (row) => Number.parseFloat(key(row).replace(/^[^0-9-]+/, "") || "-1");
    const numbers = rows.every((row) => key(row) !== "" && !Number.isNaN(Number(key(row))));
    const sorted = [...rows].sort((a, b) =>
      numbers || head.classList.contains("number") ? number(a) - number(b) : key(a).localeCompare(key(b)));
    if (down) sorted.reverse();
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...sorted);
  }

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head, column));
  });
}

// A field for words before `place`, and one for the level if the items have several. An item is shown if it has all the words and the level.
function filterable(items, place, choosesLevel) {
  const level = (item) => item.querySelector(".chip")?.textContent.trim() ?? "";
  const words = items.map((item) => item.textContent.toLowerCase());
  const label = document.createElement("label");
  const field = document.createElement("input");
  const count = document.createElement("span");
  const line = document.createElement("p");
  field.type = "search";
  field.autocomplete = "off";
  count.setAttribute("role", "status");
  label.append("Search ", field);
  line.className = "filters";
  line.append(label);
  const levels = choosesLevel ? [...new Set(items.map(level))].filter(Boolean) : [];
  const choice = document.createElement("select");
  if (levels.length > 1) {
    const named = document.createElement("label");
    choice.append(new Option("All", ""), ...levels.map((one) => new Option(one)));
    named.append("Level ", choice);
    line.append(named);
  }
  line.append(count);
  place.before(line);

  function filter() {
    const sought = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    items.forEach((item, at) => {
      item.hidden = !(sought.every((word) => words[at].includes(word)) && (!choice.value || level(item) === choice.value));
      shown += item.hidden ? 0 : 1;
    });
    count.textContent = sought.length > 0 || choice.value ? shown + " of " + items.length : "";
  }

  field.addEventListener("input", filter);
  choice.addEventListener("change", filter);
}

// A table this long gets a filter.
const longTable = 10;

for (const table of document.querySelectorAll("table.sortable")) {
  const rows = [...table.tBodies[0].rows];
  sortable(table, rows);
  if (rows.length > longTable) filterable(rows, table.closest(".scroll") ?? table, true);
}
for (const list of document.querySelectorAll(".searchable")) filterable([...list.children], list, false);

// A figure says below its charts which paper the pointer or the keyboard is on. The arrow keys go from mark to mark.
for (const figure of document.querySelectorAll("figure:has(svg.chart, .years)")) {
  const links = [...figure.querySelectorAll("svg.chart a, .years a")]
    .filter((link) => link.querySelector("title") || link.hasAttribute("aria-label") || link.title);
  if (links.length === 0) continue;
  const card = document.createElement("p");
  card.className = "card small";
  card.setAttribute("role", "status");
  card.textContent = "Point at a mark, or go to the chart and press the arrow keys, to see its paper.";
  figure.firstElementChild.after(card);

  function show(link) {
    card.textContent = link.getAttribute("aria-label") ?? (link.title || link.querySelector("title").textContent);
  }

  for (const link of links) link.setAttribute("tabindex", "-1");
  links[0].setAttribute("tabindex", "0");
  links.forEach((link, at) => {
    link.addEventListener("mouseenter", () => show(link));
    link.addEventListener("focus", () => show(link));
    link.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = step && links[at + step];
      if (!next) return;
      event.preventDefault();
      link.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
}

// The first page of a site searches all papers. Their entries are in scripts beside the page, which are loaded when somebody searches.
for (const form of document.querySelectorAll("form[data-chunks]")) {
  const most = 50;
  const field = form.querySelector("input");
  const status = form.querySelector("[role=status]");
  const results = form.nextElementSibling;
  const entries = [];
  let left = Number(form.dataset.chunks);

  function item([path, title, level, area]) {
    const one = document.createElement("li");
    const link = document.createElement("a");
    const facts = document.createElement("span");
    link.href = path.split("/").map(encodeURIComponent).join("/");
    link.dir = "auto";
    link.textContent = title;
    facts.className = "muted small";
    facts.textContent = " " + [level, area].filter(Boolean).join(" · ");
    one.append(link, facts);
    return one;
  }

  function show() {
    const sought = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = sought.length === 0 ? [] : entries.filter((entry) => sought.every((word) => entry.words.includes(word)));
    results.replaceChildren(...found.slice(0, most).map((entry) => item(entry.shown)));
    const loading = left > 0 ? ", still loading" : "";
    const first = found.length > most ? ", the first " + most + " shown" : "";
    status.textContent = sought.length === 0 ? "" : found.length + " of " + entries.length + " papers" + first + loading;
  }

  function load() {
    if (left === 0) return;
    const script = document.createElement("script");
    script.src = "search/" + left + ".js";
    script.addEventListener("load", () => { left -= 1; show(); load(); });
    script.addEventListener("error", () => { status.textContent = "The search entries could not be loaded."; });
    document.head.append(script);
  }

  window.searchEntries = (list) => {
    for (const shown of list) entries.push({ shown, words: shown.filter(Boolean).join(" ").toLowerCase() });
  };
  field.addEventListener("focus", load, { once: true });
  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
}

for (const form of document.querySelectorAll("form[data-for]")) {
  const table = document.getElementById(form.dataset.for);
  const rows = [...table.tBodies[0].rows];
  const choices = ["level", "field"].map((name) => [name, form.querySelector(`[data-filter=${name}]`)]);
  const text = form.querySelector("[data-filter=text]");
  const count = form.querySelector("[data-count]");
  const words = rows.map((row) => row.textContent.toLowerCase());

  function filter() {
    const sought = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      const fits = choices.every(([name, choice]) => !choice.value || row.dataset[name] === choice.value);
      row.hidden = !(fits && sought.every((word) => words[at].includes(word)));
      shown += row.hidden ? 0 : 1;
    });
    count.textContent = shown + " of " + rows.length + " claims";
  }

  sortable(table, rows);
  for (const [, choice] of choices) choice.addEventListener("change", filter);
  text.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
}

const tools = document.querySelector(".tools");
const folds = [...document.querySelectorAll("main details")];

function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", () => act(made));
  return made;
}

// A link into a closed part opens it.
function reveal() {
  let at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!at) return;
  const target = at;
  for (; at; at = at.parentElement) {
    at.hidden = false;
    if (at.tagName === "DETAILS") at.open = true;
  }
  target.scrollIntoView();
}
if (tools && folds.length > 0) {
  tools.append(button("Expand all", (self) => {
    const open = self.textContent === "Expand all";
    for (const one of folds) one.open = open;
    self.textContent = open ? "Collapse all" : "Expand all";
  }));
}
if (tools) {
  const root = document.documentElement;
  // A page of a file or in a frame may have no storage.
  try {
    const kept = localStorage.getItem("theme");
    if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  } catch {}
  tools.append(button("Theme", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch {}
  }));
}
for (const text of document.querySelectorAll(".copy")) {
  const copy = button("Copy", (self) => {
    navigator.clipboard.writeText(text.textContent).then(
      () => { self.textContent = "Copied"; },
      () => { window.getSelection().selectAllChildren(text); });
  });
  copy.className = "copy-button";
  text.after(copy);
}

window.addEventListener("hashchange", reveal);
// A second click on the same link does not change the address.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) reveal();
});
if (location.hash) reveal();
