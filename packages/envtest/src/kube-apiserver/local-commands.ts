import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";

import type { ContainerProcess, ImageDefinition, Images } from "@kubescaffold/cluster";
import { handledLater } from "@kubescaffold/platform";
import { OWN_GROUP, signalGroup } from "@kubescaffold/platform/processes";

import type { ImageBehavior } from "./image-behaviors.ts";

const DEFAULT_GRACE_SECONDS = 30;
// Of programs that run when the server stops.
const STOP_MS = 5_000;

/** The programs on this machine that containers run, each in its own process group. */
export class LocalCommands {
  readonly #running = new Set<{ readonly child: ChildProcess; readonly ended: Promise<unknown> }>();
  #isStopped = false;

  /** Defines images that behave as stated. */
  define(images: Images, behaviors: readonly ImageBehavior[]): void {
    for (const behavior of behaviors) images.define(behavior.image, this.#imageOf(behavior));
  }

  /** Ends all programs, also those that a container has just left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(
      [...this.#running].map(async ({ child, ended }) => {
        signalGroup(child, "SIGTERM");
        const timer = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_MS);
        await ended;
        clearTimeout(timer);
      }),
    );
  }

  #imageOf(behavior: ImageBehavior): ImageDefinition {
    const { command, exec, exitCode, isMissing, passesArgs } = behavior;
    if (isMissing) return { isMissing };
    return {
      ...(exitCode === undefined ? {} : { run: () => exitCode }),
      ...(command === undefined
        ? {}
        : { run: async (main) => await this.#run([...command, ...(passesArgs ? main.args : [])], main, behavior) }),
      ...(exec === undefined
        ? {}
        : { exec: async (called) => await this.#run([...exec, ...called.command], called, behavior) }),
    };
  }

  async #run(words: readonly string[], container: ContainerProcess, behavior: ImageBehavior): Promise<number> {
    const { signal, pod } = container;
    if (this.#isStopped || signal.aborted) return exitCodeOfSignal("SIGTERM");
    const [file = "", ...args] = words;
    const child = spawn(file, args, {
      cwd: behavior.folder,
      env: { ...process.env, ...variablesOf(container, behavior) },
      stdio: "pipe",
      ...OWN_GROUP,
    });
    const ended = handledLater(once(child, "close"));
    const entry = { child, ended: ended.catch(() => undefined) };
    this.#running.add(entry);
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      signalGroup(child, "SIGTERM");
      const graceSeconds = pod.spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
      timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceSeconds * 1000);
    };
    signal.addEventListener("abort", stop, { once: true });
    connect(child, container);
    try {
      const [code, endedBy] = (await ended) as [number | null, NodeJS.Signals | null];
      return code ?? exitCodeOfSignal(endedBy ?? "SIGKILL");
    } catch (error) {
      throw new Error(`cannot run ${file}: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.#running.delete(entry);
    }
  }
}

// The Pod decides only what the file allows: other variables could change what this machine runs.
function variablesOf({ pod, env }: ContainerProcess, behavior: ImageBehavior): Readonly<Record<string, string>> {
  const allowed = behavior.env.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return {
    ...(Object.fromEntries(allowed) as Record<string, string>),
    POD_NAME: pod.metadata.name ?? "",
    POD_NAMESPACE: pod.metadata.namespace ?? "",
  };
}

function connect(child: ChildProcess, { stdin, stdout, stderr }: ContainerProcess): void {
  // A program may exit before it has read its input.
  child.stdin?.on("error", () => undefined);
  if (child.stdin !== null) stdin.pipe(child.stdin);
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
}

function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
