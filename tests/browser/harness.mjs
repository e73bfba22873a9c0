// A headless Chromium with one page open; what the page must never do is noticed and kept.

import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function browser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: FLAGS,
  });
}

// Opens a file; `look` sees the page, and whatever went wrong meanwhile is an error.
export async function open(running, file, options, look) {
  const context = await running.newContext({ viewport: { width: 1300, height: 900 }, ...options });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
  page.on("request", (request) => request.url() !== url && wrong.push(`request: ${request.url()}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  await look(page);
  await context.close();
  if (wrong.length) throw new Error(`${file}: ${wrong.join("; ")}`);
}

export function equal(found, expected, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: found ${a}, expected ${b}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

export function taintsim(binary, args) {
  return execFileSync(binary, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export const text = (page, selector) => page.locator(selector).innerText();

// Moves the time line to one of its places.
export async function moveTo(page, place) {
  await page.locator("#time").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, place);
}
