import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { vi } from "vitest";

import type { Reader } from "../../src/client/client.ts";

/** A process that runs contender.ts. */
export interface Contender {
  readonly identity: string;
  readonly program: ChildProcess;
  /** The exit code. */
  readonly exited: Promise<unknown>;
}

/** Processes that contend for one lease, and write while they lead. */
export class Contenders {
  readonly #config: RestConfig;
  readonly #running = new Set<Contender>();
  #started = 0;
  #leader: Contender | undefined;

  constructor(config: RestConfig) {
    this.#config = config;
  }

  /** Starts one more process. */
  start(): void {
    this.#started += 1;
    const identity = `c${String(this.#started)}`;
    const file = fileURLToPath(new URL("contender.ts", import.meta.url));
    const program = fork(file, [JSON.stringify(this.#config), identity], {
      execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
    });
    const exited = once(program, "exit").then(([code]: unknown[]) => code);
    const contender = { identity, program, exited };
    this.#running.add(contender);
    program.on("message", () => {
      this.#leader = contender;
    });
  }

  /** Kills a process with a signal that it cannot handle. */
  kill(contender: Contender): void {
    contender.program.kill("SIGKILL");
    this.#running.delete(contender);
  }

  /** Kills all processes. */
  killAll(): void {
    for (const contender of this.#running) this.kill(contender);
  }

  /** Resolves when another process than the former leader leads and has written. */
  async nextLeader(former?: Contender): Promise<Contender> {
    return await vi.waitUntil(() => (this.#leader === former ? undefined : this.#leader), {
      timeout: 60_000,
      interval: 20,
    });
  }
}

/** Returns who wrote, in the order of the server. */
export async function writersOf(client: Reader): Promise<readonly (string | undefined)[]> {
  const { items } = await client.list(ConfigMap, { namespace: "default", labelSelector: "contender" });
  return items
    .toSorted((left, right) => Number(left.metadata.resourceVersion) - Number(right.metadata.resourceVersion))
    .map(({ metadata }) => metadata.labels?.["contender"]);
}

/** Returns the writers without repetitions: one turn for each time that another process writes. */
export function turnsOf(writers: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return writers.filter((writer, index) => writer !== writers[index - 1]);
}
