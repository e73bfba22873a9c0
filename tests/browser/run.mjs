// Runs one check: node run.mjs CHECK DESCRIPTION, where the description is a JSON file.

import { readFileSync } from "node:fs";
import { checks } from "./checks.mjs";
import { browser } from "./harness.mjs";

const [name, description] = process.argv.slice(2);
const running = await browser();
try {
  await checks[name](running, JSON.parse(readFileSync(description, "utf8")));
} catch (error) {
  console.error(`${name}: ${error.stack}`);
  process.exitCode = 1;
} finally {
  await running.close();
}
