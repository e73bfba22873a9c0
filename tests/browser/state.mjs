// The state of the taint manager as the page shows it, and as `replay --show` prints it.

import { taintsim } from "./harness.mjs";

export async function shownByPage(page) {
  return page.locator("#state .body").evaluate((body) => {
    const rows = (label) =>
      [...body.querySelectorAll(`[aria-label="${label}"] tbody tr`)].map((row) =>
        [...row.cells].map((cell) => cell.textContent),
      );
    const items = [...body.querySelectorAll("li")].map((item) => item.firstChild.textContent);
    const alerts = [...body.querySelectorAll(".alert")].map((alert) => alert.textContent);
    // `--show` does not number the pods that have had a name.
    const name = (text) => text.replace(/ \(\d+..\)$/, "");
    const queue = (name) => {
      const found = items.find((item) => item.startsWith(`${name}: `));
      return (
        found &&
        found
          .slice(name.length + 2)
          .replace(/^empty$/, "0")
          .replace(" waiting", "")
      );
    };
    return {
      timers: rows("Armed timers")
        .map((cells) => `${name(cells[0])} ${cells[3].split(",")[0]}`)
        .sort(),
      deleting: items
        .filter((item) => item.includes(", since "))
        .map((item) => name(item.split(",")[0]))
        .sort(),
      queues: [queue("noexec_taint_node"), queue("noexec_taint_pod")],
      workers: rows("Workers").map((cells) => cells.join(" | ")),
      blocked: alerts
        .filter((alert) => alert.includes("blocked"))
        .map((alert) => alert.split("is ")[1]),
      down: alerts.some((alert) => alert.includes("down")),
    };
  });
}

export function printedByShow(binary, args, time) {
  const printed = taintsim(binary, [
    "replay",
    ...args,
    "--show",
    "timers,shards,queues",
    "--at",
    time,
  ]);
  const lines = printed.split("\n");
  const cells = lines.map((line) => line.trim().split(/\s{2,}/));
  const section = (first) => {
    const start = cells.findIndex((row) => row[0] === first);
    const rows = start < 0 ? [] : cells.slice(start + 1);
    const end = rows.findIndex((row) => row.length < 2);
    return end < 0 ? rows : rows.slice(0, end);
  };
  const timers = section("POD");
  const queue = (name) => {
    const [, count, items] = section("QUEUE").find((row) => row[0] === name) || [];
    return count === undefined ? undefined : count === "0" ? "0" : `${count}: ${items}`;
  };
  const idle = (row) =>
    row[1] === "waits" && row[2].startsWith("0 of") && row[3].startsWith("0 of");
  const blocked = lines.filter(
    (line) => line.startsWith("The dispatcher") && line.includes("is blocked"),
  );
  return {
    timers: timers
      .filter((row) => row[1].startsWith("armed"))
      .map((row) => `${row[0]} ${row[3]}`)
      .sort(),
    deleting: timers
      .filter((row) => row[1] === "deleting")
      .map((row) => row[0])
      .sort(),
    queues: [queue("noexec_taint_node"), queue("noexec_taint_pod")],
    workers: section("SHARD")
      .filter((row) => !idle(row))
      .map((row) => row.join(" | ")),
    blocked: blocked.map((line) => line.split("is ")[1]),
    down: /controller is down|told to stop|controller starts/.test(printed),
  };
}
