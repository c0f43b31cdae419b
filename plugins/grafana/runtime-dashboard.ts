import type { Dashboard, Panel } from "./dashboard-model.ts";
import { maxBy, quantilesBy, rateBy, secondsUntil, sumBy } from "./queries.ts";

/** Returns the dashboard of what a manager does: reconciliations, queues, requests, caches, webhooks. */
export function runtimeDashboard(project: string): Dashboard {
  return {
    uid: `${project}-runtime`,
    title: `${project}: controllers`,
    rows: [
      { title: "Reconciliation", panels: RECONCILIATION },
      { title: "Work queues", panels: QUEUES },
      { title: "API server and leadership", panels: REQUESTS },
      { title: "Caches", panels: CACHES },
      { title: "Webhooks", panels: WEBHOOKS },
    ],
  };
}

const DAY_S = 24 * 60 * 60;

const RECONCILIATION: readonly Panel[] = [
  {
    title: "Reconciliations by result",
    unit: "ops",
    queries: [rateBy("controller_runtime_reconcile_total", "controller", "result")],
  },
  {
    title: "Failures",
    description: "Errors, terminal errors, timeouts, and panics",
    unit: "ops",
    queries: [
      named("errors", rateBy("controller_runtime_reconcile_errors_total", "controller")),
      named("terminal", rateBy("controller_runtime_terminal_reconcile_errors_total", "controller")),
      named("timeouts", rateBy("controller_runtime_reconcile_timeouts_total", "controller")),
      named("panics", rateBy("controller_runtime_reconcile_panics_total", "controller")),
    ],
  },
  {
    title: "Duration of reconciliations",
    unit: "s",
    queries: quantilesBy("controller_runtime_reconcile_time_seconds", "controller"),
  },
  {
    title: "Active workers",
    description: "Running reconciliations, and their maximum",
    unit: "none",
    queries: [
      named("active", sumBy("controller_runtime_active_workers", "controller")),
      named("at most", sumBy("controller_runtime_max_concurrent_reconciles", "controller")),
    ],
  },
];

const QUEUES: readonly Panel[] = [
  { title: "Depth", unit: "none", queries: [sumBy("workqueue_depth", "name", "priority")] },
  { title: "Items added", unit: "ops", queries: [rateBy("workqueue_adds_total", "name")] },
  { title: "Retries", unit: "ops", queries: [rateBy("workqueue_retries_total", "name")] },
  { title: "Time in the queue", unit: "s", queries: quantilesBy("workqueue_queue_duration_seconds", "name") },
  { title: "Processing time", unit: "s", queries: quantilesBy("workqueue_work_duration_seconds", "name") },
  {
    title: "Unfinished work",
    description: "Seconds of work in progress: a value that keeps growing indicates stuck workers",
    unit: "s",
    queries: [
      named("all", maxBy("workqueue_unfinished_work_seconds", "name")),
      named("longest", maxBy("workqueue_longest_running_processor_seconds", "name")),
    ],
  },
];

const REQUESTS: readonly Panel[] = [
  { title: "Requests by status", unit: "reqps", queries: [rateBy("rest_client_requests_total", "code")] },
  { title: "Requests by method", unit: "reqps", queries: [rateBy("rest_client_requests_total", "method")] },
  {
    title: "Leader",
    description: "1 for the leader",
    unit: "none",
    queries: [maxBy("leader_election_master_status", "name", "pod")],
  },
];

const CACHES: readonly Panel[] = [
  { title: "Lists", unit: "ops", queries: [rateBy("kubescaffold_reflector_lists_total", "kind")] },
  { title: "Watches", unit: "ops", queries: [rateBy("kubescaffold_reflector_watches_total", "kind")] },
  {
    title: "Reopened watches",
    unit: "ops",
    queries: [rateBy("kubescaffold_reflector_watch_reconnects_total", "kind", "reason")],
  },
];

const WEBHOOKS: readonly Panel[] = [
  {
    title: "Admission requests by status",
    unit: "reqps",
    queries: [rateBy("controller_runtime_webhook_requests_total", "webhook", "code")],
  },
  {
    title: "Duration of admission",
    unit: "s",
    queries: quantilesBy("controller_runtime_webhook_latency_seconds", "webhook"),
  },
  {
    title: "Admission requests in flight",
    unit: "none",
    queries: [sumBy("controller_runtime_webhook_requests_in_flight", "webhook")],
  },
  {
    title: "Certificates",
    description: "Reads of certificate files, and failed reads",
    unit: "ops",
    queries: [
      named("read", rateBy("certwatcher_read_certificate_total", "pod")),
      named("failed", rateBy("certwatcher_read_certificate_errors_total", "pod")),
    ],
  },
  {
    title: "Time until certificates end",
    description: "Of certificates that the manager makes itself; it replaces them a month before their end",
    unit: "s",
    dangerBelow: 7 * DAY_S,
    queries: [secondsUntil("kubescaffold_certificate_expiration_timestamp_seconds", "secret", "certificate")],
  },
  {
    title: "Changes of certificates",
    description: "Certificates that the manager issued, objects that got its authority, and failures",
    unit: "ops",
    queries: [
      named("issued", rateBy("kubescaffold_certificates_issued_total", "certificate")),
      named("injected", rateBy("kubescaffold_certificate_injections_total", "pod")),
      named("failed", rateBy("kubescaffold_certificate_errors_total", "pod")),
    ],
  },
];

function named(name: string, query: Panel["queries"][number]): Panel["queries"][number] {
  return { ...query, legend: `${name} ${query.legend}` };
}
