import { Counter, exponentialBuckets, Gauge, Histogram, oncePerRegistry, type MetricsRegistry } from "./registry.ts";

type QueueLabels = "name" | "controller";

/** What a queue says of itself when it is asked. */
interface WorkqueueProbe {
  readonly name: string;
  readonly controller: string;
  /** Seconds that items in work have been in work, all together. */
  readonly unfinishedSeconds: () => number;
  /** Seconds of the item that has been in work longest. */
  readonly longestRunningSeconds: () => number;
}

/** Counts what queues do. */
export interface WorkqueueMetrics {
  readonly depth: Gauge<QueueLabels | "priority">;
  readonly adds: Counter<QueueLabels>;
  readonly retries: Counter<QueueLabels>;
  readonly queueDuration: Histogram<QueueLabels>;
  readonly workDuration: Histogram<QueueLabels>;
  readonly unfinishedWork: Gauge<QueueLabels>;
  readonly longestRunningProcessor: Gauge<QueueLabels>;
  /** Asks the probe at each scrape from now on; the returned function ends that. */
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
      help: "Items that are ready to be worked on, by queue and priority",
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
      help: "Seconds that items were worked on, by queue",
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
      { name: "workqueue_unfinished_work_seconds", help: "Seconds of work begun and not finished, by queue" },
      (probe) => probe.unfinishedSeconds(),
    ),
    longestRunningProcessor: gauge(
      { name: "workqueue_longest_running_processor_seconds", help: "Seconds of the longest running work, by queue" },
      (probe) => probe.longestRunningSeconds(),
    ),
  };
}
