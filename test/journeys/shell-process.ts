import { type ChildProcess, spawn } from "node:child_process";

import { eventually } from "../e2e/eventually.ts";
import { userEnvironment } from "../support/run-program.ts";

// Far longer than any command takes to stop.
const STOP_MS = 60_000;

/** A command that runs in its own shell until the reader presses Ctrl-C, such as `npm run dev`. */
export class ShellProcess {
  readonly #line: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #output = "";
  #hasEnded = false;

  constructor(
    line: string,
    { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  ) {
    this.#line = line;
    this.#child = spawn("bash", ["-c", line], {
      cwd,
      env: { ...userEnvironment(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, to which a terminal sends the signal of Ctrl-C.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
    }
    this.#closed = new Promise((resolve) => {
      this.#child.once("close", () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  /** Everything that it has printed so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits until the output matches a pattern. Fails when the command ends first. */
  async waitFor(pattern: RegExp): Promise<void> {
    await eventually(
      () => {
        if (pattern.test(this.#output)) return true;
        if (this.#hasEnded) throw new Error(`${this.#line} ended:\n${this.#output}`);
        return undefined;
      },
      () => `${String(pattern)} of ${this.#line}, which printed:\n${this.#output}`,
    );
  }

  /** Presses Ctrl-C, and waits until nothing is left of the command. */
  async interrupt(): Promise<void> {
    if (this.#hasEnded) return;
    this.#signal("SIGINT");
    const force = setTimeout(() => this.#signal("SIGKILL"), STOP_MS);
    await this.#closed;
    clearTimeout(force);
  }

  #signal(name: NodeJS.Signals): void {
    process.kill(-(this.#child.pid ?? Number.NaN), name);
  }
}
