import path from "node:path";
import process from "node:process";

import { eventually } from "../e2e/eventually.ts";
import { findKubectl } from "../e2e/kubectl.ts";
import type { PackedProject } from "./packed-project.ts";
import { ShellProcess } from "./shell-process.ts";

// cspell:ignore KUBECACHEDIR
const DEV = /^npm run dev(?: |$)/u;
// Commands that run until they are interrupted, and the line after which they are of use.
const SERVERS: readonly (readonly [RegExp, RegExp])[] = [
  [DEV, /API server {3}/u],
  [/^npx tsx /u, /listens on/u],
];
const EXPORT = /^export (?<name>\w+)=(?<value>\S+)$/u;
const KUBECTL = /^kubectl /u;
const WATCH = / -w$/u;
// Commands that change or read the cluster; before others, a reader stops `npm run dev`.
const WITH_CLUSTER = /^(?:npm test$|npx scaffold (?:delete api|doctor|migrate-storage)\b)/u;

/** What a page promises of a command. */
export interface Promised {
  /** What it prints, at once or after a while. */
  readonly prints: RegExp;
  /** It fails. */
  readonly isRefused?: boolean;
  /** Commands that show its effect, and what they print. */
  readonly effects?: readonly (readonly [line: string, prints: RegExp])[];
}

/** The cluster of a reader who runs `npm run dev` in one shell, and kubectl in another. */
export class TutorialCluster {
  readonly #project: PackedProject;
  readonly #kubectl = findKubectl();
  readonly #env: Record<string, string> = {};
  readonly #printed: string[] = [];
  readonly #servers = new Map<string, ShellProcess>();

  constructor(project: PackedProject) {
    this.#project = project;
    // The reader has kubectl on the path; what it caches of a server is not of the next one on the same port.
    this.#env["KUBECACHEDIR"] = path.join(project.root, ".kubescaffold", "kubectl");
    const { PATH = "" } = process.env;
    if (this.#kubectl !== undefined) this.#env["PATH"] = [path.dirname(this.#kubectl), PATH].join(path.delimiter);
    else console.warn("SKIPPED: kubectl was NOT run, since there is none");
  }

  /** The last lines of the commands that were followed. */
  get printed(): readonly string[] {
    return this.#printed;
  }

  /** Follows a line of the page that is about the cluster. Returns false for others. */
  async follow(line: string, promised?: Promised): Promise<boolean> {
    const { name, value } = EXPORT.exec(line)?.groups ?? {};
    if (name !== undefined) {
      this.#env[name] = path.resolve(this.#project.root, value ?? "");
      return true;
    }
    const [, isServing] = SERVERS.find(([pattern]) => pattern.test(line)) ?? [];
    if (isServing !== undefined) {
      await this.#serve(line, isServing);
      return true;
    }
    if (KUBECTL.test(line)) {
      if (this.#kubectl !== undefined) await this.#runKubectl(line, promised);
      return true;
    }
    if (this.#servers.size === 0 || !WITH_CLUSTER.test(line)) {
      await this.stop();
      return false;
    }
    await this.#run(line);
    return true;
  }

  async #serve(line: string, isServing: RegExp): Promise<void> {
    const other = [...this.#servers.keys()].find((each) => DEV.test(each) && DEV.test(line));
    await this.stop(other ?? line);
    const server = new ShellProcess(line, { cwd: this.#project.root });
    this.#servers.set(line, server);
    await server.waitFor(isServing);
  }

  async #runKubectl(line: string, promised: Promised | undefined): Promise<void> {
    if (WATCH.test(line)) {
      const watch = new ShellProcess(line, { cwd: this.#project.root, env: this.#env });
      try {
        await watch.waitFor(promised?.prints ?? /\S/u);
      } finally {
        await watch.interrupt();
      }
    } else await this.#run(line, promised);
    for (const [effect, prints] of promised?.effects ?? []) await this.#run(effect, { prints });
  }

  // The webhooks of a manager that restarts are not served for a moment.
  async #run(line: string, { prints = /(?:)/u, isRefused = false }: Partial<Promised> = {}): Promise<void> {
    const attempts = new Set<string>();
    const output = await eventually(
      async () => {
        const { status, output: printed } = await this.#project.run(line, { env: this.#env });
        attempts.add(printed);
        return (status !== 0) === isRefused && prints.test(printed) ? printed : undefined;
      },
      () => {
        const others = [...this.#servers].map(([server, { output: printed }]) => `${server} printed:\n${printed}`);
        return [`${line} with ${String(prints)}, which printed:\n${[...attempts].join("\n")}`, ...others].join("\n");
      },
    );
    this.#printed.push(output.trimEnd().split("\n").at(-1) ?? "");
  }

  /** Ends a command that runs in a shell, or all of them, as Ctrl-C does. */
  async stop(line?: string): Promise<void> {
    for (const [each, server] of this.#servers) {
      if (line !== undefined && each !== line) continue;
      this.#servers.delete(each);
      await server.interrupt();
    }
  }
}
