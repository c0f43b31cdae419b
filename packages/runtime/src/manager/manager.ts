import { checkNumbers } from "@kubescaffold/k8s";
import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import type { SelfManaged } from "../certificates/self-managed.ts";
import type { HealthCheck } from "../healthz/health-handler.ts";
import type { HttpHandler } from "../http-server/http-handler.ts";
import type { LeaderElectionLock } from "../leader-election/leader-election-lock.ts";
import type { ContextValues } from "../log/context-values.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { Observer } from "../observe/observer.ts";
import type { StorageMigration } from "../storage-migration/storage-migration.ts";
import type { WebhookServer, WebhookServerOptions } from "../webhook/webhook-server.ts";
import type { Cluster, ClusterOptions } from "./cluster.ts";
import type { MetricsServerOptions } from "./metrics-server.ts";
import type { Runnable, RunnableFunction } from "./runnable.ts";

/**
 * Default settings of a manager's controllers; the options of a controller take precedence.
 *
 * controller-runtime: pkg/config.Controller
 */
export interface ControllerDefaults {
  /** Allows several controllers of one name, which then share their metrics. Default: false. */
  readonly skipNameValidation?: boolean;
  /** The number of workers by kind, such as `Deployment.apps`; 0 or less counts as missing. Default: `maxConcurrentReconciles`. */
  readonly groupKindConcurrency?: Readonly<Record<string, number>>;
  /** The number of workers; 0 or less counts as missing. Default: 1. */
  readonly maxConcurrentReconciles?: number;
  /** Milliseconds that each source may take to start and sync; 0 counts as missing. Default: 120000 (2 minutes). */
  readonly cacheSyncTimeoutMs?: number;
  /** Treats programming errors like other failures; false stops the manager. Default: true. */
  readonly recoverPanic?: boolean;
  /** Determines the random numbers in the contexts of reconciles, for tests. Default: `Math.random`. */
  readonly seed?: string | number;
  /** Runs controllers only on the leader. Default: true. */
  readonly needLeaderElection?: boolean;
  /** Fills the queues on standbys, too. Default: false. */
  readonly enableWarmup?: boolean;
  /** Uses queues with priorities. Default: true. */
  readonly usePriorityQueue?: boolean;
  /** Milliseconds after which the signal of a reconcile aborts; 0 sets no limit. Default: no limit. */
  readonly reconciliationTimeoutMs?: number;
  /** Reports whether controllers reconcile a request; requests of sources for which it returns false are dropped. Default: all. */
  readonly accepts?: (request: unknown) => boolean;
  /** The logger of controllers. Default: the manager's logger. */
  readonly logger?: Logger;
}

/**
 * Settings of a manager; the defaults are upstream's.
 *
 * controller-runtime: pkg/manager.Options
 */
