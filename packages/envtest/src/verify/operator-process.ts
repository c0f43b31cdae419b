import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

import { OWN_GROUP, signalGroup } from "@kubescaffold/platform/processes";

/** How the process of an operator is started. */
export interface OperatorStart {
  /** A program with its arguments, or a command for the shell. */
  readonly command: string | readonly [string, ...string[]];
  /** The folder that it runs in. */
  readonly cwd: string;
  /** All of its variables. */
  readonly env: Readonly<Record<string, string>>;
}

const KEPT_CHARACTERS = 8000;
const MOST_EXITS = 5;
const RESTART_MS = 200;

/**
 * The process of an operator, which is killed without notice, as by a lost node, and started again when it exits by itself, as by a kubelet.
 *
 * All processes that it has started end with it.
 */
export class OperatorProcess {
  readonly #start: OperatorStart;
  readonly #endWithThis = (): void => this.#signal();
  #child: ChildProcess | undefined;
  #output = "";
  #exits: string[] = [];
  #exitCount = 0;
  #restart: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(start: OperatorStart) {
    this.#start = start;
  }

  /** The end of what all of its processes have printed. */
  get output(): string {
    return this.#output;
  }

  /** Returns the exits since the last call, each with its status and the last line that was printed. */
  takeExits(): readonly string[] {
    return this.#exits.splice(0);
  }

  /** Resolves with the reason when the process has exited so often that it is not started again; with undefined when the signal is aborted before. */
  async givenUp(signal: AbortSignal): Promise<string | undefined> {
    while (this.#exitCount < MOST_EXITS) {
      if (signal.aborted) return undefined;
      await delay(RESTART_MS);
    }
    return `the operator exits when it starts, with ${this.#exits.at(-1) ?? "no status"}`;
  }

  /** Starts the process. */
  start(): void {
    this.#isStopping = false;
    const { command, cwd, env } = this.#start;
    const options = { cwd, env, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"], ...OWN_GROUP };
    const child =
      typeof command === "string"
        ? spawn(command, { ...options, shell: true })
        : spawn(command[0], command.slice(1), options);
    this.#child = child;
    process.once("exit", this.#endWithThis);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString("utf8")).slice(-KEPT_CHARACTERS);
      });
    }
    child.once("error", (error) => this.#ended(child, `cannot start it: ${error.message}`));
    child.once("exit", (code, signal) => this.#ended(child, signal === null ? `status ${String(code)}` : signal));
  }

  /** Asks the process to end, as a kubelet does, and kills it after a grace period. Waits for its end. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child?.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      signalGroup(child, "SIGTERM");
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
    }
    await this.kill();
  }

  /** Kills the process and those that it has started, and waits for their end. */
  async kill(): Promise<void> {
    clearTimeout(this.#restart);
    const child = this.#child;
    this.#child = undefined;
    process.off("exit", this.#endWithThis);
    if (child === undefined) return;
    const isRunning = child.exitCode === null && child.signalCode === null && child.pid !== undefined;
    const ended = isRunning ? once(child, "exit") : Promise.resolve([]);
    signalGroup(child, "SIGKILL");
    await ended;
  }

  #signal(): void {
    if (this.#child !== undefined) signalGroup(this.#child, "SIGKILL");
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child || this.#isStopping) return;
    this.#exits.push(`${how}${this.#lastLine()}`);
    this.#exitCount += 1;
    signalGroup(child, "SIGKILL");
    process.off("exit", this.#endWithThis);
    this.#child = undefined;
    if (this.#exitCount < MOST_EXITS) this.#restart = setTimeout(() => this.start(), RESTART_MS);
  }

  #lastLine(): string {
    const line = this.#output.trimEnd().split("\n").at(-1) ?? "";
    return line === "" ? "" : `: ${line}`;
  }
}
