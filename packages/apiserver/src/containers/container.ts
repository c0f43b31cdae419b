import { type Duplex, PassThrough } from "node:stream";

import type { Container as ContainerSpec, ContainerStatus, Pod } from "@kubescaffold/k8s/core/v1";

import { type Clock, type Timer, toTime } from "../clock/clock.ts";
import { connectionPair } from "../http/connection-pair.ts";
import { numberOf } from "../resources/fields.ts";
import type { ContainerConfig } from "./container-config.ts";
import { exitCodeOf, runExec } from "./container-exec.ts";
import { type AttachedClient, ContainerLog, OutputStream } from "./container-log.ts";
import { backOffMs, crashLoop, creatingStatus } from "./container-statuses.ts";
import type { ContainerNetwork, ImageDefinition, MainProcess, PortProtocol } from "./image-definitions.ts";
import { type HookedContainer, runPostStart, runPreStop } from "./lifecycle-hooks.ts";
import { type ContainerEvent, type ContainerHealth, hasProbes, initialHealth, startProbes } from "./probes.ts";

const KILLED = 137;
const DEFAULT_GRACE_SECONDS = 30;
// As much of the output as kubelets report.
const MESSAGE_LINES = 80;
const MESSAGE_BYTES = 2048;
const OWN_MESSAGE_BYTES = 4096;

/** One run of the main process. */
interface Instance {
  readonly number: number;
  readonly startedAt: number;
  readonly log: ContainerLog;
  readonly aborted: AbortController;
  readonly stdin: PassThrough;
  readonly clients: Set<AttachedClient>;
  /** By the protocol and the number. */
  readonly ports: Map<string, (connection: Duplex) => void>;
  readonly connections: Set<Duplex>;
  readonly health: ContainerHealth;
  /** Whether its hook `postStart` runs, until which the container is not reported as running. */
  isStarting: boolean;
  endProbes: () => void;
  terminationMessage: string;
  exit: { readonly code: number; readonly at: number } | undefined;
  /** Resolves when the process has ended. */
  readonly ended: PromiseWithResolvers;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** Inputs of a simulated container. */
interface ContainerParts {
  readonly spec: ContainerSpec;
  readonly pod: Pod;
  readonly definition: ImageDefinition;
  readonly config: ContainerConfig;
  readonly clock: Clock;
  readonly network: ContainerNetwork;
  /** How the container differs from a healthy one. */
  readonly fault?: ContainerFault;
  /** Default: the policy of the Pod. */
  readonly restartPolicy?: RestartPolicy;
  /** Called when the status has changed. */
  readonly onChange: () => void;
}

/** When a container is restarted. */
export type RestartPolicy = "Always" | "OnFailure" | "Never";

/** How a simulated container differs from a healthy one. */
export interface ContainerFault {
  /** Names the fault; a container with another one is replaced. */
  readonly name: string;
  /** Why it ends, in place of `Error`. */
  readonly exitReason?: string;
  /** How long a run takes to be ready; infinite for never. */
  readonly readyAfterMs?: number;
  /** Whether it has not started before it is ready. */
  readonly startsLate?: boolean;
}

/** A simulated container: runs the main process, and restarts it as the policy of its Pod says. */
export class SimulatedContainer {
  readonly spec: ContainerSpec;
  readonly pod: Pod;
  readonly definition: ImageDefinition;
  readonly config: ContainerConfig;
  readonly network: ContainerNetwork;
  readonly fault: ContainerFault | undefined;
  readonly #restartPolicy: string;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #current: Instance;
  #previous: Instance | undefined;
  #restart: Timer | undefined;
  #readiness: Timer | undefined;
  #killing: Timer | undefined;
  #events: ContainerEvent[] = [];
  #isStopping = false;

  constructor(parts: ContainerParts) {
    this.spec = parts.spec;
    this.pod = parts.pod;
    this.definition = parts.definition;
    this.config = parts.config;
    this.network = parts.network;
    this.fault = parts.fault;
    this.#restartPolicy = parts.restartPolicy ?? parts.pod.spec?.restartPolicy ?? "Always";
    this.#clock = parts.clock;
    this.#onChange = parts.onChange;
    this.#current = this.#start(0);
  }

