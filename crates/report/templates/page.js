"use strict";
for (const form of document.querySelectorAll("form[data-for]")) {
  const table = document.getElementById(form.dataset.for);
  const body = table.tBodies[0];
  const rows = [...body.rows];
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

  function sort(head, column) {
    // Numbers start with the largest.
    const first = head.classList.contains("number") ? "descending" : "ascending";
    const down = (head.getAttribute("aria-sort") === first) !== (first === "descending");
    const key = (row) => row.cells[column].dataset.sort;
    const numbers = rows.every((row) => key(row) !== "" && !Number.isNaN(Number(key(row))));
    const sorted = [...rows].sort((a, b) =>
      numbers ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b)));
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
  for (; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", reveal);
if (location.hash) reveal();

if (tools && folds.length > 0) {
  tools.append(button("Expand all", (self) => {
    const open = self.textContent === "Expand all";
    for (const one of folds) one.open = open;
    self.textContent = open ? "Collapse all" : "Expand all";
  }));
}
if (tools) {
  tools.append(button("Theme", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
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
