// Parses each Mermaid file that is named, with Mermaid itself; says which one is not a diagram.
// Usage: node check.mjs FILE...
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

// Mermaid purifies texts with the browser's own parser.
const { window } = new JSDOM("<!DOCTYPE html><body></body>");
globalThis.window = window;
globalThis.document = window.document;

const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

let bad = 0;
for (const file of process.argv.slice(2)) {
  try {
    const text = readFileSync(file, "utf8");
    const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
    // What has no task, or another text, is not the diagram that was written.
    const tasks = diagram.db.getTasks();
    const wanted = text.split("\n").filter((line) => / :[a-z0-9]/.test(line)).length;
    if (diagram.type !== "gantt" || tasks.length !== wanted) {
      throw new Error(`a ${diagram.type} of ${tasks.length} tasks, not of ${wanted}`);
    }
    for (const task of tasks) {
      if (Number.isNaN(+task.startTime) || Number.isNaN(+task.endTime) || task.endTime < task.startTime) {
        throw new Error(`task ${task.task}: ${task.startTime} to ${task.endTime}`);
      }
    }
  } catch (error) {
    bad += 1;
    console.error(`${file}: ${error.message}`);
  }
}
console.log(`${process.argv.length - 2} files, ${bad} bad`);
process.exit(bad === 0 ? 0 : 1);
