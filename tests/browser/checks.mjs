// What a reader of the page relies on, check by check. `at` has the folder of the pages and the
// program.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { equal, holds, moveTo, open, taintsim, text } from "./harness.mjs";
import { printedByShow, shownByPage } from "./state.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const page = (at, name) => join(at.folder, `${name}.html`);
const spots = (shown) => shown.locator("#lanes g.spot");
const rows = (shown) => shown.locator("#lanes .row.pod");
const width = (shown) =>
  shown.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);

export const checks = {
  // Every moment of scenarios with restarts, slow handlers, full channels and faults.
  async state(running, at) {
    let moments = 0;
    for (const [name, args] of Object.entries(at.scenarios)) {
      await open(running, page(at, name), {}, async (shown) => {
        const last = Number(await shown.locator("#time").getAttribute("max"));
        for (let place = 0; place <= last; place += 1) {
          await moveTo(shown, place);
          const time = await text(shown, "#now");
          const [found, expected] = [
            await shownByPage(shown),
            printedByShow(at.binary, args, time),
          ];
          if (found.down && expected.down)
            for (const key of ["queues", "workers", "blocked"]) found[key] = expected[key];
          equal(found, expected, `${name} at ${time}`);
          moments += 1;
        }
      });
    }
    holds(moments > 40, `${moments} moments`);
  },

  async keys(running, at) {
    await open(running, page(at, "maintenance"), {}, async (shown) => {
      const press = (key) => shown.keyboard.press(key);
      const now = () => text(shown, "#now");
      equal(await now(), "0s", "at the start");
      await press("ArrowRight");
      equal(await now(), "10s", "what happens next");
      holds(
        (await shown.locator("#live").textContent()).startsWith("10s: 4 armed timers"),
        "it is said aloud",
      );
      await press("End");
      equal(await now(), "5m10s", "the end");
      await press("ArrowLeft");
      equal(await now(), "1m30s", "what happened before");
      await press("Home");
      equal(await now(), "0s", "the start");
      await press(",");
      holds(/^event \d+ of \d+: /.test(await text(shown, "#event")), "one event");
      const count = async () => Number((await text(shown, "#event")).match(/event (\d+) of/)[1]);
      const before = await count();
      await press(".");
      equal(await count(), before + 1, "one event on");
      await press(" ");
      equal(await text(shown, "#play"), "Stop", "it plays");
      await shown.waitForFunction(() => document.getElementById("now").textContent === "10s");
      await press(" ");
      equal(await text(shown, "#play"), "Play", "it stops");
      await press("s");
      equal(await shown.locator("#linear").getAttribute("aria-pressed"), "true", "linear");
      const narrow = await shown.locator(".canvas").evaluate((canvas) => canvas.clientWidth);
      await press("+");
      holds(
        (await shown.locator(".canvas").evaluate((canvas) => canvas.clientWidth)) > narrow,
        "zoomed",
      );
      await press("?");
      holds(await shown.locator("#help").isVisible(), "help");
      await press("Escape");
      holds(!(await shown.locator("#help").isVisible()), "no help");
      await press("/");
      equal(
        await shown.evaluate(() => document.activeElement.id),
        "search",
        "search has the focus",
      );
    });
  },

  // A linear scale is linear; a compressed one has room for what is near, and says where it is not.
  async scales(running, at) {
    await open(running, page(at, "maintenance"), {}, async (shown) => {
      const places = () =>
        shown.evaluate(() => {
          const axis = [...document.querySelectorAll(".axis-lane .tick:not(.wait)")];
          return Object.fromEntries(
            axis.map((tick) => [tick.textContent, Number(tick.getAttribute("x"))]),
          );
        });
      const compressed = await places();
      holds(compressed["10.02s"] - compressed["10s"] > 30, "20ms can be seen");
      equal(
        await shown.locator(".axis-lane .tick.wait").last().textContent(),
        "(3m40s)",
        "the wait is named",
      );
      await shown.locator("#linear").click();
      const linear = await places();
      const [one, two] = [linear["2m0s"] - linear["1m0s"], linear["3m0s"] - linear["2m0s"]];
      holds(Math.abs(one - two) < 0.5, `each minute is as long: ${one} and ${two}`);
      equal(await shown.locator(".axis-lane .break").count(), 0, "no wait is compressed");
    });
  },

  async arrows(running, at) {
    await open(running, page(at, "maintenance"), {}, async (shown) => {
      const evicted = shown.locator('g.spot[aria-label^="shop/web-0: 5m10s Evicted"]');
      equal(await evicted.count(), 1, "the eviction");
      await evicted.hover();
      holds(
        (await shown.locator("#overlay .arrow.cause").count()) >= 2,
        "arrows from what caused it",
      );
      await shown.mouse.move(5, 5);
      equal(await shown.locator("#overlay .arrow").count(), 0, "no arrows elsewhere");
      await evicted.focus();
      const said = await text(shown, "#details");
      for (const part of [
        "StepApplied",
        "step 1: taint nodes node-0",
        "EvictionScheduled",
        "It led to",
        "PodRemoved",
      ]) {
        holds(said.includes(part), `the details say ${part}: ${said}`);
      }
      await shown.keyboard.press("Enter");
      equal(await text(shown, "#now"), "5m10s", "the time of the mark");
      await shown.keyboard.press("ArrowLeft");
      holds(
        (await text(shown, "#details")).includes("tolerated") ||
          (await text(shown, "#details")).includes("Fires at"),
        "the bar",
      );
      await shown.keyboard.press("Escape");
      equal(await shown.locator("#overlay .arrow").count(), 0, "Escape takes them away");
      // A step has effects on many lanes.
      await shown.locator('g.spot[aria-label*="10s TaintsChanged"]').first().focus();
      holds(
        (await shown.locator("#overlay .arrow.effect").count()) >= 3,
        "arrows to what came of it",
      );
      // The keyboard alone reaches the lanes, and all of them.
      await shown.locator("#lanes [tabindex='0']").focus();
      const seen = new Set();
      for (let i = 0; i < 30; i += 1) {
        seen.add(
          await shown.evaluate(
            () =>
              document.activeElement.closest(".row")?.querySelector(".name-button")?.textContent,
          ),
        );
        await shown.keyboard.press("ArrowDown");
      }
      const all = await shown.locator("#lanes .name-button").allTextContents();
      for (const name of all) holds(seen.has(name), `${name} was not reached`);
    });
  },

  async search(running, at) {
    await open(running, page(at, "maintenance"), {}, async (shown) => {
      const all = await rows(shown).count();
      await shown.locator("#search").fill("web-3");
      equal(await rows(shown).count(), 1, "one pod");
      equal(await text(shown, "#shown"), "Found: 1 pod on 1 node.", "what is found");
      await shown.locator("#search").fill("attempt 1 of 5");
      equal(
        await rows(shown).locator(".name-button").allTextContents(),
        ["default/batch-0"],
        "by its text",
      );
      await shown.locator("#search").fill("node-1");
      equal(await rows(shown).count(), 2, "the pods of a node");
      await shown.locator("#search").fill("nothing of this name");
      equal(await rows(shown).count(), 0, "nothing");
      await shown.locator("#search").fill("");
      await shown.locator("#fates button", { hasText: "evicted" }).click();
      equal(await rows(shown).count(), 3, "the evicted");
      await shown.locator("#fates button", { hasText: "survives" }).click();
      equal(await rows(shown).count(), all, "both");
    });
  },

  async theme(running, at) {
    const paper = (shown) => shown.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const found = [];
    for (const colorScheme of ["light", "dark"]) {
      await open(running, page(at, "maintenance"), { colorScheme }, async (shown) => {
        found.push(await paper(shown));
        await shown.locator("#theme").click();
        found.push(await paper(shown));
        await shown.keyboard.press("t");
        equal(await paper(shown), found.at(-2), "and back");
      });
    }
    const [light, toDark, dark, toLight] = found;
    equal([toDark, toLight], [dark, light], "the button takes the other one");
    holds(light !== dark, "two themes");
  },

  // Lanes and the whole table, and nothing to press.
  async print(running, at) {
    await open(running, page(at, "maintenance"), { colorScheme: "dark" }, async (shown) => {
      await shown.emulateMedia({ media: "print", colorScheme: "dark" });
      await shown.waitForFunction(() => document.querySelector("#log table"));
      for (const hidden of [".scrub", ".tools", "#help-open", ".side"]) {
        holds(!(await shown.locator(hidden).isVisible()), `${hidden} is not printed`);
      }
      const marks = await shown.locator("#log tbody tr").count();
      holds(
        marks > 20 && (await shown.locator("#log tbody tr").last().isVisible()),
        "the table is printed",
      );
      equal(
        await shown.evaluate(() => getComputedStyle(document.body).backgroundColor),
        "rgb(255, 255, 255)",
        "paper",
      );
      const right = await shown
        .locator(".axis-lane")
        .evaluate((axis) => axis.getBoundingClientRect().right);
      holds(right <= 700, `${right} pixels fit a page`);
      await shown.emulateMedia({ media: "screen" });
      await shown.waitForFunction(() => !document.querySelector("#log").open);
      const pdf = await shown.pdf({ format: "A4" });
      holds(pdf.length > 10000, "a PDF");
    });
  },

  // Texts of the run that would act, if they were anything but text.
  async hostile(running, at) {
    for (const name of ["hostile", "hostile-library"]) {
      await open(running, page(at, name), {}, async (shown) => {
        for (let i = 0; i < 3; i += 1) await shown.keyboard.press("ArrowRight");
        const count = await spots(shown).count();
        holds(count > 2, `${name}: ${count} signs`);
        for (let i = 0; i < count; i += 1) await spots(shown).nth(i).focus();
        for (const button of await shown.locator(".name-button").all()) await button.click();
        await shown.locator("#log summary").click();
        await shown.locator("#log table").waitFor();
        const injected = await shown.evaluate(() => ({
          global: window.injected,
          elements: document.querySelectorAll(
            "img, iframe, object, embed, link, base, a[href^='javascript'], [onerror], [onload], [onclick]",
          ).length,
          scripts: document.scripts.length,
          title: document.title,
        }));
        equal([injected.global, injected.elements, injected.scripts], [undefined, 0, 2], name);
        holds(injected.title.includes("<"), `the title has the name as it is: ${injected.title}`);
        holds(
          (await text(shown, "#log")).includes("<img src=x onerror=injected=1>"),
          "it is shown as text",
        );
      });
    }
  },

  // Even where escaping failed, no other script would run and nothing would be loaded.
  async policy(running, at) {
    await open(running, page(at, "maintenance"), {}, async (shown) => {
      const policy = await shown.locator("meta[http-equiv]").getAttribute("content");
      for (const part of ["default-src 'none'", "script-src 'sha256-", "style-src 'sha256-"])
        holds(policy.includes(part), part);
      holds(!policy.includes("unsafe"), policy);
    });
    const context = await running.newContext();
    const shown = await context.newPage();
    await shown.goto(`file://${page(at, "maintenance")}`);
    const ran = await shown.evaluate(() => {
      const script = document.createElement("script");
      try {
        script.textContent = "window.injected = 1";
        document.body.append(script);
      } catch {
        return "refused";
      }
      return window.injected === 1 ? "ran" : "refused";
    });
    equal(ran, "refused", "an injected script");
    await context.close();
  },

  async many(running, at) {
    await open(running, page(at, "many"), {}, async (shown) => {
      holds(
        (await text(shown, "#shown")).startsWith(
          "3,000 pods in 3 rows: pods with the same story share one.",
        ),
        "it says so",
      );
      equal(await rows(shown).count(), 3, "rows");
      await shown.locator("#search").fill("web-1234");
      equal(await rows(shown).count(), 1, "the row of the pod");
      equal(
        await text(shown, "#shown").then((said) => said.includes("Found: 1 pod")),
        true,
        "one pod",
      );
      await shown.locator(".row.pod .name-button").click();
      holds((await text(shown, "#details")).includes("default/web-1234"), "its name is listed");
      await shown.locator("#search").fill("");
      await shown.keyboard.press("Escape");
      await moveTo(shown, 1);
      holds((await text(shown, "#state")).includes("2,500 armed timers"), "all timers count");
    });
  },

  // Where every pod is different, as many lanes are drawn as one can look at, and search has all.
  async different(running, at) {
    await open(running, page(at, "different"), {}, async (shown) => {
      equal(await rows(shown).count(), 300, "drawn");
      equal(await text(shown, "#more"), "200 rows not drawn; show 200 more", "what is not");
      await shown.locator("#search").fill("web-499");
      equal(await rows(shown).count(), 1, "found");
      await shown.locator("#search").fill("");
      await shown.locator("#more").click();
      equal(await rows(shown).count(), 500, "all");
      holds(!(await shown.locator("#more").isVisible()), "nothing more");
    });
  },

  async axe(running, at) {
    for (const name of ["maintenance", "every-key", "diff"]) {
      for (const colorScheme of ["light", "dark"]) {
        await open(running, page(at, name), { colorScheme, bypassCSP: true }, async (shown) => {
          await shown.locator("#log summary").click();
          await shown.locator("#log table").first().waitFor();
          await shown.keyboard.press("ArrowRight");
          await spots(shown).first().focus();
          await shown.locator("#fates button").first().click();
          await shown.evaluate(AXE);
          const { violations } = await shown.evaluate(() =>
            window.axe.run(document, {
              runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
            }),
          );
          const told = violations.map(
            ({ id, nodes }) =>
              `${id}: ${nodes
                .slice(0, 3)
                .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`)
                .join(" / ")}`,
          );
          equal(told, [], `${name}, ${colorScheme}`);
          await shown.locator("#help-open").click();
          const help = await shown.evaluate(() => window.axe.run("#help"));
          equal(
            help.violations.map(({ id }) => id),
            [],
            `help, ${colorScheme}`,
          );
        });
      }
    }
  },

  async narrow(running, at) {
    for (const name of ["maintenance", "every-key", "many", "diff", "hostile"]) {
      await open(
        running,
        page(at, name),
        { viewport: { width: 360, height: 740 } },
        async (shown) => {
          const [inner, outer] = await width(shown);
          equal(inner, outer, `${name}: no sideways scrolling`);
          const name_ = await shown.locator(".row.pod .name").first().boundingBox();
          const lane = await shown.locator(".row.pod .lane").first().boundingBox();
          holds(name_.y + name_.height <= lane.y + 1, `${name}: names stand above lanes`);
        },
      );
    }
  },

  async comparison(running, at) {
    await open(running, page(at, "diff"), {}, async (shown) => {
      const printed = JSON.parse(at.diff);
      const table = await shown.locator("table.differences tbody tr").count();
      equal(table, printed.differences.length, "all differences");
      holds((await text(shown, "table.differences")).includes("gracefulStop"), "the switch");
      equal(
        await shown.locator("#lanes .row.heading h2").allTextContents(),
        ["1.34", "1.35"],
        "both runs",
      );
      const axes = await shown.evaluate(() =>
        [...document.querySelectorAll('g.spot[aria-label*="10s TaintsChanged"]')].map(
          (spot) => spot.getAttribute("transform").split(" ")[0],
        ),
      );
      equal(axes.length, 2, "one step in each run");
      equal(axes[0], axes[1], "on one axis");
      await moveTo(shown, 1);
      equal(
        await shown.locator("#state .run-name").allTextContents(),
        ["1.34", "1.35"],
        "the state of both",
      );
    });
    await open(running, page(at, "same"), {}, async (shown) => {
      holds((await text(shown, ".summary")).includes("Nothing differs"), "it says so");
      holds(!(await shown.locator("#app").isVisible()), "no lanes");
    });
  },

  // More nanoseconds than a number of JavaScript holds.
  async years(running, at) {
    await open(running, page(at, "years"), {}, async (shown) => {
      await shown.keyboard.press("End");
      const printed = taintsim(at.binary, ["replay", ...at.scenarios.years, "-o", "jsonl"])
        .trim()
        .split("\n");
      equal(
        await text(shown, "#now"),
        JSON.parse(printed.at(-1)).at,
        "the last time, to the nanosecond",
      );
      await shown.locator("#linear").click();
      holds((await shown.locator(".axis-lane .tick").count()) < 40, "few ticks");
    });
  },
};
