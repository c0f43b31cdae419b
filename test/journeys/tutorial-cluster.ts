import path from "node:path";

import { DevProcess } from "../e2e/dev-process.ts";
import { eventually } from "../e2e/eventually.ts";
import { findKubectl } from "../e2e/kubectl.ts";
import type { PackedProject } from "./packed-project.ts";

const START = /^npm run dev -- (?<flags>.*)$/u;
const EXPORT = /^export (?<name>\w+)=(?<value>\S+)$/u;
const KUBECTL = /^kubectl /u;
// Commands that change or read the cluster; before others, a reader stops the first command.
const WITH_CLUSTER = /^(?:npm test$|npx scaffold (?:delete api|doctor|migrate-storage)\b)/u;

/** The cluster of a reader who runs `npm run dev` in one shell, and kubectl in another. */
export class TutorialCluster {
  readonly #project: PackedProject;
  readonly #kubectl = findKubectl();
  readonly #env: Record<string, string> = {};
  readonly #printed: string[] = [];
  #last = "";
  #dev: DevProcess | undefined;

  constructor(project: PackedProject) {
    this.#project = project;
    if (this.#kubectl === undefined) console.warn("SKIPPED: kubectl was NOT run, since there is none");
  }

  /** The last lines of the commands that were followed. */
  get printed(): readonly string[] {
    return this.#printed;
  }

  /** Follows a line of the page that is about the cluster. Returns false for others. */
  async follow(line: string): Promise<boolean> {
    const { flags } = START.exec(line)?.groups ?? {};
    if (flags !== undefined) {
      await this.stop();
      const program = path.join(this.#project.root, "node_modules", "kubescaffold", "dist", "scaffold.cjs");
      this.#dev = new DevProcess(this.#project.root, flags.split(" "), program);
      await this.#dev.waitFor(/API server {3}/);
      return true;
    }
    const { name, value } = EXPORT.exec(line)?.groups ?? {};
    if (name !== undefined) {
      this.#env[name] = path.resolve(this.#project.root, value ?? "");
      return true;
    }
    if (KUBECTL.test(line)) {
      if (this.#kubectl !== undefined) await this.#run(line.replace(KUBECTL, () => `'${this.#kubectl ?? ""}' `));
      return true;
    }
    if (this.#dev === undefined || !WITH_CLUSTER.test(line)) {
      await this.stop();
      return false;
    }
    await this.#run(line);
    return true;
  }

  // The webhooks of a manager that restarts are not served for a moment.
  async #run(line: string): Promise<void> {
    const output = await eventually(
      async () => {
        const { status, output: printed } = await this.#project.run(line, { env: this.#env });
        this.#last = printed;
        return status === 0 ? printed : undefined;
      },
      () => `${line}, which printed:\n${this.#last}\nscaffold dev printed:\n${this.#dev?.output ?? ""}`,
    );
    this.#printed.push(output.trimEnd().split("\n").at(-1) ?? "");
  }

  /** Ends `npm run dev`, as Ctrl-C does. */
  async stop(): Promise<void> {
    await this.#dev?.end();
    this.#dev = undefined;
  }
}
