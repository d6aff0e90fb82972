"use strict";

// Every page works without this script. With it, a file can be dropped, a run is followed as it happens, and texts and the PDF are shown at their passages.

const drop = document.querySelector(".drop");
if (drop) {
  const field = drop.querySelector("input[type=file]");
  const over = (event, is) => { event.preventDefault(); drop.classList.toggle("over", is); };
  drop.addEventListener("dragover", (event) => over(event, true));
  drop.addEventListener("dragleave", (event) => over(event, false));
  drop.addEventListener("drop", (event) => {
    over(event, false);
    const count = event.dataTransfer.files.length;
    if (count === 0 || (count > 1 && !field.multiple)) return;
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event("change"));
  });
  // A file that misses the frame must not replace the page.
  for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
}

// A file that the server would refuse is not sent.
for (const field of document.querySelectorAll("input[type=file]")) {
  field.addEventListener("change", () => {
    const most = Number(field.dataset.most ?? 50);
    field.setCustomValidity([...field.files].some((file) => file.size > most * 1e6) ? `A file has more than ${most} MB.` : "");
    field.reportValidity();
  });
}

// A form is sent once, however often its button is pressed, and one that deletes something only after a question.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent || (form.dataset.question && !confirm(form.dataset.question))) return event.preventDefault();
    form.dataset.sent = "yes";
  });
}
// Going back shows the page as it was, so its forms can be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

const list = document.querySelector("[data-reload]");
if (list) setInterval(() => {
  // Not while somebody searches, filters or types.
  const isAsBefore = (field) => (field.options ? [...field.options].every((one, at) => one.selected === (one.defaultSelected || (at === 0 && field.querySelector("[selected]") === null))) : field.value === field.defaultValue);
  const fields = [...document.querySelectorAll("main input, main select")];
  if (fields.every((field) => field !== document.activeElement && isAsBefore(field))) location.reload();
}, Number(list.dataset.reload) * 1000);

const running = document.querySelector("[data-events]");
if (running) {
  const stages = document.getElementById("stages");
  const counts = document.getElementById("counts");
  const log = document.getElementById("log");
  const words = { started: "running", reused: "from an earlier execution", finished: "done" };
  let line = "";

  const add = (text) => {
    const item = document.createElement("li");
    item.dir = "auto";
    item.textContent = text;
    log.append(item);
  };
  const stage = (name, state) => {
    let item = [...stages.children].find((one) => one.dataset.stage === name);
    if (!item) {
      item = document.createElement("li");
      item.dataset.stage = name;
      const label = document.createElement("span");
      const step = document.createElement("span");
      label.className = "name";
      label.textContent = name;
      step.className = "step";
      item.append(label, " ", step);
      stages.append(item);
    }
    item.className = state;
    item.querySelector(".step").textContent = words[state] ?? state;
  };
  const show = (event) => {
    const data = JSON.parse(event.data);
    switch (data.event) {
      case "queued": if (data.position) counts.textContent = "Place " + data.position + " in the queue."; break;
      // The stream starts with the first event, so what the page shows is replaced.
      case "started": stages.replaceChildren(); log.replaceChildren(); counts.textContent = ""; break;
      case "stage": stage(data.name, data.state); break;
      case "source": add(data.name + ": " + data.found + " results" + (data.failed ? ", " + data.failed + " queries failed" : "")); break;
      case "model":
        line = data.what + ": " + data.done + " of " + data.of + ", " + data.calls + " requests, " + data.tokens + " tokens";
        counts.textContent = line + (data.dollars == null ? "" : ", $" + data.dollars.toFixed(4));
        break;
      case "progress": case "note": add(data.message); break;
      case "warning": add("Warning: " + data.message); break;
      case "file_written": add("Wrote " + data.name); break;
    }
  };
  const source = new EventSource(running.dataset.events);
  for (const name of ["queued", "started", "stage", "source", "model", "progress", "note", "warning", "file_written"]) source.addEventListener(name, show);
  source.addEventListener("end", () => { source.close(); location.reload(); });
}

// The page of the PDF is shown beside the texts. Without a viewer in the browser, its links download the PDF or open another program.
const beside = document.querySelector(".pdf");
if (beside && navigator.pdfViewerEnabled) {
  let frame = null;
  const show = (link) => {
    const focused = document.activeElement;
    const page = document.createElement("iframe");
    page.title = link.firstChild.textContent + ": " + beside.dataset.name;
    page.loading = "lazy";
    page.src = link.href;
    // A viewer may take the focus when it has loaded.
    page.addEventListener("load", () => { if (document.activeElement === page) { page.blur(); focused.focus({ preventScroll: true }); } });
    // A viewer that is shown already does not look at the new page of its address.
    if (frame) frame.replaceWith(page); else beside.append(page);
    frame = page;
    beside.hidden = false;
    beside.parentElement.classList.add("with-pdf");
  };
  const links = document.querySelectorAll("a[data-pdf]");
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show(link);
      beside.scrollIntoView({ block: "nearest" });
    });
  }
  if (links.length > 0) show(links[0]);
}

// Both texts show their first passage.
for (const text of document.querySelectorAll(".fulltext")) {
  const mark = text.querySelector("mark");
  if (mark && !text.querySelector("mark:target")) text.scrollTop = mark.offsetTop - text.offsetTop - 40;
}
