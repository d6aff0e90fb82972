// Uses the pages of `precedent serve` in a browser: `node server.mjs PROGRAM [FOLDER FOR SCREENSHOTS]`, in the root of the repository.
//
// A paper is uploaded, its run is followed live, and the report, the evidence and a verified quote are opened; then the same without JavaScript, with
// the keyboard alone, and after the server was killed. Fails on a violation of an accessibility rule, a page wider than its window, a script error,
// or a request to anybody but the server.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [program, screenshots] = process.argv.slice(2);
const data = fs.mkdtempSync(path.join(os.tmpdir(), "precedent-serve-"));
if (screenshots) fs.mkdirSync(screenshots, { recursive: true });
const patience = 120_000;
let faults = 0;
let checked = 0;

function fault(message) {
  console.error(message);
  faults += 1;
}

function start() {
  const server = spawn(program, ["serve", "--bind", "127.0.0.1:0", "--corpus", "examples/works", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PRECEDENT_CACHE: "off", XDG_CONFIG_HOME: "/nonexistent" },
  });
  return new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error("the server ended")));
    server.stdout.once("data", (line) => resolve({ server, address: String(line).split("\n")[0] }));
  });
}

let { server, address } = await start();
// As root, the browser's sandbox does not start. The pages are our own.
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await puppeteer.launch({ executablePath: process.env.PRECEDENT_BROWSER || "/usr/bin/chromium", args: sandbox });

async function open(where, { width = 1280, theme = "light", script = true, bypass = false } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => fault(`${where}: script error: ${error.message}`));
  // Pages for errors have their status.
  page.on("console", (message) => { if (message.type() === "error" && !message.text().includes("status of 4")) fault(`${where}: console: ${message.text()}`); });
  page.on("request", (request) => { if (!request.url().startsWith(address) && !/^(data|chrome-extension|chrome):/.test(request.url())) fault(`${where}: request: ${request.url()}`); });
  await page.setJavaScriptEnabled(script);
  // Otherwise the page's own policy would keep the checker out.
  await page.setBypassCSP(bypass);
  await page.evaluateOnNewDocument(() => document.addEventListener("load", ({ target }) => { if (target.matches?.("iframe")) target.dataset.loaded = ""; }, true));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  if (where) await page.goto(address + where);
  return page;
}

