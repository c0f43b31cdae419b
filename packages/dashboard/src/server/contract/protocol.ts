import type { DiffLine } from "@kubescaffold/platform";

/**
 * The messages between the page of the dashboard and the process that serves it: JSON over one stream of server-sent events (`GET /events`), and requests below `/api`.
 *
 * Times are milliseconds since the epoch, durations are milliseconds. The stream begins with {@link Hello}; after a lost connection the page connects again and forgets everything it had.
 */

/** A message of the stream. Each server-sent event carries an array of them, so that bursts are few events. */
export type DashboardMessage =
  | Hello
  | ObjectChange
  | ReconcileRecord
  | ControllerSample
  | CacheSample
  | WebhookCall
  | PermissionUse
  | PermissionRemoved
  | ClusterEvent
  | LogLine
  | ManagerState
  | FaultState
  | ProjectState
  | ReplicaList
  | WebhookTotals
  | SourceProblems;

/** The first message of a stream. */
export interface Hello {
  /** The kind of the message. */
  readonly type: "hello";
  /** The name of the project. */
  readonly project: string;
  /** `dev`: the cluster is in the process. `connected`: the manager runs on this machine, against a cluster. `cluster`: a running manager, whose sources are the API, events, and metrics. */
  readonly mode: "dev" | "connected" | "cluster";
  /** What the process can do. Without `write`, the page has no buttons that change something. */
  readonly capabilities: readonly Capability[];
  /** The URL of the API server. */
  readonly server: string;
  /** The version of the API server, such as `v1.35.4`. */
  readonly serverVersion: string;
  /** The user name of the manager; empty if it is unknown. */
  readonly managerUser: string;
}

/** What the process can do; the page hides the rest. */
export type Capability =
  | "write"
  | "history"
  | "reconciles"
  | "webhooks"
  | "permissions"
  | "faults"
  | "restart"
  | "logs"
  | "metrics";

/** An object was created, changed, or deleted, or existed when the stream began. */
export interface ObjectChange {
  /** The kind of the message. */
  readonly type: "object";
  /** What happened to the object. */
  readonly change: "existing" | "created" | "changed" | "deleted";
  /** The object; as it was last, if it was deleted. */
  readonly object: ObjectSummary;
}

/** The parts of an object that trees, graphs, and lists show. */
export interface ObjectSummary {
  /** The UID. */
  readonly uid: string;
  /** The group and version. */
  readonly apiVersion: string;
  /** The kind. */
  readonly kind: string;
  /** The plural name, for requests. */
  readonly resource: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
  /** The version of the object. */
  readonly resourceVersion: string;
  /** `metadata.generation`. */
  readonly generation?: number;
  /** The time of the creation. */
  readonly createdAt: number;
  /** The time from which the object is being deleted. */
  readonly deletedAt?: number;
  /** `metadata.finalizers`. */
  readonly finalizers?: readonly string[];
  /** The owner references. */
  readonly owners?: readonly ObjectOwner[];
  /** `status.phase`, or what kubectl prints for the kind, such as `Running` and `2/3`. */
  readonly phase?: string;
  /** `status.conditions`. */
  readonly conditions?: readonly ObjectCondition[];
}

/** An owner reference. */
export interface ObjectOwner {
  /** The UID. */
  readonly uid: string;
  /** The kind. */
  readonly kind: string;
  /** The name. */
  readonly name: string;
  /** Whether the owner controls the object. */
  readonly isController: boolean;
}

/** A condition of a status. */
export interface ObjectCondition {
  /** The type, such as `Available`. */
  readonly type: string;
  /** `True`, `False`, or `Unknown`. */
  readonly status: string;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The message. */
  readonly message?: string;
}

