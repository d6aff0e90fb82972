// Opens every page below a folder in a browser: `node check.mjs FOLDER`. `.ci/run` installs what it needs in target/pages.
//
// Fails on a violation of an accessibility rule, a page wider than its window, a script error, or a request. Each page is opened in two widths and
// two themes. The rules are checked on the expanded page, and once on the folded one. One browser runs for each processor.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browserPath = process.env.PRECEDENT_BROWSER || "/usr/bin/chromium";
const folder = path.resolve(process.argv[2] ?? "target/tmp/report");
const pages = fs.readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(".html")).sort();
if (pages.length === 0) throw new Error(`no pages in ${folder}`);

// As root, the browser's sandbox does not start. The pages are our own.
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const WIDTHS = [1280, 360];
const THEMES = ["light", "dark"];
let faults = 0;

async function check(browser, name, width, theme) {
  const page = await browser.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`script error: ${error.message}`));
  page.on("console", (message) => { if (message.type() === "error") wrong.push(`console: ${message.text()}`); });
  page.on("request", (request) => { if (!request.url().startsWith("file:")) wrong.push(`request: ${request.url()}`); });
  // Otherwise the page's own policy would keep the checker out.
  await page.setBypassCSP(true);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.goto(`file://${path.join(folder, name)}`);
  await page.evaluate(axe);
  for (const state of ["folded", "expanded"]) {
    if (state === "expanded") await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over > 0) wrong.push(`${state}: ${over} px wider than the window`);
    // Folded, the rules find the same in every width and theme.
    if (state === "folded" && (width !== WIDTHS[0] || theme !== THEMES[0])) continue;
    // A page from disk may not read its style sheet as text, which axe would try.
    const { violations } = await page.evaluate(() => window.axe.run(document, { preload: false }));
    for (const one of violations) wrong.push(`${state}: ${one.id}: ${one.nodes.length} × ${one.nodes[0].target} (${one.help})`);
  }
  await page.close();
  for (const line of wrong) console.error(`${name}, ${width} px, ${theme}: ${line}`);
  faults += wrong.length;
}

// Without the bypass: the page's own script runs under its policy.
async function checkScript(browser, name) {
  const page = await browser.newPage();
  const wrong = [];
  page.on("console", (message) => { if (message.type() === "error") wrong.push(message.text()); });
  await page.goto(`file://${path.join(folder, name)}`);
  if (!(await page.$(".tools button"))) wrong.push("the script made no buttons");
  // On a window of medium width, the bar has one line.
  await page.setViewport({ width: 900, height: 900 });
  const isBroken = () => {
    const brand = document.querySelector(".bar .brand");
    return brand.getClientRects().length > 1 || brand.offsetHeight > 1.6 * parseFloat(getComputedStyle(brand).fontSize);
  };
  if (await page.evaluate(isBroken)) wrong.push("the name in the bar is broken into lines");
  wrong.push(...await page.evaluate(() => {
    const wrong = [];
    for (const one of document.querySelectorAll("details")) one.open = true;
    // The arrow keys go from mark to mark, and the card names each.
    for (const card of document.querySelectorAll("figure .card")) {
      const first = card.closest("figure").querySelector("svg.chart a[tabindex='0'], .years a[tabindex='0']");
      first.focus();
      first.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
      const now = document.activeElement;
      const name = now.getAttribute("aria-label") ?? (now.title || now.querySelector("title")?.textContent);
      if (!name || card.textContent !== name) wrong.push(`the card of a chart says “${card.textContent}”`);
    }
    // A word that occurs nowhere hides every row or paper.
    for (const line of document.querySelectorAll("p.filters")) {
      const field = line.querySelector("input");
      const items = [...(line.nextElementSibling.querySelector("tbody") ?? line.nextElementSibling).children];
      field.value = "no-such-word";
      field.dispatchEvent(new Event("input"));
      if (items.length === 0 || items.some((item) => !item.hidden)) wrong.push("a filter hides nothing");
    }
    return wrong;
  }));
  await page.close();
  for (const line of wrong) console.error(`${name}: ${line}`);
  faults += wrong.length;
}

// The first page of a site finds its papers by the words of their titles.
async function checkSearch(browser, name) {
  const page = await browser.newPage();
  await page.goto(`file://${path.join(folder, name)}`);
  if (await page.$("form[data-chunks]")) {
    const sought = fs.readFileSync(path.join(folder, path.dirname(name), "search/1.js"), "utf8").match(/\["papers\/[^"]*","([^"\\<&]*)"/)[1];
    await page.type("form[data-chunks] input", sought);
    const found = await page.waitForSelector(".results li a", { timeout: 5000 }).catch(() => null);
    if (!found) {
      console.error(`${name}: the search does not find “${sought}”`);
      faults += 1;
    }
  }
  await page.close();
}

const queue = [...pages];
await Promise.all(Array.from({ length: Math.min(pages.length, os.availableParallelism()) }, async () => {
  const browser = await puppeteer.launch({ executablePath: browserPath, args: sandbox });
  for (let name = queue.shift(); name; name = queue.shift()) {
    await checkSearch(browser, name);
    await checkScript(browser, name);
    for (const width of WIDTHS) for (const theme of THEMES) await check(browser, name, width, theme);
  }
  await browser.close();
}));
console.log(`${pages.length} pages, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
