// Takes the lock of a project in its own process, prints a line, and waits for a signal or a line on standard input, which it fails at.
import process from "node:process";

import { acquireLock } from "../../../src/machinery/commit/project-lock.ts";

const [root = ""] = process.argv.slice(2);

await acquireLock({ root, command: "scaffold dev", name: "dev-lock" });
process.stdout.write("held\n");
process.stdin.on("data", () => {
  throw new Error("failed while it held the lock");
});
