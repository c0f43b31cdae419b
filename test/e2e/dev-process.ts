import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";
import { getConfig } from "@kubescaffold/runtime";
import { onTestFinished } from "vitest";

import { userEnvironment } from "../support/run-program.ts";
import { eventually } from "./eventually.ts";
import { copyExample, type ProjectCopy, PROGRAM } from "./project-copy.ts";

/** A `scaffold dev` that runs in a project. */
export class DevProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;
  #output = "";
  #hasEnded = false;

  constructor(project: string, args: readonly string[] = [], program: string = PROGRAM) {
    this.#child = spawn(process.execPath, [program, "dev", ...args], {
      cwd: project,
      env: userEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      // A separate process group, which can be killed with the manager.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
    }
    // "close" comes when nobody holds the streams any more, the manager included.
    this.#closed = new Promise((resolve) => {
      this.#child.once("close", (status) => {
        this.#hasEnded = true;
        resolve(status);
      });
    });
  }

  /** What it and the manager have written so far. */
  get output(): string {
    return this.#output;
  }

  /** How often a pattern occurs in the output. */
  count(pattern: RegExp): number {
    return [...this.#output.matchAll(new RegExp(pattern, "gu"))].length;
  }

  /** Waits until a pattern occurs a number of times. */
  async waitFor(pattern: RegExp, times = 1): Promise<void> {
    await eventually(
      () => {
        if (this.count(pattern) >= times) return true;
        if (this.#hasEnded) throw new Error(`scaffold dev ended:\n${this.#output}`);
        return undefined;
      },
      () => `${String(pattern)}, ${String(times)} times, in:\n${this.#output}`,
    );
  }

  /** Waits until the manager serves webhooks and reconciles, for the given time in this process's life. */
  async waitForManager(times = 1): Promise<void> {
    await this.waitFor(/serving webhook server/, times);
    await this.waitFor(/starting workers/, times);
  }

  /** Presses Ctrl-C and returns the status, once neither it nor the manager is left. */
  async interrupt(): Promise<number | null> {
    this.#child.kill("SIGINT");
    return await this.#closed;
  }

  /** Kills it and the manager, as a crash of the machine does. */
  async kill(): Promise<void> {
    process.kill(-(this.#child.pid ?? Number.NaN), "SIGKILL");
    await this.#closed;
  }

  /** Ends it in any case. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    const force = setTimeout(() => this.#child.kill("SIGKILL"), 60_000);
    await this.interrupt();
    clearTimeout(force);
  }
}

/** Runs `scaffold dev` on a copy of the Guestbook example, until the test ends. */
export function startDevOnExample(args: readonly string[] = []): {
  readonly project: ProjectCopy;
  readonly dev: DevProcess;
} {
  const project = copyExample();
  onTestFinished(() => project.remove());
  const dev = new DevProcess(project.root, args);
  onTestFinished(() => dev.end());
  return { project, dev };
}

/** The kubeconfig that `scaffold dev` writes in a project. */
export function kubeconfigOf(project: string): string {
  return path.join(project, ".kubescaffold", "dev", "kubeconfig");
}

/** Reads that kubeconfig as any client would. */
export async function configOf(project: string): Promise<RestConfig> {
  return await getConfig({ kubeconfig: kubeconfigOf(project) });
}

/** Returns the process id that a project's lock names, or undefined when nobody holds it. */
export function holderOf(project: string): number | undefined {
  try {
    const text = readFileSync(path.join(project, ".kubescaffold", "dev-lock"), "utf8");
    return (JSON.parse(text) as { readonly pid: number }).pid;
  } catch {
    return undefined;
  }
}