export interface ManagerOptions extends Omit<ClusterOptions, "registry"> {
  /** Runs controllers only on the leader of several processes. Default: false. */
  readonly leaderElection?: boolean;
  /** The name of the lease; required for leader election. */
  readonly leaderElectionId?: string;
  /** The namespace of the lease. Default: the namespace of the pod. */
  readonly leaderElectionNamespace?: string;
  /** The config of the lease's API server. Default: the manager's config. */
  readonly leaderElectionConfig?: RestConfig;
  /** Releases the lease at a clean stop; only for programs that exit right after that. Default: false. */
  readonly leaderElectionReleaseOnCancel?: boolean;
  /** Labels that the leader sets on the lease. Default: none. */
  readonly leaderElectionLabels?: Readonly<Record<string, string>>;
  /** A custom lock. Default: a lease. */
  readonly leaderElectionLock?: LeaderElectionLock;
  /** Milliseconds that candidates wait before they take over a lease that is not renewed. Default: 15000. */
  readonly leaseDurationMs?: number;
  /** Milliseconds that a leader continues without a successful renewal. Default: 10000. */
  readonly renewDeadlineMs?: number;
  /** Milliseconds between attempts to acquire or renew the lease. Default: 2000. */
  readonly retryPeriodMs?: number;
  /** Settings of the metrics server. Default: HTTP on `:8080`. */
  readonly metrics?: MetricsServerOptions;
  /** The `host:port` of the health endpoints; empty or `0` disables them. Default: empty. */
  readonly healthProbeBindAddress?: string;
  /**
   * The `host:port` of the profiles below `/debug/pprof/`, which contain the secrets in memory: use a loopback address such as `127.0.0.1:6060`, which
   * only accepts requests for loopback names. Empty or `0` disables them. Default: empty.
   */
  readonly pprofBindAddress?: string;
  /** The path of the readiness endpoint. Default: `/readyz`. */
  readonly readinessEndpointName?: string;
  /** The path of the liveness endpoint. Default: `/healthz`. */
  readonly livenessEndpointName?: string;
  /** Settings of the webhook server, which starts when {@link Manager.getWebhookServer} is called. */
  readonly webhook?: WebhookServerOptions;
  /**
   * Certificates that the manager makes, replaces, and injects itself, which {@link selfManaged} describes. The webhook server serves them instead of files, and so
   * does a metrics server with `secureServing` and without `certDir`; the readiness check `certificates` waits for them. Default: certificates are files.
   */
  readonly certificates?: SelfManaged | undefined;
  /** Kinds whose objects the leader rewrites in their storage version, which {@link storageMigration} describes. Default: none. */
  readonly storageMigration?: StorageMigration;
  /** A custom webhook server. Default: one with the settings of `webhook`. */
  readonly webhookServer?: WebhookServer;
  /** Milliseconds that runnables may take to stop; 0 does not wait, a negative number waits forever. Default: 30000. */
  readonly gracefulShutdownTimeoutMs?: number;
  /**
   * Returns the values that `contextValues` returns in reconcilers, webhooks, and all other runnables of the manager. Default: no values.
   *
   * controller-runtime: pkg/manager.BaseContextFunc
   */
  readonly baseContext?: () => ContextValues;
  /** Default settings of controllers. */
  readonly controller?: ControllerDefaults;
  /** The clock. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * Starts and stops the parts of a program in order: HTTP servers, webhooks, caches, runnables of every replica, and runnables of the leader.
 *
 * controller-runtime: pkg/manager.Manager
 *
 * @example
 * const mgr = await createManager(await getConfig(), { leaderElection: true, leaderElectionId: "guestbook.example.com" });
 * await newControllerManagedBy(mgr).for(Guestbook).complete(new GuestbookReconciler(mgr.getClient()));
 * await mgr.start(setupSignalHandler());
 */
export interface Manager extends Omit<Cluster, "start"> {
  /** Adds a runnable; it starts immediately if the manager runs. Fails: `ManagerTooLateError` when the manager is stopping. */
  add(runnable: Runnable | RunnableFunction): void;
  /** Resolves when this process is the leader and the leader's runnables have started; without leader election, when they have started. */
  readonly elected: Promise<void>;
  /** Adds a check of `/healthz`. Fails: `ManagerTooLateError` after the manager has started. */
  addHealthzCheck(name: string, check: HealthCheck): void;
  /** Adds a check of `/readyz`. Fails: `ManagerTooLateError` after the manager has started. */
  addReadyzCheck(name: string, check: HealthCheck): void;
  /** Serves an additional path on the metrics server. */
  addMetricsServerExtraHandler(path: string, handler: HttpHandler): void;
  /**
   * Runs all runnables until the signal aborts, then stops them in reverse order.
   *
   * Guarantees: dependencies stop after their users: reconcilers can read from the cache until they end; the lease is released last.
   * Fails: with the failure of a runnable, `LeaderElectionLostError`, or `ManagerShutdownTimeoutError`.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Returns the webhook server and adds it to the manager. */
  getWebhookServer(): WebhookServer;
  /** Returns the default settings of controllers. */
  getControllerOptions(): ControllerDefaults;
  /** Returns the registry of the metrics. */
  getMetricsRegistry(): MetricsRegistry;
  /** Returns the observer of controllers and webhooks; undefined without one. */
  getObserver(): Observer | undefined;
  /** Returns the clock. */
  getClock(): Clock;
  /** The ports in use, for example those that the system chose for port 0. */
  readonly ports: {
    readonly metrics: number | undefined;
    readonly health: number | undefined;
    readonly pprof: number | undefined;
  };
}

/** Returns the default number of workers of a kind's controller. */
export function concurrencyOf(kind: GroupVersionKind | undefined, defaults: ControllerDefaults): number | undefined {
  if (kind === undefined) {
    return defaults.maxConcurrentReconciles;
  }
  const name = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const workers = defaults.groupKindConcurrency?.[name] ?? 0;
  return workers > 0 ? workers : defaults.maxConcurrentReconciles;
}

/** Checks the numeric options of a controller, or of the controllers of a manager. Fails: `NumericOptionError`. */
export function checkControllerNumbers(owner: string, options: Omit<ControllerDefaults, "accepts" | "logger">): void {
  checkNumbers(owner, options, {
    maxConcurrentReconciles: "integer",
    cacheSyncTimeoutMs: "duration",
    reconciliationTimeoutMs: "duration",
  });
  const workers = options.groupKindConcurrency ?? {};
  const rules = Object.fromEntries(Object.keys(workers).map((kind) => [kind, "integer"] as const));
  checkNumbers(`groupKindConcurrency of ${owner}`, workers, rules);
}
