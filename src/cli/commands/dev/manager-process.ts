import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

import { execa } from "execa";

import { ignoresHangup } from "../../generating/interruption.ts";
import type { DevReporter } from "./dev-event.ts";
import { isReady, parseLogLine } from "./manager-log.ts";

// A manager that is asked to stop lets its reconciles finish; one that hangs is killed after this time.
const FORCE_AFTER_MS = 35_000;

/** How the process of a manager is started. */
export interface ManagerProcessOptions {
  /** The folder of the project. */
  readonly cwd: string;
  /** Arguments of Node, such as `--inspect`. */
  readonly nodeArguments: readonly string[];
  /** Arguments of `cmd/main.ts`. */
  readonly managerArguments: readonly string[];
  /** Returns the variables of a process before it starts; a project changes meanwhile. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  readonly reporter: Pick<DevReporter, "report" | "readsManager">;
  /** Receives the messages of the process; without it, the process observes nothing. */
  readonly receive?: ((message: unknown) => void) | undefined;
}

/** Runs `cmd/main.ts` of a project in its own process, from its sources. */
export class ManagerProcess {
  readonly #options: ManagerProcessOptions;
  #process: SpawnedManager | undefined;
  #isPaused = false;

  constructor(options: ManagerProcessOptions) {
    this.#options = options;
  }

  /** Starts the process, and reports when it is ready, or exits by itself. Fails: as `env`. */
  async start(): Promise<void> {
    const since = performance.now();
    this.#start(await this.#options.env(), since);
  }

  #start(env: Readonly<Record<string, string>>, since: number): void {
    const { reporter, receive } = this.#options;
    const started = spawnManager(this.#options, env);
    this.#process = started;
    reporter.report({ event: "manager-started", pid: started.pid });
    if (readsOutput(this.#options)) this.#read(started, since);
    if (receive !== undefined) started.on("message", receive);
    void started.then(({ exitCode, signal }) => {
      if (this.#process !== started) return;
      this.#process = undefined;
      reporter.report({
        event: "manager-exited",
        ...(exitCode === undefined ? {} : { status: exitCode }),
        ...(signal === undefined ? {} : { signal }),
      });
    });
  }

  /** Asks the process to stop, and waits until it has. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    running?.kill("SIGTERM");
    // A process that is paused handles no signal.
    if (this.#isPaused) running?.kill("SIGCONT");
    this.#isPaused = false;
    await running;
  }

  /** Stops the process without its knowledge, or continues it; not on Windows. */
  pause(isPaused: boolean): void {
    if (this.#process?.kill(isPaused ? "SIGSTOP" : "SIGCONT") === true) this.#isPaused = isPaused;
  }

  /** Stops the process and starts another. Fails: as `env`, and then the process that runs goes on running. */
  async restart(): Promise<void> {
    const since = performance.now();
    const env = await this.#options.env();
    await this.stop();
    this.#start(env, since);
  }

  #read(started: SpawnedManager, since: number): void {
    const { reporter } = this.#options;
    let isWaiting = true;
    const read = (stream: "stdout" | "stderr", source: Readable | null): void => {
      if (source === null) return;
      createInterface({ input: source, crlfDelay: Infinity }).on("line", (line) => {
        const entry = parseLogLine(line);
        if (entry !== undefined) reporter.report({ event: "log", ...entry });
        else if (!this.#isOfInspector(line, started)) reporter.report({ event: "output", stream, text: line });
        if (!isWaiting || entry === undefined || !isReady(entry) || this.#process !== started) return;
        isWaiting = false;
        reporter.report({ event: "manager-ready", durationMs: Math.round(performance.now() - since) });
      });
    };
    read("stdout", started.stdout);
    read("stderr", started.stderr);
  }

  // Node prints what its inspector does between the lines of the log.
  #isOfInspector(line: string, started: SpawnedManager): boolean {
    const { url } = /^Debugger listening on (?<url>ws:\S+)$/u.exec(line)?.groups ?? {};
    if (url !== undefined) this.#options.reporter.report({ event: "debugger-ready", url });
    const failure = /^Starting inspector on (?<address>\S+) failed: (?<reason>.+)$/u.exec(line)?.groups;
    if (failure !== undefined) {
      const text = `cannot start the inspector on ${failure["address"] ?? ""}: ${failure["reason"] ?? ""}; choose another port with --inspect=<port>`;
      this.#options.reporter.report({ event: "note", text });
    }
    // A manager that was asked to stop has ended its work: a debugger must not delay the next one.
    if (line.startsWith("Waiting for the debugger to disconnect") && this.#process !== started) started.kill("SIGKILL");
    return url !== undefined || failure !== undefined || INSPECTOR_LINES.test(line);
  }
}

const INSPECTOR_LINES = /^(?:For help, see: https:|Debugger (?:attached|ending on)|Waiting for the debugger)/u;

type SpawnedManager = ReturnType<typeof spawnManager>;

function readsOutput({ reporter, receive }: ManagerProcessOptions): boolean {
  return reporter.readsManager || receive !== undefined;
}

// The shell that closes its terminal sends SIGHUP to this process, too; Node does not inherit that it is ignored.
const IGNORE_HANGUP = 'data:text/javascript,process.on("SIGHUP",()=>{})';

function spawnManager(options: ManagerProcessOptions, env: Readonly<Record<string, string>>) {
  const { cwd, nodeArguments, managerArguments, reporter, receive } = options;
  const hangup = ignoresHangup() ? ["--import", IGNORE_HANGUP] : [];
  const output = reporter.readsManager ? "pipe" : readsOutput(options) ? (["inherit", "pipe"] as const) : "inherit";
  return execa(process.execPath, [...nodeArguments, ...hangup, "--import", "tsx", "cmd/main.ts", ...managerArguments], {
    cwd,
    // The runtime of the manager sends what it observes.
    env: receive === undefined ? env : { ...env, KUBESCAFFOLD_OBSERVE: "ipc" },
    ...(receive === undefined ? {} : { ipc: true, serialization: "json" as const }),
    stdin: "ignore",
    stdout: output,
    stderr: output,
    buffer: false,
    reject: false,
    forceKillAfterDelay: FORCE_AFTER_MS,
  });
}
