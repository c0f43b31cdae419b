import { Counter, Gauge, Histogram, type MetricsRegistry, oncePerRegistry } from "./registry.ts";

/** The outcome of a reconcile in the label `result`. */
export type ReconcileResultLabel = "error" | "requeue_after" | "requeue" | "success";

/** The metrics of controllers. */
export interface ControllerMetrics {
  /** Reconciles by controller and result. */
  readonly reconcileTotal: Counter<"controller" | "result">;
  /** Failed reconciles. */
  readonly reconcileErrors: Counter<"controller">;
  /** Reconciles that failed with a terminal error. */
  readonly terminalErrors: Counter<"controller">;
  /** Reconciles that failed with a programming error. */
  readonly reconcilePanics: Counter<"controller">;
  /** Reconciles that exceeded their timeout. */
  readonly reconcileTimeouts: Counter<"controller">;
  /** Seconds per reconcile. */
  readonly reconcileTime: Histogram<"controller">;
  /** The number of workers. */
  readonly maxConcurrentReconciles: Gauge<"controller">;
  /** The number of workers that are reconciling. */
  readonly activeWorkers: Gauge<"controller">;
}

/** Returns the controllers' metrics of a registry. */
export const controllerMetrics: (registry?: MetricsRegistry) => ControllerMetrics = oncePerRegistry((registry) => ({
  reconcileTotal: new Counter({
    name: "controller_runtime_reconcile_total",
    help: "Reconciles, by controller and result",
    labelNames: ["controller", "result"],
    registers: [registry],
  }),
  ...failureCounters(registry),
  reconcileTime: new Histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "Seconds per reconcile",
    labelNames: ["controller"],
    buckets: RECONCILE_TIME_BUCKETS,
    registers: [registry],
  }),
  maxConcurrentReconciles: perControllerGauge(registry, {
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Maximum number of concurrent reconciles",
  }),
  activeWorkers: perControllerGauge(registry, {
    name: "controller_runtime_active_workers",
    help: "Number of running reconciles",
  }),
}));

/** Creates the series of a controller at zero, so that a first failure is a visible increase. */
export function initializeControllerMetrics(metrics: ControllerMetrics, controller: string): void {
  for (const result of ["error", "requeue_after", "requeue", "success"] satisfies ReconcileResultLabel[]) {
    metrics.reconcileTotal.inc({ controller, result }, 0);
  }
  for (const counter of [
    metrics.reconcileErrors,
    metrics.terminalErrors,
    metrics.reconcilePanics,
    metrics.reconcileTimeouts,
  ]) {
    counter.inc({ controller }, 0);
  }
  metrics.activeWorkers.set({ controller }, 0);
  metrics.reconcileTime.zero({ controller });
}

const RECONCILE_TIME_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

function failureCounters(
  registry: MetricsRegistry,
): Pick<ControllerMetrics, "reconcileErrors" | "terminalErrors" | "reconcilePanics" | "reconcileTimeouts"> {
  const counter = (name: string, help: string): Counter<"controller"> =>
    new Counter({ name, help, labelNames: ["controller"], registers: [registry] });
  return {
    reconcileErrors: counter("controller_runtime_reconcile_errors_total", "Reconciles that failed"),
    terminalErrors: counter(
      "controller_runtime_terminal_reconcile_errors_total",
      "Reconciles that failed and are not retried",
    ),
    reconcilePanics: counter(
      "controller_runtime_reconcile_panics_total",
      "Reconciles that failed with a programming error",
    ),
    reconcileTimeouts: counter("controller_runtime_reconcile_timeouts_total", "Reconciles that exceeded their timeout"),
  };
}

function perControllerGauge(
  registry: MetricsRegistry,
  described: { readonly name: string; readonly help: string },
): Gauge<"controller"> {
  return new Gauge({ ...described, labelNames: ["controller"], registers: [registry] });
}

/** The metrics of leader election. */
interface LeaderElectionMetrics {
  /** 1 while this process is the leader, otherwise 0. */
  readonly masterStatus: Gauge<"name">;
}

/** Returns the leader election's metrics of a registry. */
export const leaderElectionMetrics: (registry?: MetricsRegistry) => LeaderElectionMetrics = oncePerRegistry(
  (registry) => ({
    masterStatus: new Gauge({
      name: "leader_election_master_status",
      help: "1 while this process holds the lease of that name, 0 otherwise",
      labelNames: ["name"],
      registers: [registry],
    }),
  }),
);
