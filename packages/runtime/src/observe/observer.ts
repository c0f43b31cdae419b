/**
 * Receives what a manager does: reconciles, requests, webhook calls, and samples of its queues and caches.
 *
 * Without an observer, none of this is collected. The data of Secrets is `REDACTED` in all observations. Times are milliseconds since 1970.
 *
 * @example
 * const observer = { observe: (observation) => recent.push(observation) };
 * const mgr = await createManager(await getConfig(), { observer });
 */
export interface Observer {
  /** Receives an observation, in the order in which they happen. It must return quickly; what it throws is ignored. */
  observe(observation: Observation): void;
}

/** What an {@link Observer} receives; new kinds may be added. All are plain JSON. */
export type Observation =
  | ReconcileStarted
  | ReconcileEnded
  | RequestEnded
  | ControllerSampled
  | CacheSampled
  | WebhookCalled;

/** A reconcile starts. */
export interface ReconcileStarted {
  /** The kind of the observation. */
  readonly kind: "reconcile-started";
  /** The time of the start. */
  readonly at: number;
  /** The name of the controller. */
  readonly controller: string;
  /** The ID of the reconcile, which its log lines have, too. */
  readonly reconcileId: string;
  /** The namespace of the request; empty for objects of the cluster, and for requests without one. */
  readonly namespace: string;
  /** The name of the request; empty for requests without one. */
  readonly name: string;
  /** Why the request was queued; missing if no event of an object did it. */
  readonly trigger?: ReconcileTrigger;
}

/**
 * Why a request was queued: an event of an object, its presence at the start of the watch (`initial-list`), a resync, which is an update without a change, a
 * result of the last reconcile (`requeue`, `requeue-after`), or its error (`retry`).
 */
export interface ReconcileTrigger {
  /** The reason. */
  readonly reason:
    | "created"
    | "updated"
    | "deleted"
    | "generic"
    | "initial-list"
    | "resync"
    | "requeue"
    | "requeue-after"
    | "retry";
  /** The object of the event, which may be another one than that of the request. */
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  /** The number of later events that are part of the same reconcile; missing without any. */
  readonly merged?: number;
}

/** How a reconcile ended; `panic` is a programming error, `shutdown` the stop of the manager. */
export type ReconcileOutcome =
  | "success"
  | "requeue"
  | "requeue-after"
  | "error"
  | "terminal-error"
  | "panic"
  | "shutdown";

/** A reconcile ended. */
export interface ReconcileEnded extends Omit<ReconcileStarted, "kind"> {
  /** The kind of the observation. */
  readonly kind: "reconcile-ended";
  /** The duration in milliseconds. */
  readonly durationMs: number;
  /** How it ended. */
  readonly outcome: ReconcileOutcome;
  /** The delay that it returned, in milliseconds; only for `requeue-after`. */
  readonly requeueAfterMs?: number;
  /** The message of the error. */
  readonly error?: string;
  /** The code of the error, if it has one; `Conflict` for a write with an outdated version, which is repeated. */
  readonly errorCode?: string;
}

/**
 * A request of a client ended, also one of a cache.
 *
 * Retries of one request are one observation. A watch, another stream, and a WebSocket end with the first response.
 */
export interface RequestEnded {
  /** The kind of the observation. */
  readonly kind: "request";
  /** The time at which the request was sent. */
  readonly at: number;
  /** The duration in milliseconds, with retries. */
  readonly durationMs: number;
  /** The ID of the reconcile that sent it; missing elsewhere. */
  readonly reconcileId?: string;
  /** The verb as RBAC names it, such as `update`. */
  readonly verb: string;
  /** The verbs that a role must permit for the request: `list` and `watch` for a watch that streams the initial objects, `create` and `patch` for an apply that created the object. */
  readonly usedVerbs: readonly string[];
  /** The verb that the server denied; missing if it denied none. */
  readonly deniedVerb?: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The API version. */
  readonly version: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** The subresource; empty for the object itself. */
  readonly subresource: string;
  /** The namespace; empty for objects of the cluster. */
  readonly namespace: string;
  /** The name, also one that the server generated; empty for collections. */
  readonly name: string;
  /** Whether nothing was stored. */
  readonly isDryRun: boolean;
  /** The HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** The version of the object in the response. */
  readonly resourceVersion?: string;
  /** True for a write of an object after which the server stores what it stored before, as the metric `kubescaffold_client_writes_total` counts it; missing elsewhere. */
  readonly isUnchanged?: true;
}

/** The state of a controller, about once per second while it changes. */
export interface ControllerSampled {
  /** The kind of the observation. */
  readonly kind: "controller";
  /** The time of the sample. */
  readonly at: number;
  /** The name of the controller. */
  readonly controller: string;
  /** The number of requests in the workqueue. */
  readonly queueDepth: number;
  /** The number of workers that reconcile. */
  readonly activeWorkers: number;
  /** The number of workers. */
  readonly maxWorkers: number;
  /** The number of reconciles that ended since the process started. */
  readonly reconciles: number;
  /** The number of reconciles that failed since the process started. */
  readonly errors: number;
}

/** The state of the cache of a kind, about once per second while it changes. */
export interface CacheSampled {
  /** The kind of the observation. */
  readonly kind: "cache";
  /** The time of the sample. */
  readonly at: number;
  /** The group and version of the objects. */
  readonly apiVersion: string;
  /** The kind of the objects. */
  readonly objectKind: string;
  /** Whether only metadata is cached, which is a separate cache. */
  readonly isMetadataOnly: boolean;
  /** The number of objects. */
  readonly objects: number;
  /** Whether the first list has arrived. */
  readonly isSynced: boolean;
}

/** A webhook was called, and has responded. */
export interface WebhookCalled {
  /** The kind of the observation. */
  readonly kind: "webhook";
  /** The time of the call. */
  readonly at: number;
  /** The duration in milliseconds. */
  readonly durationMs: number;
  /** The path of the URL. */
  readonly path: string;
  /** What the API server calls it for; `admit` for handlers that may do both. */
  readonly purpose: "mutate" | "validate" | "admit" | "convert";
  /** The request of the review. */
  readonly request: unknown;
  /** The response of the review; the patch as operations. */
  readonly response: unknown;
}
