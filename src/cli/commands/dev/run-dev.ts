import path from "node:path";

import type { DevelopmentCluster } from "@kubescaffold/envtest";
import { execa } from "execa";

import { acquireLock } from "../../../machinery/commit/project-lock.ts";
import { requireNoLinks, STATE_FOLDER } from "../../../machinery/commit/project-paths.ts";
import { realDisk } from "../../../machinery/disk.ts";
import type { Invocation } from "../../command.ts";
import { InvalidFlagError } from "../../errors.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";
import { planGenerated } from "../../generating/generate-manifests.ts";
import { flaggedOptions } from "../../generating/generator-options.ts";
import { interruption } from "../../generating/interruption.ts";
import { allArguments } from "../../generating/project-arguments.ts";
import { SOURCE_FOLDERS, type SourceWatch, watchSources } from "../../generating/watch-sources.ts";
import { reportError } from "../../output/report-error.ts";
import type { Terminal } from "../../output/terminal.ts";
import { commandLine } from "../../prompts/prompt-for-missing.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";

/**
 * Runs until it is interrupted; an error in the sources is reported and waits for the next change.
 *
 * Other commands may work in the project meanwhile, but no second one of this kind: both would write the same kubeconfig.
 */
export async function runDev(invocation: Invocation): Promise<number> {
  const port = portOf(invocation);
  const watch = startWatch(invocation);
  try {
    // What changes from here on, or while the server starts, is generated again.
    await watch?.ready;
    await writeManifests(invocation);
    return await runAlone(invocation, { port, watch });
  } finally {
    await watch?.close();
  }
}

function startWatch({ cwd, flags }: Invocation): SourceWatch | undefined {
  return switchFlag(flags, "watch") === false ? undefined : watchSources(cwd, SOURCE_FOLDERS);
}

interface DevOptions {
  readonly port: number;
  readonly watch: SourceWatch | undefined;
}

const STATE_DIRECTORY = `${STATE_FOLDER}/dev`;

// The files with credentials: a link would take them elsewhere, or let them replace what it leads to.
const STATE_FILES = [
  "kubeconfig",
  "manager.kubeconfig",
  "manager.token",
  "webhook-certs/tls.crt",
  "webhook-certs/tls.key",
].map((file) => `${STATE_DIRECTORY}/${file}`);

async function runAlone(invocation: Invocation, options: DevOptions): Promise<number> {
  const lock = await acquireLock({ root: invocation.cwd, command: invocation.typed, name: "dev-lock" });
  try {
    for (const file of STATE_FILES) await requireNoLinks(realDisk, invocation.cwd, file);
    return await runCluster(invocation, options);
  } finally {
    await lock.release();
  }
}

async function runCluster(invocation: Invocation, { port, watch }: DevOptions): Promise<number> {
  const { startDevelopmentCluster } = await import("@kubescaffold/envtest");
  const cluster = await startDevelopmentCluster({
    projectDirectory: invocation.cwd,
    stateDirectory: path.join(invocation.cwd, STATE_DIRECTORY),
    port,
    workloads: simulatesPods(invocation),
  });
  const manager = new ManagerProcess({ projectDirectory: invocation.cwd, cluster, terminal: invocation.terminal });
  try {
    announce(invocation, cluster);
    await manager.start();
    await runUntilInterrupted({ invocation, cluster, manager }, watch);
  } finally {
    await manager.stop();
    await cluster.stop();
  }
  return 0;
}

interface DevSession {
  readonly invocation: Invocation;
  readonly cluster: DevelopmentCluster;
  readonly manager: ManagerProcess;
}

async function runUntilInterrupted(session: DevSession, watch: SourceWatch | undefined): Promise<void> {
  const interrupted = interruption();
  watch?.begin(() => renew(session));
  await interrupted;
  await watch?.close();
}

// After an error the manager that runs goes on running.
async function renew({ invocation, cluster, manager }: DevSession): Promise<void> {
  try {
    await writeManifests(invocation);
    await cluster.update();
    await manager.restart();
  } catch (error) {
    reportError(error, { terminal: invocation.terminal, asJson: false, call: invocation.program.calledAs });
  }
}

async function writeManifests(invocation: Invocation): Promise<void> {
  await withProjectSession(invocation, { isDryRun: false }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    await planGenerated(invocation, { root, tree, args: allArguments(tree, flaggedOptions(invocation.flags)) });
    await session.commit(tree.actions());
  });
}

function announce(invocation: Invocation, cluster: DevelopmentCluster): void {
  const fromUser = (file: string): string => path.relative(invocation.startedIn ?? invocation.cwd, file);
  const samples = path.join(invocation.cwd, "config", "samples");
  invocation.terminal.writeOut(
    [
      `API server   ${cluster.server}`,
      `kubeconfig   ${cluster.kubeconfigPath}`,
      `manager as   ${cluster.managerUser}`,
      `Pods         ${simulatesPods(invocation) ? "simulated: they become ready without running containers" : "none: no controller creates them"}`,
      "",
      `Try:  ${commandLine(["kubectl", "--kubeconfig", fromUser(cluster.kubeconfigPath), "apply", "-k", fromUser(samples)])}`,
      "",
      "",
    ].join("\n"),
  );
}

function simulatesPods({ flags }: Invocation): boolean {
  return switchFlag(flags, "workloads") !== false;
}

function portOf({ flags }: Invocation): number {
  const text = textFlag(flags, "port") ?? "0";
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidFlagError(`invalid value "${text}" for flag --port: not a port`, {
      hint: "pass a number from 0 to 65535",
    });
  }
  return port;
}

// A manager that is asked to stop lets its reconciliations end; one that hangs is ended after this time.
const FORCE_AFTER_MS = 35_000;

/** What the manager's process is started with. */
interface ManagerProcessOptions {
  readonly projectDirectory: string;
  readonly cluster: DevelopmentCluster;
  readonly terminal: Terminal;
}

/** Runs `cmd/main.ts` of a project in its own process, from its sources. */
class ManagerProcess {
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
        `the manager exited with status ${String(result.exitCode ?? result.signal)}; the next change restarts it\n`,
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
        : [
            "--webhook-host=127.0.0.1",
            `--webhook-port=${String(webhooks.port)}`,
            `--webhook-cert-path=${webhooks.certDirectory}`,
          ]),
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
