import type { Clock } from "../clock/clock.ts";
import { workqueueMetrics, type WorkqueueMetrics } from "../metrics/workqueue-metrics.ts";
import type { QueueOptions } from "./queue.ts";

/** Turns what happens to items into the queue's metrics; keys are those of {@link itemKey}. */
export interface QueueRecorder {
  /** An item became ready. */
  ready(key: unknown, priority?: number): void;
  /** A ready item changed its priority. */
  reprioritized(from: number, to: number): void;
  /** An item was handed out. */
  taken(key: unknown, priority?: number): void;
  done(key: unknown): void;
  retried(): void;
  close(): void;
}

/** Creates the recorder for a queue's settings; one that records nothing for a queue without a name. */
export function createQueueRecorder(options: QueueOptions, clock: Clock): QueueRecorder {
  return options.name === undefined ? SILENT : new MetricsRecorder(options.name, options, clock);
}

const SILENT: QueueRecorder = {
  ready: () => undefined,
  reprioritized: () => undefined,
  taken: () => undefined,
  done: () => undefined,
  retried: () => undefined,
  close: () => undefined,
};

const MAX_PRIORITY_LABELS = 25;
const EXCEEDED_LABEL = "exceeded_cardinality_limit";

class MetricsRecorder implements QueueRecorder {
  readonly #metrics: WorkqueueMetrics;
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #clock: Clock;
  readonly #readySince = new Map<unknown, number>();
  readonly #takenSince = new Map<unknown, number>();
  readonly #priorities = new Set<number>();
  readonly #stopObserving: () => void;

  constructor(name: string, options: QueueOptions, clock: Clock) {
    this.#metrics = workqueueMetrics(options.registry);
    this.#labels = { name, controller: options.controller ?? name };
    this.#clock = clock;
    this.#metrics.adds.inc(this.#labels, 0);
    this.#metrics.retries.inc(this.#labels, 0);
    this.#metrics.queueDuration.zero(this.#labels);
    this.#metrics.workDuration.zero(this.#labels);
    this.#stopObserving = this.#metrics.observe({
      ...this.#labels,
      unfinishedSeconds: () => this.#ages().reduce((sum, age) => sum + age, 0),
      longestRunningSeconds: () => this.#ages().reduce((longest, age) => Math.max(longest, age), 0),
    });
  }

  ready(key: unknown, priority?: number): void {
    this.#metrics.adds.inc(this.#labels);
    this.#metrics.depth.inc(this.#depthLabels(priority));
    if (!this.#readySince.has(key)) {
      this.#readySince.set(key, this.#clock.monotonic());
    }
  }

  reprioritized(from: number, to: number): void {
    this.#metrics.depth.dec(this.#depthLabels(from));
    this.#metrics.depth.inc(this.#depthLabels(to));
  }

  taken(key: unknown, priority?: number): void {
    const now = this.#clock.monotonic();
    this.#metrics.depth.dec(this.#depthLabels(priority));
    this.#takenSince.set(key, now);
    const since = this.#readySince.get(key);
    if (since !== undefined) {
      this.#readySince.delete(key);
      this.#metrics.queueDuration.observe(this.#labels, (now - since) / 1000);
    }
  }

  done(key: unknown): void {
    const since = this.#takenSince.get(key);
    if (since !== undefined) {
      this.#takenSince.delete(key);
      this.#metrics.workDuration.observe(this.#labels, (this.#clock.monotonic() - since) / 1000);
    }
  }

  retried(): void {
    this.#metrics.retries.inc(this.#labels);
  }

  close(): void {
    this.#stopObserving();
  }

  #ages(): readonly number[] {
    const now = this.#clock.monotonic();
    return [...this.#takenSince.values()].map((since) => (now - since) / 1000);
  }

  #depthLabels(priority: number | undefined): { name: string; controller: string; priority: string } {
    return { ...this.#labels, priority: priority === undefined ? "" : this.#priorityLabel(priority) };
  }

  #priorityLabel(priority: number): string {
    if (!this.#priorities.has(priority)) {
      if (this.#priorities.size >= MAX_PRIORITY_LABELS) {
        return EXCEEDED_LABEL;
      }
      this.#priorities.add(priority);
    }
    return String(priority);
  }
}