/** A reconcile that started (`outcome` is `running`) or ended; a later record with the same ID replaces an earlier one. */
export interface ReconcileRecord {
  /** The kind of the message. */
  readonly type: "reconcile";
  /** The ID of the reconcile, which log lines have, too. */
  readonly id: string;
  /** The name of the controller. */
  readonly controller: string;
  /** The namespace of the request; empty for objects of the cluster. */
  readonly namespace: string;
  /** The name of the request. */
  readonly name: string;
  /** The time of the start. */
  readonly startedAt: number;
  /** The duration, once it ended. */
  readonly durationMs?: number;
  /** How it ended. */
  readonly outcome: "running" | "success" | "requeue" | "requeue-after" | "error" | "terminal-error" | "panic";
  /** The delay that it returned. */
  readonly requeueAfterMs?: number;
  /** The message of the error. */
  readonly error?: string;
  /** The code of the error, if it has one; `Conflict` for a write with an outdated version, which is repeated. */
  readonly errorCode?: string;
  /** Why it was queued; missing if that is not known. */
  readonly trigger?: ReconcileTrigger;
  /** The writes that it sent, in order. */
  readonly writes: readonly ReconcileWrite[];
}

/** Why a reconcile was queued. */
export interface ReconcileTrigger {
  /** The event, or what the last reconcile of the object asked for; `retry` after an error. */
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
  /** The object of the event. */
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  /** The number of later events that are part of the same reconcile. */
  readonly merged?: number;
}

/** A write of a reconcile. */
export interface ReconcileWrite {
  /** The time of the request. */
  readonly at: number;
  /** The verb as RBAC names it, such as `update`. */
  readonly verb: string;
  /** `deployments.apps`, with the subresource: `deployments.apps/status`. */
  readonly resource: string;
  /** The namespace; empty for objects of the cluster. */
  readonly namespace: string;
  /** The name; empty if the server generated it and refused the object. */
  readonly name: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The duration. */
  readonly durationMs: number;
  /** The version that it wrote, for a link into the history. */
  readonly resourceVersion?: string;
  /** Set if it changed nothing: the response has the version of an earlier write of this manager. */
  readonly isUnchanged?: true;
}

/** The state of a controller, about once per second while something changes. */
export interface ControllerSample {
  /** The kind of the message. */
  readonly type: "controller";
  /** The time of the sample. */
  readonly at: number;
  /** The name of the controller. */
  readonly controller: string;
  /** The number of requests in the workqueue. */
  readonly queueDepth: number;
  /** The number of workers that reconcile. */
  readonly activeWorkers: number;
  /** `maxConcurrentReconciles`. */
  readonly maxWorkers: number;
  /** Totals since the manager started. */
  readonly reconciles: number;
  /** The number of reconciles that failed since the manager started; those with an update conflict do not count. */
  readonly errors: number;
  /** Reconciles per second since the last sample. */
  readonly rate: number;
  /** Percentiles of the durations since the last sample, or of the last ones before it. */
  readonly p50Ms?: number;
  /** The 90th percentile. */
  readonly p90Ms?: number;
  /** The 99th percentile. */
  readonly p99Ms?: number;
  /** Totals by outcome since the manager started; only of metrics, which do not contain the single reconciles. */
  readonly outcomes?: ReconcileOutcomes;
  /** The time to the next sample, until which the rate holds. Default: 1000. */
  readonly intervalMs?: number;
}

/** The number of reconciles by their outcome. */
export interface ReconcileOutcomes {
  /** Ended without a request to repeat it. */
  readonly success: number;
  /** Repeated with the delay of the rate limiter. */
  readonly requeue: number;
  /** Repeated after the delay that the reconciler returned. */
  readonly requeueAfter: number;
  /** Failed. */
  readonly error: number;
}

/** The number of objects of a kind in the manager's cache. */
export interface CacheSample {
  /** The kind of the message. */
  readonly type: "cache";
  /** The time of the sample. */
  readonly at: number;
  /** The group and version. */
  readonly apiVersion: string;
  /** The kind. */
  readonly kind: string;
  /** The number of objects. */
  readonly objects: number;
  /** Whether the first list has arrived. */
  readonly isSynced: boolean;
}

