import type { DevelopmentCluster } from "@kubescaffold/envtest";
import { execa } from "execa";

import type { Terminal } from "../../output/terminal.ts";

// A manager that is asked to stop lets its reconciliations end; one that hangs is ended after this time.
const FORCE_AFTER_MS = 35_000;

/** What the manager's process is started with. */
export interface ManagerProcessOptions {
  readonly projectDirectory: string;
  readonly cluster: DevelopmentCluster;
  readonly terminal: Terminal;
}

/** Runs `cmd/main.ts` of a project in a process of its own, from its sources. */
export class ManagerProcess {
  readonly #options: ManagerProcessOptions;
  #process: SpawnedManager | undefined;

  constructor(options: ManagerProcessOptions) {
    this.#options = options;
  }

  /** Starts the process; when it ends by itself that is said, and the next change starts another. */
  async start(): Promise<void> {
    const { projectDirectory, terminal } = this.#options;
    const started = spawnManager(projectDirectory, this.#arguments());
    this.#process = started;
    void started.then((result) => {
      if (this.#process !== started) return;
      this.#process = undefined;
      terminal.writeError(
        `the manager ended with status ${String(result.exitCode ?? result.signal)}; the next change starts it again\n`,
      );
    });
    await Promise.resolve();
  }

  /** Asks the process to stop and waits until it has. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    running?.kill("SIGTERM");
    await running;
  }

  /** Stops the process and starts another. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  #arguments(): readonly string[] {
    const { managerKubeconfigPath, webhooks } = this.#options.cluster;
    return [
      `--kubeconfig=${managerKubeconfigPath}`,
      "--health-probe-bind-address=0",
      "--metrics-bind-address=0",
      ...(webhooks === undefined
        ? []
        : [`--webhook-port=${String(webhooks.port)}`, `--webhook-cert-path=${webhooks.certDirectory}`]),
    ];
  }
}

type SpawnedManager = ReturnType<typeof spawnManager>;

function spawnManager(cwd: string, args: readonly string[]) {
  return execa(process.execPath, ["--import", "tsx", "cmd/main.ts", ...args], {
    cwd,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    reject: false,
    forceKillAfterDelay: FORCE_AFTER_MS,
  });
}