async function check(where, name) {
  for (const width of [1280, 360]) {
    for (const theme of ["light", "dark"]) {
      const page = await open(where, { width, theme, bypass: true });
      await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (over > 0) fault(`${name}, ${width} px, ${theme}: ${over} px wider than the window`);
      await page.evaluate(axe);
      // The report in its frame is checked on its own.
      const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
      for (const one of violations) fault(`${name}, ${width} px, ${theme}: ${one.id}: ${one.nodes.length} × ${one.nodes[0].target} (${one.help})`);
      if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}-${width}-${theme}.png`), fullPage: name !== "evidence" });
      checked += 1;
      await page.close();
    }
  }
}

const paper = path.resolve("examples/paper.pdf");

// With the script: drop a file, start, follow.
const page = await open("/");
await (await page.$("#file")).uploadFile(paper);
await Promise.all([page.waitForNavigation(), page.click("form[aria-labelledby=of-paper] button")]);
const run = new URL(page.url()).pathname;
await check(run, "draft");
await Promise.all([page.waitForNavigation(), page.click(".actions button.main")]);
// Stages appear without a reload; after the last event the page shows the report.
await page.waitForSelector("#stages li");
await page.waitForSelector("#claims");
await page.waitForSelector("iframe.report");
const link = await page.$eval("article:nth-of-type(2) .closest a", (one) => one.getAttribute("href"));
await Promise.all([page.waitForNavigation(), page.click("article:nth-of-type(2) .closest a")]);
const visible = await page.$$eval(".fulltext", (texts) => texts.map((text) => {
  const [box, mark] = [text.getBoundingClientRect(), text.querySelector("mark")?.getBoundingClientRect()];
  return Boolean(mark) && mark.top >= box.top && mark.top < box.bottom;
}));
if (visible.length !== 2 || visible.includes(false)) fault(`evidence: a text does not show its passage: ${visible}`);
// The page of the PDF is beside them, and does not take the keyboard.
if (await page.evaluate(() => navigator.pdfViewerEnabled)) {
  await page.waitForSelector(".pdf iframe[src*='/pdf#page=']");
  await page.$eval(".pdf", (one) => one.scrollIntoView());
  await page.waitForSelector(".pdf iframe[data-loaded]");
  await page.focus("a[data-pdf]");
  // The frame is replaced by a new one.
  await page.keyboard.press("Enter");
  await page.waitForSelector(".pdf iframe[data-loaded]");
  if (!(await page.evaluate(() => document.activeElement.matches("a[data-pdf]")))) fault("evidence: the frame with the PDF takes the focus");
  if (screenshots) await page.screenshot({ path: path.join(screenshots, "evidence-pdf.png") });
} else console.error("this browser has no viewer for PDFs, so the frame was not checked");
await Promise.all([page.waitForNavigation(), page.click(".pair button")]);
if (!(await page.$eval(".result h2", (one) => one.textContent)).startsWith("Exact")) fault("verify: the passage is not exact");
if (screenshots) await page.screenshot({ path: path.join(screenshots, "verified.png"), fullPage: true });
await page.close();

for (const [where, name] of [["/", "new"], ["/runs", "runs"], [run, "run"], [link, "evidence"], [`${run}/requests`, "requests"], ["/corpora", "corpora"], ["/match", "match"], ["/verify", "verify"], ["/nothing", "problem"]]) {
  await check(where, name);
}

// Without the script and with the keyboard alone: an idea, started with Enter on its button.
const plain = await open("/", { script: false, width: 360 });
await plain.focus("textarea[name=text]");
await plain.keyboard.type("We place symbols into the taut intervals of a mooring rope that both ends predict from the swell, without a shared clock.");
for (let presses = 0; presses < 80 && !(await plain.$("form[aria-labelledby=of-idea] button:focus")); presses += 1) await plain.keyboard.press("Tab");
await Promise.all([plain.waitForNavigation(), plain.keyboard.press("Enter")]);
const idea = new URL(plain.url()).pathname;
await plain.focus(".actions button.main");
await Promise.all([plain.waitForNavigation(), plain.keyboard.press("Enter")]);
// Killed while the run may be in progress.
server.removeAllListeners("exit");
const gone = new Promise((resolve) => server.once("exit", resolve));
server.kill("SIGKILL");
await gone;
({ server, address } = await start());
await plain.goto(address + idea);
// The page loads itself again until the run has ended.
const since = Date.now();
// Asked while the page is being replaced, it has no answer.
while (!(await plain.$("#report").catch(() => null))) {
  if (Date.now() - since > patience) throw new Error("the page of the run does not load itself again");
  await new Promise((resolve) => setTimeout(resolve, 500));
}
await plain.close();
await check(idea, "idea");
await check("/runs", "runs-two");

// Two papers become a batch, which is started and sorted with the script. A paper by name is only announced.
await check("/batches", "batches-none");
const note = path.join(data, "second.md");
fs.writeFileSync(note, "# Ropes That Do Not Creep\n\nAbstract\n\nWe propose a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame.\n\n# 1 Introduction\n\nWe introduce a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame.\n");
const several = await open("/");
await (await several.$("#file")).uploadFile(paper, note);
await Promise.all([several.waitForNavigation(), several.click("form[aria-labelledby=of-paper] button")]);
const batch = new URL(several.url()).pathname;
await check(batch, "batch-new");
await Promise.all([several.waitForNavigation(), several.click(".actions button.main")]);
await several.waitForFunction(() => document.querySelectorAll("td .state.finished").length === 2);
await several.click("table.sortable th:nth-child(2) button");
if (!(await several.$("th[aria-sort]"))) fault("batch: the table is not sorted");
await several.goto(`${address}/`);
await several.type("input[name=name]", "arXiv:2405.01234");
await Promise.all([several.waitForNavigation(), several.click("form[aria-labelledby=of-name] button")]);
const wide = await several.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
if (wide > 0 || !(await several.$("form[action='/papers/download'] button"))) fault("download: the page does not show what would be sent");
await several.close();
await check(batch, "batch");
await check("/batches", "batches");

// The idea is watched and checked, without the script.
await check("/watches", "watches-none");
const watcher = await open(idea, { script: false });
await Promise.all([watcher.waitForNavigation(), watcher.click("form[action$='/watch'] button")]);
const watch = new URL(watcher.url()).pathname;
await check(watch, "watch-new");
await Promise.all([watcher.waitForNavigation(), watcher.click(".actions button.main")]);
await watcher.waitForSelector("#report", { timeout: patience });
await watcher.goto(address + watch);
if (!(await watcher.$("#checks"))) fault("watch: the page does not show the check");
await watcher.close();
// Written as an earlier check would have, so that there are papers in both lists.
const state = path.join(data, watch, "state.json");
const known = JSON.parse(fs.readFileSync(state, "utf8"));
const noticed = (title, level, matches) => ({ id: `rope:${title.length}`, title, alias: "Lee 2024", date: "2024-02", url: "https://example.org/paper", found_by: ["corpus:works"], noticed: "2026-11-01", change: "new", level, matches });
const match = { of: "mechanism", text: "We place symbols into the taut intervals of a mooring rope.", level: "similar", probability: 0.61 };
known.report.papers = [noticed("Ropes that creep", "none", []), noticed("Taut intervals as slots for symbols on ropes that two buoys share", "similar", [match]), noticed("Swell", "none", [])];
known.report.checks.at(-1).noticed = 2;
known.report.checks.at(-1).first = false;
fs.writeFileSync(state, JSON.stringify(known));
await check(watch, "watch");
await check("/watches", "watches");

// A corpus is made and filled without the script, with the keyboard alone, and deleted again.
const records = path.join(data, "records.jsonl");
fs.writeFileSync(records, '{"id": "rope:1", "title": "Ropes that do not creep", "abstract": "We re-estimate the stiffness of a mooring rope from pilot tugs.", "year": 2020}\nno record\n');
const maker = await open("/corpora", { script: false, width: 360 });
await maker.focus("input[name=name]");
await maker.keyboard.type("rope-papers");
await (await maker.$("#file")).uploadFile(records, paper);
for (let presses = 0; presses < 20 && !(await maker.$("form[action='/new-corpus'] button:focus")); presses += 1) await maker.keyboard.press("Tab");
await Promise.all([maker.waitForNavigation(), maker.keyboard.press("Enter")]);
const corpus = new URL(maker.url()).pathname;
if (corpus !== "/corpora/rope-papers") fault(`corpora: making one leads to ${corpus}`);
// The page loads itself again until the import has ended.
const begun = Date.now();
while (!(await maker.$("#imports").catch(() => null))) {
  if (Date.now() - begun > patience) throw new Error("the page of the corpus does not load itself again");
  await new Promise((resolve) => setTimeout(resolve, 500));
}
if (!(await maker.$eval("#imports ~ details", (one) => one.textContent)).includes("records.jsonl, record 2")) fault("corpora: the page does not say what was left out");
await check(corpus, "corpus");
await check("/corpora", "corpora-own");
await maker.focus("form[action$='/delete'] button");
await Promise.all([maker.waitForNavigation(), maker.keyboard.press("Enter")]);
if (await maker.$("a[href='/corpora/rope-papers']")) fault("corpora: the deleted one is still shown");
await maker.close();

// With a user: the form for the token, the user's own pages, and a link to a report that needs no token.
server.removeAllListeners("exit");
const over = new Promise((resolve) => server.once("exit", resolve));
server.kill();
await over;
const token = execFileSync(program, ["users", "add", "ada", "--data", data], { stdio: ["ignore", "pipe", "ignore"] }).toString().trim();
({ server, address } = await start());
await check("/runs", "sign-in");
const user = await open("/runs", { script: false });
await user.type("input[name=token]", token);
await Promise.all([user.waitForNavigation(), user.keyboard.press("Enter")]);
if (new URL(user.url()).pathname !== "/runs") fault("sign-in: it does not lead to the page that was asked for");
await user.goto(`${address}/`);
await user.type("textarea[name=text]", "We place symbols into the taut intervals of a mooring rope that both ends predict from the swell.");
await Promise.all([user.waitForNavigation(), user.click("form[aria-labelledby=of-idea] button")]);
const own = new URL(user.url()).pathname;
await Promise.all([user.waitForNavigation(), user.click(".actions button.main")]);
await user.waitForSelector("#report", { timeout: patience });
await Promise.all([user.waitForNavigation(), user.click("form[action$='/share'] button")]);
const shared = await user.$eval("a[href^='/shared/'][href$='.html']", (link) => link.getAttribute("href"));
// The cookie is in the browser, so these are the pages of the user.
await check(own, "run-of-user");
await check("/", "new-of-user");
await Promise.all([user.waitForNavigation(), user.click("form[action='/sign-out'] button")]);
await user.goto(address + own);
if (new URL(user.url()).pathname !== "/sign-in") fault("sign-out: a page of the user is still shown");
const answer = await user.goto(address + shared);
if (answer.status() !== 200) fault(`shared report: ${answer.status()}`);
await user.close();

await browser.close();
server.removeAllListeners("exit");
server.kill();
fs.rmSync(data, { recursive: true, force: true });
console.log(`${checked} views, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