  /** Whether the main process runs. */
  get isRunning(): boolean {
    return this.#current.exit === undefined;
  }

  /** Whether the hook runs that the next containers of the Pod wait for. */
  get isStarting(): boolean {
    return this.isRunning && this.#current.isStarting;
  }

  /** The exit code of the last run, unless the container runs or will be restarted. */
  get finalExitCode(): number | undefined {
    return this.#restart === undefined ? this.#current.exit?.code : undefined;
  }

  /** Aborts when the current run ends. */
  get signal(): AbortSignal {
    return this.#current.aborted.signal;
  }

  /** Returns the output of the current run, or of the one before it. */
  log(options: { readonly previous: boolean }): ContainerLog | undefined {
    return options.previous ? this.#previous?.log : this.#current.log;
  }

  /** Returns the events since the last call. */
  takeEvents(): readonly ContainerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Attaches a client to the main process; returns its standard input, and a function that detaches the client. */
  attach(client: AttachedClient): { readonly stdin: PassThrough; readonly detach: () => void } {
    const { clients, stdin } = this.#current;
    clients.add(client);
    return { stdin, detach: () => clients.delete(client) };
  }

  /** Reports whether the current run listens on a port. */
  listensOn(port: number, protocol: PortProtocol = "TCP"): boolean {
    return this.#current.ports.has(portKey(port, protocol));
  }

  /** Opens a connection to a port; returns undefined if nothing listens there. */
  connect(port: number, protocol: PortProtocol = "TCP"): Duplex | undefined {
    const { ports, connections } = this.#current;
    const handler = ports.get(portKey(port, protocol));
    if (handler === undefined) return undefined;
    const [ours, theirs] = connectionPair();
    for (const side of [ours, theirs]) {
      connections.add(side);
      side.once("close", () => connections.delete(side));
      // A broken connection ends both sides; their owners notice by the end of the stream.
      side.on("error", () => undefined);
    }
    handler(theirs);
    return ours;
  }

  /** Returns the status as a kubelet reports it. */
  status(): ContainerStatus {
    const { number, exit, startedAt, health } = this.#current;
    const isRunning = exit === undefined;
    const image = this.spec.image ?? "";
    const terminated = isRunning ? undefined : this.#terminated(this.#current);
    const before = this.#previous === undefined ? undefined : this.#terminated(this.#previous);
    const isWaiting = this.#restart !== undefined && terminated !== undefined && number > 0;
    const last = isWaiting ? terminated : before;
    if (this.isStarting) return creatingStatus(this.spec, { restartCount: number, last });
    const isReady =
      isRunning &&
      this.#clock.now() - startedAt >= (this.fault?.readyAfterMs ?? 0) &&
      health.hasStarted &&
      health.isReady;
    return {
      name: this.spec.name,
      image,
      imageID: image,
      containerID: this.#id(this.#current),
      ready: isReady,
      started: this.fault?.startsLate === true ? isReady : isRunning && health.hasStarted,
      restartCount: number,
      ...(last === undefined ? {} : { lastState: { terminated: last } }),
      state: isWaiting
        ? { waiting: crashLoop(this.spec, this.pod, number) }
        : terminated === undefined
          ? { running: { startedAt: toTime(startedAt) } }
          : { terminated },
    };
  }

  /** Resolves when the current run has ended. */
  async ended(): Promise<void> {
    await this.#current.ended.promise;
  }

  /** Asks the main process to stop, after the hook `preStop`; it is not restarted. */
  stop(graceSeconds: number = this.#graceSeconds): void {
    if (this.#isStopping) return;
    this.#endRestarts();
    this.#interrupt(this.#current, graceSeconds);
  }

  /** Ends the main process for those who wait for it, whether it has returned or not. */
  kill(): void {
    this.#endRestarts();
    this.#current.aborted.abort();
    if (this.isRunning) this.#ended(this.#current, KILLED);
  }

  get #graceSeconds(): number {
    return numberOf(this.pod.spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS);
  }

