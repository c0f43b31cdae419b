import type { Container, Probe } from "@kubescaffold/k8s/core/v1";
import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { ProbedContainer, ProbeOutcome } from "./probed-container.ts";

/** What the probes of a container have found so far. */
export interface ContainerHealth {
  /** Whether the startup probe has succeeded; true without one. */
  hasStarted: boolean;
  /** Whether the readiness probe succeeds; true without one. */
  isReady: boolean;
}

/** Returns the health of a container before its first probe. */
export function initialHealth({ startupProbe, readinessProbe }: Container): ContainerHealth {
  return { hasStarted: startupProbe === undefined, isReady: readinessProbe === undefined };
}

/** Reports whether a container has probes. */
export function hasProbes({ startupProbe, readinessProbe, livenessProbe }: Container): boolean {
  return (startupProbe ?? readinessProbe ?? livenessProbe) !== undefined;
}

/** An event that a kubelet writes about a container or its Pod. */
export interface ContainerEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Inputs of the probes of a run of a container. */
export interface ProbeParts {
  readonly container: ProbedContainer;
  readonly health: ContainerHealth;
  readonly clock: Clock;
  /** Called when the health has changed. */
  readonly onChange: () => void;
  /** Called when the container must be restarted. */
  readonly onUnhealthy: (probe: Probe) => void;
  readonly onEvent: (event: ContainerEvent) => void;
}

type ProbeKind = "Startup" | "Readiness" | "Liveness";

const DEFAULT_PERIOD_S = 10;
const DEFAULT_TIMEOUT_S = 1;
const DEFAULT_FAILURES = 3;

/** Probes a run of a container as a kubelet does; returns a function that ends it. */
export function startProbes(parts: ProbeParts): () => void {
  const { startupProbe, readinessProbe, livenessProbe } = parts.container.spec;
  const loops = [
    ...(startupProbe === undefined ? [] : [new ProbeLoop("Startup", startupProbe, parts)]),
    ...(readinessProbe === undefined ? [] : [new ProbeLoop("Readiness", readinessProbe, parts)]),
    ...(livenessProbe === undefined ? [] : [new ProbeLoop("Liveness", livenessProbe, parts)]),
  ];
  for (const loop of loops) loop.start();
  return () => {
    for (const loop of loops) loop.stop();
  };
}

class ProbeLoop {
  readonly #kind: ProbeKind;
  readonly #probe: Probe;
  readonly #parts: ProbeParts;
  readonly #startedAt: number;
  #timer: Timer | undefined;
  #hasStopped = false;
  #streak: { readonly hasPassed: boolean; readonly length: number } = { hasPassed: true, length: 0 };

  constructor(kind: ProbeKind, probe: Probe, parts: ProbeParts) {
    this.#kind = kind;
    this.#probe = probe;
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  start(): void {
    void this.#tick();
  }

  stop(): void {
    this.#hasStopped = true;
    this.#timer?.cancel();
  }

  async #tick(): Promise<void> {
    const { clock } = this.#parts;
    const nextAt = clock.now() + (this.#probe.periodSeconds ?? DEFAULT_PERIOD_S) * 1000;
    if (this.#isDue()) this.#record(await this.#attempt());
    if (this.#hasStopped) return;
    this.#timer = clock.setTimeout(() => void this.#tick(), Math.max(nextAt - clock.now(), 0)).unref();
  }

  // The others wait for the startup probe, which is not repeated once it has succeeded.
  #isDue(): boolean {
    const { clock, health } = this.#parts;
    const isTurn = this.#kind === "Startup" ? !health.hasStarted : health.hasStarted;
    return isTurn && clock.now() - this.#startedAt >= (this.#probe.initialDelaySeconds ?? 0) * 1000;
  }

  async #attempt(): Promise<ProbeOutcome> {
    const { container, clock } = this.#parts;
    const { attemptProbe } = await import("./probe-attempt.ts");
    const timeoutMs = (this.#probe.timeoutSeconds ?? DEFAULT_TIMEOUT_S) * 1000;
    return await attemptProbe(this.#probe, container, { clock, timeoutMs });
  }

  #record({ hasPassed, output, isUnknown = false }: ProbeOutcome): void {
    if (this.#hasStopped) return;
    if (isUnknown) {
      this.#report("Warning", "Unhealthy", `${this.#kind} probe errored and resulted in unknown state: ${output}`);
      return;
    }
    if (!hasPassed) this.#report("Warning", "Unhealthy", `${this.#kind} probe failed: ${output}`);
    const length = hasPassed === this.#streak.hasPassed ? this.#streak.length + 1 : 1;
    this.#streak = { hasPassed, length };
    const needed = hasPassed ? (this.#probe.successThreshold ?? 1) : (this.#probe.failureThreshold ?? DEFAULT_FAILURES);
    if (length >= needed) this.#conclude(hasPassed);
  }

  #conclude(hasPassed: boolean): void {
    const { health, onChange } = this.#parts;
    if (this.#kind === "Readiness") {
      if (health.isReady === hasPassed) return;
      health.isReady = hasPassed;
      onChange();
    } else if (!hasPassed) {
      this.#giveUp();
    } else if (this.#kind === "Startup") {
      health.hasStarted = true;
      onChange();
    }
  }

  #giveUp(): void {
    const { container, onUnhealthy } = this.#parts;
    const message = `Container ${container.spec.name} failed ${this.#kind.toLowerCase()} probe, will be restarted`;
    this.#report("Normal", "Killing", message);
    this.stop();
    onUnhealthy(this.#probe);
  }

  #report(type: ContainerEvent["type"], reason: string, message: string): void {
    this.#parts.onEvent({ type, reason, message });
  }
}