/** A call of a webhook of the manager. */
export interface WebhookCall {
  /** The kind of the message. */
  readonly type: "webhook";
  /** The UID of the review. */
  readonly id: string;
  /** The time of the call. */
  readonly at: number;
  /** The duration. */
  readonly durationMs: number;
  /** The path of the URL. */
  readonly path: string;
  /** `mutate`, `validate`, or `convert`. */
  readonly purpose: "mutate" | "validate" | "convert";
  /** `CREATE` and the like; empty for conversions. */
  readonly operation: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The namespace of the object; empty for objects of the cluster. */
  readonly namespace: string;
  /** The name of the object; empty if the server generates it. */
  readonly name: string;
  /** The user of the request that is reviewed. */
  readonly user: string;
  /** Whether nothing is stored. */
  readonly isDryRun: boolean;
  /** Whether it was allowed, or the conversion succeeded. */
  readonly isAllowed: boolean;
  /** The reason of a refusal. */
  readonly message?: string;
  /** The warnings for the user. */
  readonly warnings?: readonly string[];
  /** The operations of a JSON patch. */
  readonly patch?: readonly unknown[];
  /** The review's request and response; left out if they are larger than 64 KiB. */
  readonly request?: unknown;
  /** The response of the review. */
  readonly response?: unknown;
}

/** The use of a permission by the manager, or a permission that it has and did not use. A later message with the same verb, resource, and namespace replaces an earlier one. */
export interface PermissionUse {
  /** The kind of the message. */
  readonly type: "permission";
  /** The verb, such as `list`. */
  readonly verb: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** With the subresource. */
  readonly resource: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  /**
   * Whether the manager used the permission, has it and did not use it, was denied it, or has it while its use is unknown. `missing`: it used the permission as
   * another user or through the roles of all users, or would on API servers without WatchList, but its own roles do not grant it.
   */
  readonly state: "used" | "unused" | "denied" | "granted" | "missing";
  /** The number of requests that were allowed. */
  readonly allowed: number;
  /** The number of requests that were denied. */
  readonly denied: number;
  /** The marker to add (`denied`, `missing`), or the one to remove or to shorten (`unused`), if the process knows it. */
  readonly marker?: string;
  /** The file or the role that grants it, such as `config/rbac/leader_election_role.yaml`, unless the markers of the project do. */
  readonly source?: string;
  /** When the manager uses an unused permission, if that is not the case here. */
  readonly note?: string;
}

/** A permission that the manager does not have any more, and did not use: the page forgets it. */
export interface PermissionRemoved extends Pick<PermissionUse, "verb" | "group" | "resource" | "namespace"> {
  /** The kind of the message. */
  readonly type: "permission-removed";
}

/** An Event of the API. */
export interface ClusterEvent {
  /** The kind of the message. */
  readonly type: "event";
  /** The UID of the Event. */
  readonly uid: string;
  /** The time of the last occurrence. */
  readonly at: number;
  /** The type of the Event. */
  readonly severity: "Normal" | "Warning";
  /** The reason, in one word. */
  readonly reason: string;
  /** The message. */
  readonly message: string;
  /** The number of occurrences. */
  readonly count: number;
  /** The component that reported it. */
  readonly source: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The namespace of the object; empty for objects of the cluster. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The UID of the object; empty if the Event has none. */
  readonly objectUid: string;
}

