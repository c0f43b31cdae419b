import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";

import type { Clock } from "../clock/clock.ts";
import type { HealthCheck } from "../healthz/health-handler.ts";
import type { HttpHandler } from "../http-server/http-handler.ts";
import type { LeaderElectionLock } from "../leader-election/leader-election-lock.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { WebhookServer, WebhookServerOptions } from "../webhook/webhook-server.ts";
import type { Cluster, ClusterOptions } from "./cluster.ts";
import type { MetricsServerOptions } from "./metrics-server.ts";
import type { Runnable, RunnableFunction } from "./runnable.ts";

/** Defaults of all controllers of a manager; what a controller says itself wins. */
export interface ControllerDefaults {
  readonly skipNameValidation?: boolean;
  /** Workers by kind, as `Deployment.apps`, for controllers that say nothing themselves. */
  readonly groupKindConcurrency?: Readonly<Record<string, number>>;
  readonly maxConcurrentReconciles?: number;
  readonly cacheSyncTimeoutMs?: number;
  readonly recoverPanic?: boolean;
  readonly needLeaderElection?: boolean;
  readonly enableWarmup?: boolean;
  readonly usePriorityQueue?: boolean;
  readonly reconciliationTimeoutMs?: number;
  readonly logger?: Logger;
}

/** Settings of a manager; the defaults are upstream's. */
export interface ManagerOptions extends Omit<ClusterOptions, "registry"> {
  /** Lets only one of several processes run controllers. */
  readonly leaderElection?: boolean;
  /** The name of the lease. */
  readonly leaderElectionId?: string;
  /** The namespace of the lease; that of the pod unless given. */
  readonly leaderElectionNamespace?: string;
  /** Reaches the lease, in place of the manager's config. */
  readonly leaderElectionConfig?: RestConfig;
  /** Gives the lease up at a clean stop; only for programs that end right after that. */
  readonly leaderElectionReleaseOnCancel?: boolean;
  /** A lock of the program's own, in place of a lease. */
  readonly leaderElectionLock?: LeaderElectionLock;
  /** 15 s unless given. */
  readonly leaseDurationMs?: number;
  /** 10 s unless given. */
  readonly renewDeadlineMs?: number;
  /** 2 s unless given. */
  readonly retryPeriodMs?: number;
  readonly metrics?: MetricsServerOptions;
  /** `host:port` of the health endpoints; empty or `0` for none. */
  readonly healthProbeBindAddress?: string;
  /** `/readyz` unless given. */
  readonly readinessEndpointName?: string;
  /** `/healthz` unless given. */
  readonly livenessEndpointName?: string;
  /** Settings of the webhook server, which starts if anybody asks for it. */
  readonly webhook?: WebhookServerOptions;
  /** A webhook server of the program's own. */
  readonly webhookServer?: WebhookServer;
  /** How long runnables may take to end: 30 s unless given; 0 does not wait, a negative number waits for ever. */
  readonly gracefulShutdownTimeoutMs?: number;
  readonly controller?: ControllerDefaults;
  readonly clock?: Clock;
}

/**
 * Starts and stops what a program consists of, in order: HTTP servers, webhooks, caches, what every replica runs, and what only the leader runs.
 *
 * @example
 * const mgr = await createManager(await getConfig(), { leaderElection: true, leaderElectionId: "guestbook.example.com" });
 * await newControllerManagedBy(mgr).for(Guestbook).complete(new GuestbookReconciler(mgr.getClient()));
 * await mgr.start(setupSignalHandler());
 */
export interface Manager extends Omit<Cluster, "start"> {
  /** Adds something to run; once the manager runs, it starts at once. Fails: `ManagerTooLateError` when the manager is stopping. */
  add(runnable: Runnable | RunnableFunction): void;
  /** Resolves when this process leads and what the leader runs has been started; without election, when that has been started. */
  readonly elected: Promise<void>;
  /** Adds a check of `/healthz`. Fails: `ManagerTooLateError` once the manager has started. */
  addHealthzCheck(name: string, check: HealthCheck): void;
  /** Adds a check of `/readyz`. Fails: `ManagerTooLateError` once the manager has started. */
  addReadyzCheck(name: string, check: HealthCheck): void;
  /** Serves something else beside `/metrics`. */
  addMetricsServerExtraHandler(path: string, handler: HttpHandler): void;
  /**
   * Runs everything until the signal aborts, then stops everything in the opposite order.
   *
   * Guarantees: what is used ends after its users: reconcilers can read from the cache until they have ended; the lease is given up last.
   * Fails: with the failure of a runnable, `LeaderElectionLostError`, or `ManagerShutdownTimeoutError`.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Returns the webhook server, which from then on is started with the manager. */
  getWebhookServer(): WebhookServer;
  getControllerOptions(): ControllerDefaults;
  getMetricsRegistry(): MetricsRegistry;
  getClock(): Clock;
  /** The ports in use, which tell what the system chose for port 0. */
  readonly ports: { readonly metrics: number | undefined; readonly health: number | undefined };
}

/** Returns the workers that the defaults give a kind's controller. */
export function concurrencyOf(kind: GroupVersionKind | undefined, defaults: ControllerDefaults): number | undefined {
  if (kind === undefined) {
    return defaults.maxConcurrentReconciles;
  }
  const name = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  return defaults.groupKindConcurrency?.[name] ?? defaults.maxConcurrentReconciles;
}
