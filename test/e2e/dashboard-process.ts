import { type ChildProcess, spawn } from "node:child_process";

import { userEnvironment } from "../support/run-program.ts";
import { eventually } from "./eventually.ts";
import { PROGRAM } from "./project-copy.ts";

/** A `scaffold dashboard` that runs in a project. */
export class DashboardProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;
  #output = "";

  constructor(project: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [PROGRAM, "dashboard", ...args], {
      cwd: project,
      env: userEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
    this.#closed = new Promise((resolve) => this.#child.once("close", resolve));
  }

  /** What it has written so far. */
  get output(): string {
    return this.#output;
  }

  /** Resolves with the address of the page. */
  async address(): Promise<string> {
    return await eventually(
      () => {
        if (this.#child.exitCode !== null) throw new Error(`scaffold dashboard ended:\n${this.#output}`);
        return /^dashboard {4}(?<url>http:\S+)$/mu.exec(this.#output)?.groups?.["url"];
      },
      () => `an address in:\n${this.#output}`,
    );
  }

  /** Presses Ctrl-C and returns the status. */
  async interrupt(): Promise<number | null> {
    this.#child.kill("SIGINT");
    return await this.#closed;
  }

  /** Ends it in any case. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }
}
