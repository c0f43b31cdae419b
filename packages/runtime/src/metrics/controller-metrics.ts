import { Counter, Gauge, type MetricsRegistry, oncePerRegistry } from "./registry.ts";
import { DurationFamily, type DurationSeries, NumberFamily, type Series } from "./series.ts";

/** The outcome of a reconcile in the label `result`. */
type ReconcileResultLabel = "error" | "requeue_after" | "requeue" | "success";

/** The metrics of controllers. */
export interface ControllerMetrics {
  /** Reconciles by controller and result. */
  readonly reconcileTotal: NumberFamily<"controller" | "result">;
  /** Failed reconciles. */
  readonly reconcileErrors: NumberFamily<"controller">;
  /** Reconciles that failed with a terminal error. */
  readonly terminalErrors: NumberFamily<"controller">;
  /** Reconciles that failed with a programming error. */
  readonly reconcilePanics: NumberFamily<"controller">;
  /** Reconciles that exceeded their timeout. */
  readonly reconcileTimeouts: NumberFamily<"controller">;
  /** Seconds per reconcile. */
  readonly reconcileTime: DurationFamily<"controller">;
  /** The number of workers. */
  readonly maxConcurrentReconciles: NumberFamily<"controller">;
  /** The number of workers that are reconciling. */
  readonly activeWorkers: NumberFamily<"controller">;
}

/** Returns the controllers' metrics of a registry. */
export const controllerMetrics: (registry?: MetricsRegistry) => ControllerMetrics = oncePerRegistry((registry) => ({
  reconcileTotal: new NumberFamily(
    {
      type: "counter",
      name: "controller_runtime_reconcile_total",
      help: "Reconciles, by controller and result",
      labelNames: ["controller", "result"],
    },
    registry,
  ),
  ...failureCounters(registry),
  reconcileTime: new DurationFamily(
    {
      name: "controller_runtime_reconcile_time_seconds",
      help: "Seconds per reconcile",
      labelNames: ["controller"],
      buckets: RECONCILE_TIME_BUCKETS,
    },
    registry,
  ),
  maxConcurrentReconciles: perController(registry, {
    type: "gauge",
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Maximum number of concurrent reconciles",
  }),
  activeWorkers: perController(registry, {
    type: "gauge",
    name: "controller_runtime_active_workers",
    help: "Number of running reconciles",
  }),
}));

/** The series of one controller. */
export interface ControllerSeries {
  /** Reconciles by result. */
  readonly results: Readonly<Record<ReconcileResultLabel, Series>>;
  /** Failed reconciles. */
  readonly errors: Series;
  /** Reconciles that failed with a terminal error. */
  readonly terminalErrors: Series;
  /** Reconciles that failed with a programming error. */
  readonly panics: Series;
  /** Reconciles that exceeded their timeout. */
  readonly timeouts: Series;
  /** Seconds per reconcile. */
  readonly time: DurationSeries;
  /** The number of workers that are reconciling. */
  readonly activeWorkers: Series;
}

/** Returns the series of a controller, which start at zero, so that a first failure is a visible increase. */
export function controllerSeries(metrics: ControllerMetrics, controller: string): ControllerSeries {
  const result = (label: ReconcileResultLabel): Series => metrics.reconcileTotal.with({ controller, result: label });
  return {
    results: {
      error: result("error"),
      requeue_after: result("requeue_after"),
      requeue: result("requeue"),
      success: result("success"),
    },
    errors: metrics.reconcileErrors.with({ controller }),
    terminalErrors: metrics.terminalErrors.with({ controller }),
    panics: metrics.reconcilePanics.with({ controller }),
    timeouts: metrics.reconcileTimeouts.with({ controller }),
    time: metrics.reconcileTime.with({ controller }),
    activeWorkers: metrics.activeWorkers.with({ controller }),
  };
}

const RECONCILE_TIME_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

function failureCounters(
  registry: MetricsRegistry,
): Pick<ControllerMetrics, "reconcileErrors" | "terminalErrors" | "reconcilePanics" | "reconcileTimeouts"> {
  const counter = (name: string, help: string): NumberFamily<"controller"> =>
    perController(registry, { type: "counter", name, help });
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

function perController(
  registry: MetricsRegistry,
  described: { readonly type: "counter" | "gauge"; readonly name: string; readonly help: string },
): NumberFamily<"controller"> {
  return new NumberFamily({ ...described, labelNames: ["controller"] }, registry);
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

/** The metrics of storage migrations. */
interface StorageMigrationMetrics {
  readonly pending: Gauge<"crd">;
  readonly objects: Counter<"crd">;
  readonly errors: Counter<"crd">;
}

/** Returns the metrics of storage migrations of a registry. */
export const storageMigrationMetrics: (registry?: MetricsRegistry) => StorageMigrationMetrics = oncePerRegistry(
  (registry) => ({
    pending: new Gauge({
      name: "kubescaffold_storage_migration_pending",
      help: "Whether objects of a CRD may be stored in another version than its storage version, by CRD",
      labelNames: ["crd"],
      registers: [registry],
    }),
    objects: new Counter({
      name: "kubescaffold_storage_migration_objects_total",
      help: "Objects that this process rewrote in the storage version, by CRD",
      labelNames: ["crd"],
      registers: [registry],
    }),
    errors: new Counter({
      name: "kubescaffold_storage_migration_errors_total",
      help: "Failed attempts of storage migrations, by CRD",
      labelNames: ["crd"],
      registers: [registry],
    }),
  }),
);
