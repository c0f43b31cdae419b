import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { eventually } from "../e2e/eventually.ts";
import { userEnvironment } from "../support/run-program.ts";

/** How the manager of a project is started. */
export interface ManagerOptions {
  /** How it reaches the server. */
  readonly kubeconfig: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The program and its first arguments. Default: the sources of the manager. */
  readonly program?: readonly string[];
}

const SOURCES: readonly string[] = ["--import", "tsx", "cmd/main.ts"];

/** `cmd/main.ts` of a generated project, run as a process against a server. */
export class ManagerProcess {
  readonly #child: ChildProcess;
  #output = "";

  constructor(project: string, { kubeconfig, args = [], env = {}, program = SOURCES }: ManagerOptions) {
    const flags = [`--kubeconfig=${kubeconfig}`, "--health-probe-bind-address=0", ...args];
    const stdio = ["ignore", "pipe", "pipe"] as const;
    this.#child = spawn(process.execPath, [...program, ...flags], {
      cwd: project,
      env: { ...userEnvironment(), ...env },
      stdio: [...stdio],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
    }
  }

  /** What it has written so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits until it has written something that matches. */
  async waitFor(pattern: RegExp): Promise<void> {
    await eventually(
      () => {
        if (pattern.test(this.#output)) return true;
        if (this.#child.exitCode !== null) throw new Error(`the manager ended:\n${this.#output}`);
        return undefined;
      },
      () => `${String(pattern)} in:\n${this.#output}`,
    );
  }

  /** Asks it to stop, as a cluster does, and returns its status. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null) {
      const closed = once(this.#child, "close");
      this.#child.kill("SIGTERM");
      await closed;
    }
    return this.#child.exitCode;
  }
}
