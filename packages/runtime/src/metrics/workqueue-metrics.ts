import { exponentialBuckets, oncePerRegistry, type MetricsRegistry } from "./registry.ts";
import { DurationFamily, NumberFamily } from "./series.ts";

type QueueLabels = "name" | "controller";

/** Measures the work in progress of a queue at scrape time. */
interface WorkqueueProbe {
  readonly name: string;
  readonly controller: string;
  /** Seconds of work in progress, summed over all items. */
  readonly unfinishedSeconds: () => number;
  /** Seconds of the item that has been in progress longest. */
  readonly longestRunningSeconds: () => number;
}

/** The metrics of workqueues. */
export interface WorkqueueMetrics {
  /** Ready items, by priority. */
  readonly depth: NumberFamily<QueueLabels | "priority">;
  /** Items that became ready. */
  readonly adds: NumberFamily<QueueLabels>;
  /** Items added with a delay. */
  readonly retries: NumberFamily<QueueLabels>;
  /** Seconds that items wait for a worker. */
  readonly queueDuration: DurationFamily<QueueLabels>;
  /** Seconds that workers process an item. */
  readonly workDuration: DurationFamily<QueueLabels>;
  /** Seconds of work in progress. */
  readonly unfinishedWork: NumberFamily<QueueLabels>;
  /** Seconds of the item that has been in progress longest. */
  readonly longestRunningProcessor: NumberFamily<QueueLabels>;
  /** Calls the probe at each scrape until the returned function is called. */
  readonly observe: (probe: WorkqueueProbe) => () => void;
}

/** Returns the queues' metrics of a registry. */
export const workqueueMetrics: (registry?: MetricsRegistry) => WorkqueueMetrics = oncePerRegistry((registry) => {
  const probes = new Set<WorkqueueProbe>();
  return {
    ...counters(registry),
    ...durations(registry),
    ...probedGauges(registry, probes),
    observe: (probe: WorkqueueProbe) => {
      probes.add(probe);
      return () => void probes.delete(probe);
    },
  };
});

const LABELS: readonly QueueLabels[] = ["name", "controller"];

function counters(registry: MetricsRegistry): Pick<WorkqueueMetrics, "depth" | "adds" | "retries"> {
  return {
    depth: new NumberFamily(
      {
        type: "gauge",
        name: "workqueue_depth",
        help: "Ready items, by queue and priority",
        labelNames: [...LABELS, "priority"],
      },
      registry,
    ),
    adds: new NumberFamily(
      { type: "counter", name: "workqueue_adds_total", help: "Items that became ready, by queue", labelNames: LABELS },
      registry,
    ),
    retries: new NumberFamily(
      {
        type: "counter",
        name: "workqueue_retries_total",
        help: "Items added with a delay, by queue",
        labelNames: LABELS,
      },
      registry,
    ),
  };
}

function durations(registry: MetricsRegistry): Pick<WorkqueueMetrics, "queueDuration" | "workDuration"> {
  const shape = { labelNames: LABELS, buckets: exponentialBuckets(1e-8, 10, 12) };
  return {
    queueDuration: new DurationFamily(
      { name: "workqueue_queue_duration_seconds", help: "Seconds that items waited for a worker, by queue", ...shape },
      registry,
    ),
    workDuration: new DurationFamily(
      { name: "workqueue_work_duration_seconds", help: "Seconds that workers process items, by queue", ...shape },
      registry,
    ),
  };
}

function probedGauges(
  registry: MetricsRegistry,
  probes: ReadonlySet<WorkqueueProbe>,
): Pick<WorkqueueMetrics, "unfinishedWork" | "longestRunningProcessor"> {
  const gauge = (
    described: { readonly name: string; readonly help: string },
    read: (probe: WorkqueueProbe) => number,
  ): NumberFamily<QueueLabels> => {
    const refresh = (): void => {
      for (const probe of probes) {
        family.set({ name: probe.name, controller: probe.controller }, read(probe));
      }
    };
    const family = new NumberFamily<QueueLabels>(
      { ...described, labelNames: LABELS, type: "gauge", refresh },
      registry,
    );
    return family;
  };
  return {
    unfinishedWork: gauge(
      { name: "workqueue_unfinished_work_seconds", help: "Seconds of work in progress, by queue" },
      (probe) => probe.unfinishedSeconds(),
    ),
    longestRunningProcessor: gauge(
      {
        name: "workqueue_longest_running_processor_seconds",
        help: "Seconds of the longest work in progress, by queue",
      },
      (probe) => probe.longestRunningSeconds(),
    ),
  };
}