/** A line of the manager's log. */
export interface LogLine {
  /** The kind of the message. */
  readonly type: "log";
  /** The time of the line. */
  readonly at: number;
  /** The level; `output` for a line that is not structured. */
  readonly level: "error" | "info" | "debug" | "output";
  /** The name of the logger; empty for the root logger. */
  readonly logger: string;
  /** The message. */
  readonly message: string;
  /** The controller whose reconcile logged it. */
  readonly controller?: string;
  /** `namespace/name`, or the name. */
  readonly object?: string;
  /** The ID of the reconcile that logged it. */
  readonly reconcileId?: string;
  /** The Pod that logged it; missing for a manager that is a process. */
  readonly pod?: string;
  /** The message of the error. */
  readonly error?: string;
  /** How to fix the error. */
  readonly hint?: string;
  /** The stack of the error. */
  readonly stack?: string;
  /** The other fields. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The state of the manager's process. */
export interface ManagerState {
  /** The kind of the message. */
  readonly type: "manager";
  /** The time of the change. */
  readonly at: number;
  /** The state; `exited` if the process ended by itself. */
  readonly state: "starting" | "ready" | "paused" | "exited" | "stopped";
  /** The ID of the process. */
  readonly pid?: number;
  /** More on the state, such as the exit status. */
  readonly detail?: string;
}

/** A fault that the page offers. */
export interface FaultState {
  /** The kind of the message. */
  readonly type: "fault";
  /** The name for requests. */
  readonly name: FaultName;
  /** The title of the button. */
  readonly title: string;
  /** What happens, in a sentence. */
  readonly description: string;
  /** Faults without `isLasting` happen once. */
  readonly isLasting: boolean;
  /** Whether the fault is on. */
  readonly isOn: boolean;
}

/** The faults of a development cluster; all affect only the manager. */
export type FaultName =
  | "drop-watches"
  | "expire-history"
  | "latency"
  | "status-409"
  | "status-500"
  | "pause-manager"
  | "jump-clock";

/** What `scaffold dev` knows about the sources: findings of the generators and of the type checker. */
export interface ProjectState {
  /** The kind of the message. */
  readonly type: "project";
  /** All findings; none once they are fixed. */
  readonly diagnostics: readonly ProjectDiagnostic[];
}

/** A finding in the sources. */
export interface ProjectDiagnostic {
  /** The program that found it. */
  readonly source: "generators" | "types";
  /** The severity. */
  readonly severity: "error" | "warning";
  /** The code, such as `TS2345`. */
  readonly code: string;
  /** The message. */
  readonly message: string;
  /** The path in the project. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** How to fix it. */
  readonly hint?: string;
}

/** The Pods of a manager in a cluster; replaces the last list. */
export interface ReplicaList {
  /** The kind of the message. */
  readonly type: "replicas";
  /** The Pods, the leader first. */
  readonly replicas: readonly Replica[];
}

/** A Pod of a manager. */
export interface Replica {
  /** The name of the Pod. */
  readonly pod: string;
  /** What kubectl prints as the status, such as `Running` and `ImagePullBackOff`. */
  readonly status: string;
  /** Whether it is ready. */
  readonly isReady: boolean;
  /** Whether it holds the Lease; undefined without leader election. */
  readonly isLeader?: boolean;
  /** The number of restarts of the manager's container. */
  readonly restarts: number;
  /** The time of the creation. */
  readonly createdAt: number;
  /** The name of the Node; empty before the Pod is scheduled. */
  readonly node: string;
  /** The image of the manager's container. */
  readonly image: string;
  /** Whether its metrics are read. */
  readonly hasMetrics: boolean;
}

/** The calls of a webhook by its metrics; replaces the last one with the same path. */
export interface WebhookTotals {
  /** The kind of the message. */
  readonly type: "webhook-totals";
  /** The time of the sample. */
  readonly at: number;
  /** The path of the URL. */
  readonly path: string;
  /** The number of calls since the manager started. */
  readonly requests: number;
  /** The number of calls that were answered with a status other than 200. */
  readonly failures: number;
  /** The number of calls that are being answered. */
  readonly inFlight: number;
  /** Calls per second since the last sample. */
  readonly rate: number;
  /** Percentiles of the latencies of the last minute, or of the last ones before it. */
  readonly p50Ms?: number;
  /** The 90th percentile. */
  readonly p90Ms?: number;
  /** The 99th percentile. */
  readonly p99Ms?: number;
}

/** What cannot be shown, and why; replaces the last list. */
export interface SourceProblems {
  /** The kind of the message. */
  readonly type: "problems";
  /** The problems; none once they are solved. */
  readonly problems: readonly SourceProblem[];
}

/** Why a source of the page cannot be read. */
export interface SourceProblem {
  /** What is missing, such as `metrics`. */
  readonly source: string;
  /** Why. */
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
  /** Commands to copy. */
  readonly commands?: readonly string[];
}

/** The response of `GET /api/object?apiVersion=&resource=&namespace=&name=`; 404 if there is none. */
export interface ObjectDetail {
  /** The object. */
  readonly object: unknown;
  /** The object as YAML, without `metadata.managedFields`. */
  readonly yaml: string;
  /** The field owners. */
  readonly fieldOwners: readonly FieldOwner[];
}

/** An entry of `metadata.managedFields`. */
export interface FieldOwner {
  /** The field manager. */
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  /** The subresource; empty for the object itself. */
  readonly subresource: string;
  /** The time of the last change. */
  readonly at?: number;
  /** Paths such as `spec.replicas` and `spec.containers[name="web"].image`. */
  readonly paths: readonly string[];
}

/** The response of `GET /api/history?uid=`, oldest first. */
export interface ObjectHistory {
  /** The versions. */
  readonly versions: readonly ObjectVersion[];
  /** Whether older versions were forgotten. */
  readonly isTruncated: boolean;
}

/** A version of an object, and who wrote it. */
export interface ObjectVersion {
  /** The version. */
  readonly resourceVersion: string;
  /** The time of the write. */
  readonly at: number;
  /** The verb as RBAC names it. */
  readonly verb: string;
  /** The subresource; empty for the object itself. */
  readonly subresource: string;
  /** The user. */
  readonly user: string;
  /** The field manager, or the program from the user agent. */
  readonly manager: string;
  /** The controller whose reconcile wrote it. */
  readonly controller?: string;
  /** The ID of the reconcile that wrote it. */
  readonly reconcileId?: string;
  /** The object as YAML, without `metadata.managedFields`. */
  readonly yaml: string;
  /** Unified lines against the version before; empty for the first one. */
  readonly diff: readonly DiffLine[];
}

/** The response of `GET /api/kinds`: kinds that the page can create, those of the project first. */
export interface KindInfo {
  /** The group and version. */
  readonly apiVersion: string;
  /** The kind. */
  readonly kind: string;
  /** The plural name. */
  readonly resource: string;
  /** Whether objects are in namespaces. */
  readonly isNamespaced: boolean;
  /** Whether the project defines the kind. */
  readonly isOfProject: boolean;
  /** The OpenAPI v3 schema of the kind, for the form; only for kinds of the project. */
  readonly schema?: unknown;
  /** Samples of the project as YAML. */
  readonly samples: readonly { readonly file: string; readonly yaml: string }[];
}

/** The body of `POST /api/apply`: creates or updates an object as the user `dashboard` with server-side apply. */
export interface ApplyRequest {
  /** YAML or JSON of one object. */
  readonly text: string;
  /** Validates only. */
  readonly isDryRun: boolean;
}

/** The response of `POST /api/apply` and `POST /api/delete`; the status is 200 or that of the API server. */
export type WriteResult =
  | { readonly kind: "written"; readonly yaml: string; readonly warnings: readonly string[] }
  | { readonly kind: "refused"; readonly message: string; readonly causes: readonly FieldProblem[] };

/** A field that the API server refused. */
export interface FieldProblem {
  /** As the API server writes it: `spec.replicas`. */
  readonly field: string;
  /** What is wrong with it. */
  readonly message: string;
}

/** The body of `POST /api/delete`. */
export interface DeleteRequest {
  /** The group and version. */
  readonly apiVersion: string;
  /** The plural name. */
  readonly resource: string;
  /** The namespace; empty for objects of the cluster. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
}

/** The body of `POST /api/faults`. The response is 204; a {@link FaultState} follows on the stream. */
export interface FaultRequest {
  /** The fault. */
  readonly name: FaultName;
  /** Whether it is to be on; faults that happen once ignore `false`. */
  readonly isOn: boolean;
}

/** The body of `POST /api/manager`. The response is 204; a {@link ManagerState} follows on the stream. */
export interface ManagerRequest {
  /** What to do. */
  readonly action: "restart";
}