  #endRestarts(): void {
    this.#isStopping = true;
    this.#restart?.cancel();
    this.#restart = undefined;
    this.#readiness?.cancel();
    this.#current.endProbes();
  }

  // Asks the process to stop when its hook has ended.
  #interrupt({ aborted, exit }: Instance, graceSeconds: number): void {
    const hasHook = this.#hasHooks && this.spec.lifecycle?.preStop !== undefined;
    if (!hasHook || exit !== undefined || graceSeconds <= 0) aborted.abort();
    else void runPreStop(this.#hooked(), { graceSeconds, signal: aborted.signal }).then(() => aborted.abort());
  }

  get #hasHooks(): boolean {
    return this.definition.lifecycleHooks === true && this.fault === undefined;
  }

  #hooked(): HookedContainer {
    return {
      spec: this.spec,
      address: this.pod.status?.podIP ?? "",
      clock: this.#clock,
      connect: async (host, port) => await this.network.connect(host, port),
      exec: (command) => runExec(this, command),
      onEvent: (event) => this.#report(event),
    };
  }

  #report(event: ContainerEvent): void {
    this.#events.push(event);
    this.#onChange();
  }

  #start(number: number): Instance {
    const clients = new Set<AttachedClient>();
    const isProbed = this.definition.probes === true && this.fault === undefined && hasProbes(this.spec);
    const instance: Instance = {
      number,
      startedAt: this.#clock.now(),
      log: new ContainerLog(this.#clock),
      aborted: new AbortController(),
      stdin: new PassThrough(),
      clients,
      ports: new Map(),
      connections: new Set(),
      health: isProbed ? initialHealth(this.spec) : { hasStarted: true, isReady: true },
      isStarting: this.#hasHooks && this.spec.lifecycle?.postStart !== undefined,
      endProbes: () => undefined,
      terminationMessage: "",
      exit: undefined,
      ended: promiseWithResolvers(),
    };
    if (this.spec.stdin !== true) instance.stdin.end();
    const { readyAfterMs = 0 } = this.fault ?? {};
    this.#readiness?.cancel();
    if (readyAfterMs > 0 && Number.isFinite(readyAfterMs)) {
      this.#readiness = this.#clock.setTimeout(this.#onChange, readyAfterMs).unref();
    }
    void this.#run(instance).then((code) => this.#ended(instance, code));
    // Hooks and probes follow the start of the process.
    if (isProbed || instance.isStarting) setImmediate(() => void this.#attend(instance, isProbed));
    return instance;
  }

  // Probes wait for the hook.
  async #attend(instance: Instance, isProbed: boolean): Promise<void> {
    if (this.#isStopping) instance.isStarting = false;
    if (instance.isStarting) {
      const hasSucceeded = await runPostStart(this.#hooked(), instance.aborted.signal);
      instance.isStarting = false;
      this.#onChange();
      if (!hasSucceeded && instance.exit === undefined) this.#killLater(instance, undefined);
      if (!hasSucceeded) return;
    }
    if (isProbed && instance.exit === undefined && !this.#isStopping) this.#probe(instance);
  }

  #probe(instance: Instance): void {
    instance.endProbes = startProbes({
      container: {
        spec: this.spec,
        address: this.pod.status?.podIP ?? "",
        connect: (port) => this.connect(port),
        exec: (command) => runExec(this, command),
      },
      health: instance.health,
      clock: this.#clock,
      onChange: this.#onChange,
      onUnhealthy: ({ terminationGracePeriodSeconds: own }) => this.#killLater(instance, own),
      onEvent: (event) => this.#report(event),
    });
  }

  // Asks the process to stop, and ends it when its grace period is over.
  #killLater(instance: Instance, ownGraceSeconds: number | undefined): void {
    const seconds = numberOf(ownGraceSeconds ?? this.#graceSeconds);
    this.#killing = this.#clock.setTimeout(() => this.#ended(instance, KILLED), seconds * 1000).unref();
    this.#interrupt(instance, seconds);
  }

  async #run(instance: Instance): Promise<number> {
    const { log, clients, stdin, aborted, ports } = instance;
    const stdout = new OutputStream("stdout", log, clients);
    const stderr = new OutputStream("stderr", log, clients);
    const process: MainProcess = {
      pod: this.pod,
      container: this.spec.name,
      ...this.config,
      ...this.network,
      signal: aborted.signal,
      stdin,
      stdout,
      stderr,
      log: (line) => {
        stdout.write(`${line}\n`);
      },
      setTerminationMessage: (message) => {
        instance.terminationMessage = message;
      },
      ports: {
        listen: (port, handler, { protocol = "TCP" } = {}) => {
          const key = portKey(port, protocol);
          ports.set(key, handler);
          return () => {
            if (ports.get(key) === handler) ports.delete(key);
          };
        },
      },
    };
    const code = await exitCodeOf(async () => {
      // The process starts after the container is known to those who created it.
      await Promise.resolve();
      return await (this.definition.run ?? untilStopped)(process);
    }, stderr);
    await Promise.all([ended(stdout), ended(stderr)]);
    return code;
  }

  #ended(instance: Instance, code: number): void {
    if (instance.exit !== undefined) return;
    instance.exit = { code, at: this.#clock.now() };
    instance.endProbes();
    this.#killing?.cancel();
    instance.log.end();
    instance.aborted.abort();
    instance.ports.clear();
    instance.stdin.destroy();
    for (const connection of instance.connections) connection.destroy();
    if (!this.#isStopping && this.#mustRestart(code)) this.#restartLater(instance);
    instance.ended.resolve();
    this.#onChange();
  }

  #mustRestart(code: number): boolean {
    return this.#restartPolicy === "Always" || (this.#restartPolicy === "OnFailure" && code !== 0);
  }

  // The first restart is immediate.
  #restartLater({ number }: Instance): void {
    const restart = (): void => {
      this.#restart = undefined;
      this.#previous = this.#current;
      this.#current = this.#start(number + 1);
      this.#onChange();
    };
    if (number === 0 && this.fault !== undefined) restart();
    else this.#restart = this.#clock.setTimeout(restart, backOffMs(number)).unref();
  }

  #terminated(instance: Instance): NonNullable<NonNullable<ContainerStatus["state"]>["terminated"]> {
    const { startedAt, exit = { code: 0, at: startedAt } } = instance;
    return {
      exitCode: exit.code,
      reason: exit.code === 0 ? "Completed" : (this.fault?.exitReason ?? "Error"),
      startedAt: toTime(startedAt),
      finishedAt: toTime(exit.at),
      ...this.#terminationMessage(instance, exit.code),
      containerID: this.#id(instance),
    };
  }

  // The message that was set, or else the end of the output of a container that failed, if its policy says so.
  #terminationMessage({ log, terminationMessage }: Instance, code: number): { readonly message?: string } {
    const own = Buffer.from(terminationMessage).subarray(0, OWN_MESSAGE_BYTES);
    if (own.length > 0) return { message: own.toString("utf8") };
    if (code === 0 || this.spec.terminationMessagePolicy !== "FallbackToLogsOnError") return {};
    const lines = log.lines().slice(-MESSAGE_LINES);
    const message = Buffer.concat(lines.map(({ bytes }) => bytes)).subarray(-MESSAGE_BYTES);
    return message.length === 0 ? {} : { message: message.toString("utf8") };
  }

  #id({ number }: Instance): string {
    const uid = (this.pod.metadata.uid ?? "").replaceAll("-", "");
    return `simulated://${uid}-${this.spec.name}${number === 0 ? "" : `-${String(number)}`}`;
  }
}

/** Runs until the container must stop. */
export async function untilStopped({ signal }: Pick<MainProcess, "signal">): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function ended(stream: OutputStream): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once("error", () => resolve());
    stream.once("close", () => resolve());
    stream.end();
    if (stream.closed) resolve();
  });
}

function portKey(port: number, protocol: PortProtocol): string {
  return `${protocol}/${String(port)}`;
}

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
