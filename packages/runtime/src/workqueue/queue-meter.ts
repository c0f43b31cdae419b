import type { Clock } from "@kubescaffold/platform/clock";

import type { DurationSeries, Series } from "../metrics/series.ts";
import { workqueueMetrics, type WorkqueueMetrics } from "../metrics/workqueue-metrics.ts";
import type { QueueOptions } from "./queue.ts";

/** An item and the times of its steps, in milliseconds of the monotonic clock. */
export interface MeteredItem {
  /** The time at which the item became ready; undefined if it is not ready, or not measured. */
  readySince: number | undefined;
  /** The time at which a worker took the item. */
  takenSince: number | undefined;
  /** The index of the item among those in progress; -1 if no worker has it. */
  takenIndex: number;
}

const MAX_PRIORITY_LABELS = 25;
const EXCEEDED_LABEL = "exceeded_cardinality_limit";

/** Records the metrics of a queue, and stores the items in progress. */
export class QueueMeter {
  readonly #clock: Clock;
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #taken: MeteredItem[] = [];
  readonly #priorities = new Set<number>();
  readonly #metrics: WorkqueueMetrics | undefined;
  readonly #adds: Series | undefined;
  readonly #retries: Series | undefined;
  readonly #queueDuration: DurationSeries | undefined;
  readonly #workDuration: DurationSeries | undefined;
  readonly #stopObserving: (() => void) | undefined;

  /** Creates the meter of a queue; that of a queue without a name records no metrics. */
  constructor(options: QueueOptions<never>, clock: Clock) {
    const { name = "", controller = name } = options;
    this.#clock = clock;
    this.#labels = { name, controller };
    if (options.name !== undefined) {
      this.#metrics = workqueueMetrics(options.registry);
      this.#adds = this.#metrics.adds.with(this.#labels);
      this.#retries = this.#metrics.retries.with(this.#labels);
      this.#queueDuration = this.#metrics.queueDuration.with(this.#labels);
      this.#workDuration = this.#metrics.workDuration.with(this.#labels);
      this.#stopObserving = this.#metrics.observe({
        ...this.#labels,
        unfinishedSeconds: () => this.#ages().reduce((sum, age) => sum + age, 0),
        longestRunningSeconds: () => this.#ages().reduce((longest, age) => Math.max(longest, age), 0),
      });
    }
  }

  /** The number of items in progress. */
  get inProgress(): number {
    return this.#taken.length;
  }

  /** Returns the depth of a priority; undefined for a queue without metrics. */
  depthOf(priority: number | undefined): Series | undefined {
    const label = priority === undefined ? "" : this.#priorityLabel(priority);
    return this.#metrics?.depth.with({ ...this.#labels, priority: label });
  }

  /** Records an item that became ready. */
  ready(item: MeteredItem): void {
    if (this.#adds !== undefined) {
      this.#adds.value += 1;
      item.readySince ??= this.#clock.monotonic();
    }
  }

  /** Records an item that was handed out. */
  taken(item: MeteredItem): void {
    item.takenIndex = this.#taken.length;
    this.#taken.push(item);
    if (this.#queueDuration !== undefined) {
      const now = this.#clock.monotonic();
      if (item.readySince !== undefined) {
        this.#queueDuration.observe((now - item.readySince) / 1000);
      }
      item.takenSince = now;
      item.readySince = undefined;
    }
  }

  /** Records an item that was processed. */
  done(item: MeteredItem): void {
    const last = this.#taken.pop();
    if (last !== undefined && last !== item) {
      this.#taken[item.takenIndex] = last;
      last.takenIndex = item.takenIndex;
    }
    item.takenIndex = -1;
    if (this.#workDuration !== undefined && item.takenSince !== undefined) {
      this.#workDuration.observe((this.#clock.monotonic() - item.takenSince) / 1000);
      item.takenSince = undefined;
    }
  }

  /** Records an item that was added with a delay. */
  retried(): void {
    if (this.#retries !== undefined) {
      this.#retries.value += 1;
    }
  }

  /** Stops observing the queue. */
  close(): void {
    this.#stopObserving?.();
  }

  #ages(): readonly number[] {
    const now = this.#clock.monotonic();
    return this.#taken.map(({ takenSince }) => (now - (takenSince ?? now)) / 1000);
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
