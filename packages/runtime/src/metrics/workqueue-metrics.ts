import { Counter, exponentialBuckets, Gauge, Histogram, oncePerRegistry, type MetricsRegistry } from "./registry.ts";

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
  readonly depth: Gauge<QueueLabels | "priority">;
  /** Items that became ready. */
  readonly adds: Counter<QueueLabels>;
  /** Items added with a delay. */
  readonly retries: Counter<QueueLabels>;
  /** Seconds that items wait for a worker. */
  readonly queueDuration: Histogram<QueueLabels>;
  /** Seconds that workers process an item. */
  readonly workDuration: Histogram<QueueLabels>;
  /** Seconds of work in progress. */
  readonly unfinishedWork: Gauge<QueueLabels>;
  /** Seconds of the item that has been in progress longest. */
  readonly longestRunningProcessor: Gauge<QueueLabels>;
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

const LABELS: QueueLabels[] = ["name", "controller"];

function counters(registry: MetricsRegistry): Pick<WorkqueueMetrics, "depth" | "adds" | "retries"> {
  const registers = [registry];
  return {
    depth: new Gauge({
      name: "workqueue_depth",
      help: "Ready items, by queue and priority",
      labelNames: [...LABELS, "priority"],
      registers,
    }),
    adds: new Counter({
      name: "workqueue_adds_total",
      help: "Items that became ready, by queue",
      labelNames: LABELS,
      registers,
    }),
    retries: new Counter({
      name: "workqueue_retries_total",
      help: "Items added with a delay, by queue",
      labelNames: LABELS,
      registers,
    }),
  };
}

function durations(registry: MetricsRegistry): Pick<WorkqueueMetrics, "queueDuration" | "workDuration"> {
  const shape = { labelNames: LABELS, buckets: exponentialBuckets(1e-8, 10, 12), registers: [registry] };
  return {
    queueDuration: new Histogram({
      name: "workqueue_queue_duration_seconds",
      help: "Seconds that items waited for a worker, by queue",
      ...shape,
    }),
    workDuration: new Histogram({
      name: "workqueue_work_duration_seconds",
      help: "Seconds that workers process items, by queue",
      ...shape,
    }),
  };
}

function probedGauges(
  registry: MetricsRegistry,
  probes: ReadonlySet<WorkqueueProbe>,
): Pick<WorkqueueMetrics, "unfinishedWork" | "longestRunningProcessor"> {
  const gauge = (
    described: { readonly name: string; readonly help: string },
    read: (probe: WorkqueueProbe) => number,
  ): Gauge<QueueLabels> =>
    new Gauge<QueueLabels>({
      ...described,
      labelNames: LABELS,
      registers: [registry],
      collect() {
        for (const probe of probes) {
          this.set({ name: probe.name, controller: probe.controller }, read(probe));
        }
      },
    });
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
