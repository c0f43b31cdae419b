import type { Duplex, PassThrough } from "node:stream";

import { numberOf } from "@kubescaffold/apiserver/cluster-api";
import { toTime } from "@kubescaffold/k8s";
import type { Container as ContainerSpec, ContainerStatus, Pod } from "@kubescaffold/k8s/core/v1";
import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { ContainerConfig } from "./container-config.ts";
import { runExec } from "./container-exec.ts";
import { endInstance, type Instance, newInstance, openConnection, portKey, runProcess } from "./container-instance.ts";
import type { AttachedClient, ContainerLog } from "./container-log.ts";
import { crashLoop, creatingStatus, terminatedState, waitingStatus } from "./container-statuses.ts";
import { ContainerConfigError } from "./files/volume-files.ts";
import type { ContainerNetwork, ImageDefinition, PortProtocol } from "./image-definitions.ts";
import { type HookedContainer, runPostStart, runPreStop } from "./lifecycle-hooks.ts";
import { type ContainerEvent, hasProbes, initialHealth, startProbes } from "./probes/probes.ts";
import { isRestartedByResize } from "./resize-policy.ts";
import { backOffMs, endsBackOff, isRestarted, type RestartPolicy } from "./restart-policy.ts";
import { startErrorOf, startEvents } from "./start-events.ts";

const KILLED = 137;
const DEFAULT_GRACE_SECONDS = 30;

/** What a container runs, as its Pod has it now. */
export interface ContainerPlan {
  readonly spec: ContainerSpec;
  readonly pod: Pod;
  readonly definition: ImageDefinition;
  /** Reads the variables and files. Fails: {@link ContainerConfigError}. */
  readonly configOf: () => ContainerConfig;
}

