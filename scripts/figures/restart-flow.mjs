// Saved file → restarted manager: `scaffold dev`, from the change of a source until the next process of the manager is started.
import { appendFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { handledLater } from "@kubescaffold/platform";

import { runCli } from "../../src/cli/run-cli.ts";
import { CREATE_API, INIT, runCommands, STANDARD_REGISTRY } from "../../test/support/run-command.ts";
import { ROOT } from "../ensure-installed.mjs";
import { CallCounter, filesOf } from "./called-files.mjs";

const DEV = ["dev", "--output", "json", "--dashboard=false", "--type-check=false", "--simulate=false"];
const CONTROLLER = "internal/controller/guestbook_controller.ts";

/** Returns the files of the command line that a saved file passes through; the generators and the API server run meanwhile. */
export async function restartFlow() {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-figures-"));
  try {
    await runCommands(folder, INIT, CREATE_API);
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
    return await filesOfRestart(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function filesOfRestart(folder) {
  const starts = new Starts();
  const running = handledLater(runCli({ args: DEV, cwd: folder, terminal: starts.terminal, program: PROGRAM }));
  const counter = new CallCounter();
  await starts.next(running);
  // What happens once, such as loading the generators, does not count.
  save(folder);
  await starts.next(running);
  let files;
  starts.onStart = () => {
    files ??= filesOf(counter.stop(), ["src/", "plugins/"]);
  };
  counter.start();
  save(folder);
  await starts.next(running);
  process.emit("SIGTERM");
  await running;
  return files;
}

function save(folder) {
  appendFileSync(path.join(folder, CONTROLLER), "\n// Changed.\n");
}

const PROGRAM = { name: "scaffold", version: "0.1.0", packageRoot: ROOT, registry: async () => STANDARD_REGISTRY };

/** The starts of managers that a command reports, each taken once. */
class Starts {
  onStart = () => undefined;
  #printed = "";
  #count = 0;
  #waiting;
  terminal = { isInteractive: false, writeOut: (text) => this.#read(text), writeError: (text) => this.#note(text) };

  /** Waits for a start. Fails: if the command ends before. */
  async next(running) {
    while (this.#count === 0) {
      const started = new Promise((resolve) => (this.#waiting = resolve));
      const status = await Promise.race([started, running]);
      if (typeof status === "number") throw new Error(`scaffold dev ended with ${String(status)}: ${this.#printed}`);
    }
    this.#count -= 1;
  }

  #note(text) {
    this.#printed += text;
  }

  #read(text) {
    this.#note(text);
    if (!text.includes('"event":"manager-started"')) return;
    this.onStart();
    this.#count += 1;
    this.#waiting?.();
  }
}
