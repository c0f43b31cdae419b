// create api: the command, from its arguments to its exit status.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { CREATE_API, INIT, runCommand } from "../../test/support/run-command.ts";
import { CallCounter, filesOf } from "./called-files.mjs";

/** Returns the files that the command passes through. */
export async function createApiFlow() {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-figures-"));
  try {
    await run(folder, INIT);
    // What is loaded lazily is loaded by the first run.
    await run(folder, CREATE_API.replace("Guestbook", "First"));
    const counter = new CallCounter();
    counter.start();
    await run(folder, CREATE_API);
    return filesOf(counter.stop(), ["src/", "plugins/", "packages/"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(folder, line) {
  const { status, stderr } = await runCommand(folder, line);
  if (status !== 0) throw new Error(`cannot run ${line}: ${stderr}`);
}