/** Inputs of a simulated container. */
interface ContainerParts extends ContainerPlan {
  readonly clock: Clock;
  /** The minor version of the kubelet, which its requests name. */
  readonly kubeletMinor: string;
  readonly network: ContainerNetwork;
  /** How the container differs from a healthy one. */
  readonly fault?: ContainerFault;
  /** Default: the policy of the Pod. */
  readonly restartPolicy?: RestartPolicy;
  /** Called when the status has changed. */
  readonly onChange: () => void;
}

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
  readonly network: ContainerNetwork;
  readonly fault: ContainerFault | undefined;
  readonly #restartPolicy: string;
  readonly #clock: Clock;
  readonly #kubeletMinor: string;
  readonly #onChange: () => void;
  // Those of the current run, and those of the next one.
  #plan: ContainerPlan;
  #wanted: ContainerPlan;
  #config: ContainerConfig;
  #current: Instance;
  #previous: Instance | undefined;
  #restart: Timer | undefined;
  // How often it was restarted after waits that double.
  #backOffs = 0;
  // Whether the current run makes room for another one, whatever the policy says.
  #isReplaced = false;
  // Why it cannot be restarted.
  #configError: string | undefined;
  #readiness: Timer | undefined;
  #killing: Timer | undefined;
  #events: ContainerEvent[] = [];
  #isStopping = false;

  constructor(parts: ContainerParts) {
    this.#plan = parts;
    this.#wanted = parts;
    this.#config = parts.configOf();
    this.network = parts.network;
    this.fault = parts.fault;
    this.#restartPolicy = parts.restartPolicy ?? parts.pod.spec?.restartPolicy ?? "Always";
    this.#clock = parts.clock;
    this.#kubeletMinor = parts.kubeletMinor;
    this.#onChange = parts.onChange;
    this.#current = this.#start(0);
  }

  get spec(): ContainerSpec {
    return this.#plan.spec;
  }

  get pod(): Pod {
    return this.#plan.pod;
  }

  get definition(): ImageDefinition {
    return this.#plan.definition;
  }

  get config(): ContainerConfig {
    return this.#config;
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

  /** Whether the current run ends for the sake of another one. */
  get isReplaced(): boolean {
    return this.#isReplaced;
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
    return openConnection(this.#current, port, protocol);
  }

  /** Returns the status as a kubelet reports it. */
  status(): ContainerStatus {
    const { number, exit, startedAt, startError, health } = this.#current;
    const isRunning = exit === undefined;
    const image = this.spec.image ?? "";
    const terminated = isRunning ? undefined : this.#terminated(this.#current);
    const before = this.#previous === undefined ? undefined : this.#terminated(this.#previous);
    if (this.#configError !== undefined && terminated !== undefined) {
      const waiting = waitingStatus(this.spec, "CreateContainerConfigError", this.#configError);
      return { ...waiting, imageID: image, restartCount: number, lastState: { terminated } };
    }
    const isWaiting = this.#restart !== undefined && terminated !== undefined && this.#backOffs > 1;
    const last = isWaiting ? terminated : before;
    if (this.isStarting || (isRunning && startError !== undefined))
      return creatingStatus(this.spec, { restartCount: number, last });
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
        ? { waiting: crashLoop(this.spec, this.pod, this.#backOffs - 1) }
        : terminated === undefined
          ? { running: { startedAt: toTime(startedAt) } }
          : { terminated },
    };
  }

  /** Follows its Pod: another image, or resources that require it, restart the container; everything else applies from the next start. */
  update(wanted: ContainerPlan): void {
    const { spec } = this;
    this.#wanted = wanted;
    if (this.#isStopping || this.#isReplaced) return;
    const isOtherImage = wanted.spec.image !== spec.image;
    if (this.#configError !== undefined || (isOtherImage && this.#restart !== undefined)) this.#restartNow();
    else if (!this.isRunning) return;
    else if (isOtherImage) this.#replace(`Container ${spec.name} definition changed, will be restarted`);
    else if (isRestartedByResize(spec, wanted.spec)) this.#replace(`Container ${spec.name} resize requires restart`);
    else if (spec.resources !== wanted.spec.resources) {
      const { resources } = wanted.spec;
      this.#plan = { ...this.#plan, spec: { ...spec, ...(resources === undefined ? {} : { resources }) } };
    }
  }

  #replace(message: string): void {
    this.#isReplaced = true;
    this.#report({ type: "Normal", reason: "Killing", message });
    this.#killLater(this.#current, undefined);
  }

  /** Resolves when the current run has ended. */
  async ended(): Promise<void> {
    await this.#current.ended.promise;
  }

  /** Asks the main process to stop, after the hook `preStop`; it is not restarted. */
  stop(graceSeconds: number = this.#graceSeconds): void {
    if (this.#beginStop()) this.#interrupt(this.#current, graceSeconds);
  }

  /** Asks the main process to stop as `stop` does, and kills it after the grace period of its Pod. */
  finish(): void {
    if (this.#beginStop() && this.isRunning) this.#killLater(this.#current, undefined);
  }

  // Reports whether it was not stopping yet.
  #beginStop(): boolean {
    if (this.#isStopping) return false;
    this.#endRestarts();
    if (this.isRunning && this.fault === undefined)
      this.#events.push({ type: "Normal", reason: "Killing", message: `Stopping container ${this.spec.name}` });
    return true;
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
      kubeletMinor: this.#kubeletMinor,
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
    const isProbed = this.definition.probes === true && this.fault === undefined && hasProbes(this.spec);
    const startError = startErrorOf(this.#config.command, this.definition);
    const instance = newInstance(this, {
      number,
      startError,
      clock: this.#clock,
      health: isProbed ? initialHealth(this.spec) : { hasStarted: true, isReady: true },
      isStarting: this.#hasHooks && this.spec.lifecycle?.postStart !== undefined,
    });
    this.#events.push(...startEvents(this.spec, startError));
    const { readyAfterMs = 0 } = this.fault ?? {};
    this.#readiness?.cancel();
    if (readyAfterMs > 0 && Number.isFinite(readyAfterMs)) {
      this.#readiness = this.#clock.setTimeout(this.#onChange, readyAfterMs).unref();
    }
    void runProcess(instance, this).then((code) => this.#ended(instance, code));
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
        kubeletMinor: this.#kubeletMinor,
        connect: (port) => this.connect(port),
        connectTo: async (host, port) => await this.network.connect(host, port),
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

  #ended(instance: Instance, code: number): void {
    if (instance.exit !== undefined) return;
    this.#killing?.cancel();
    endInstance(instance, { code, at: this.#clock.now() });
    if (!this.#isStopping && this.#mustRestart(code)) this.#restartLater(instance);
    instance.ended.resolve();
    this.#onChange();
  }

  #mustRestart(code: number): boolean {
    return this.#isReplaced || isRestarted(this.spec, this.#restartPolicy, code);
  }

  // The first restart is immediate, and so is one for the sake of another run.
  #restartLater({ number, startedAt, exit }: Instance): void {
    if (this.#isReplaced || (number === 0 && this.fault !== undefined)) {
      this.#backOffs += this.#isReplaced ? 0 : 1;
      this.#restartNow();
      return;
    }
    if (exit !== undefined && endsBackOff(exit.at - startedAt)) this.#backOffs = 0;
    this.#restart = this.#clock.setTimeout(() => this.#restartNow(), backOffMs(this.#backOffs)).unref();
    this.#backOffs += 1;
  }

  // Reads the variables and files again, which may be missing by now.
  #restartNow(): void {
    const isOtherImage = this.#wanted.spec.image !== this.spec.image;
    this.#restart?.cancel();
    this.#restart = undefined;
    this.#isReplaced = false;
    this.#configError = undefined;
    if (isOtherImage) this.#backOffs = 0;
    try {
      this.#config = this.#wanted.configOf();
    } catch (error) {
      if (!(error instanceof ContainerConfigError)) throw error;
      this.#configError = error.message;
      this.#onChange();
      return;
    }
    this.#plan = isOtherImage ? this.#wanted : { ...this.#wanted, definition: this.definition };
    this.#previous = this.#current;
    this.#current = this.#start(this.#current.number + 1);
    this.#onChange();
  }

  #terminated(instance: Instance): NonNullable<NonNullable<ContainerStatus["state"]>["terminated"]> {
    const { exitReason } = this.fault ?? {};
    return terminatedState(instance, { spec: this.spec, exitReason, containerID: this.#id(instance) });
  }

  #id({ number }: Instance): string {
    const uid = (this.pod.metadata.uid ?? "").replaceAll("-", "");
    return `simulated://${uid}-${this.spec.name}${number === 0 ? "" : `-${String(number)}`}`;
  }
}
