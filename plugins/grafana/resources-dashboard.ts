import type { Dashboard, Panel } from "./dashboard-model.ts";
import { maxBy, rateBy } from "./queries.ts";

/** Returns the dashboard of what the process of a manager needs. */
export function resourcesDashboard(project: string): Dashboard {
  return {
    uid: `${project}-resources`,
    title: `${project}: resources`,
    rows: [
      { title: "Process", panels: PROCESS },
      { title: "Node.js", panels: NODE },
    ],
  };
}

const PROCESS: readonly Panel[] = [
  {
    title: "CPU",
    description: "Cores in use",
    unit: "none",
    queries: [rateBy("process_cpu_seconds_total", "pod")],
  },
  { title: "Memory", unit: "bytes", queries: [maxBy("process_resident_memory_bytes", "pod")] },
  {
    title: "Open files",
    unit: "none",
    queries: [maxBy("process_open_fds", "pod"), { ...maxBy("process_max_fds", "pod"), legend: "at most {{pod}}" }],
  },
];

const NODE: readonly Panel[] = [
  {
    title: "Heap",
    unit: "bytes",
    queries: [
      { ...maxBy("nodejs_heap_size_used_bytes", "pod"), legend: "used {{pod}}" },
      { ...maxBy("nodejs_heap_size_total_bytes", "pod"), legend: "total {{pod}}" },
    ],
  },
  {
    title: "Event loop lag",
    description: "Delay of callbacks: blocking code delays everything else in the process",
    unit: "s",
    queries: [
      { ...maxBy("nodejs_eventloop_lag_p50_seconds", "pod"), legend: "p50 {{pod}}" },
      { ...maxBy("nodejs_eventloop_lag_p99_seconds", "pod"), legend: "p99 {{pod}}" },
    ],
  },
  {
    title: "Garbage collection time",
    description: "Seconds per second",
    unit: "percentunit",
    queries: [rateBy("nodejs_gc_duration_seconds_sum", "pod", "kind")],
  },
];
