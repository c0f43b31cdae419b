import type { RestConfig, Transport } from "@kubescaffold/k8s";
import type { Descriptions } from "@kubescaffold/k8s/tables";
import type { Clock } from "@kubescaffold/platform/clock";

import type { AuditOptions } from "../audit/request-log.ts";
import type { ControlPlaneComponent } from "../handlers/component-statuses.ts";
import type { Listener, ListenOptions } from "../http/http-listener.ts";
import type {
  AdmissionPlugin,
  Aggregator,
  Authenticator,
  Authorizer,
  PodStreams,
  RequestClassifier,
  VirtualResource,
  ServedDocument,
} from "../pipeline/extension-points.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { CallWebhook } from "../resources/custom/convert-objects.ts";
import type { PortRange } from "../resources/strategy.ts";
import type { JsonObject } from "../storage/api-object.ts";
import type { ObjectHistoryLimits, ObjectVersions } from "./object-history.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { ServerSnapshot } from "./server-snapshot.ts";
import type { ServerView } from "./server-view.ts";
import type { QuietOptions, Rest } from "./writes/quiet.ts";
import type { FaultMatch } from "./writes/request-match.ts";
import type { WriteMatch } from "./writes/stored-write.ts";
import type { WriteHook } from "./writes/write-hooks.ts";

export type { Listener, ListenOptions, ListenTls } from "../http/http-listener.ts";
export type { ServerSnapshot } from "./server-snapshot.ts";
export type { FaultMatch } from "./writes/request-match.ts";

/** Creates a component of the server from its context. */
export type Factory<T> = (context: ServerContext) => T;

/** Options of an embedded API server. By default, all requests are allowed and no controllers run. */
export interface ApiServerOptions {
  /**
   * The minor version of Kubernetes that the server is: 1.34 to 1.37. A version such as `1.36.2` selects its minor version, and `latest` the newest.
   * Default: that of the variable `KUBESCAFFOLD_KUBERNETES_VERSION`, otherwise 1.37.
   */
  readonly kubernetesVersion?: string;
  /** The time of the server. Default: the system clock. */
  readonly clock?: Clock;
  /** Called in order; the first that finds a user decides. Default: every request is made by an administrator. */
  readonly authenticators?: readonly Factory<Authenticator>[];
  /** Whether requests without credentials are `system:anonymous` (default) or refused with 401; only with authenticators. */
  readonly allowAnonymous?: boolean;
  /** Decides on requests. Default: all are permitted. */
  readonly authorizer?: Factory<Authorizer>;
  /** Called in order, after the built-in plugins (namespace lifecycle). */
  readonly admission?: readonly Factory<AdmissionPlugin>[];
  /** Calls conversion webhooks; without it objects of definitions that have one are not converted, and requests for them fail. */
  readonly callWebhook?: CallWebhook;
  /** Resources that are not stored, such as reviews. */
  readonly virtualResources?: readonly Factory<readonly VirtualResource[]>[];
  /** Serves logs, exec, attach, and port-forward. Default: they fail with 501. */
  readonly podStreams?: Factory<PodStreams>;
  /** The components of the control plane that run, which ComponentStatuses show. Default: none. */
  readonly components?: readonly ControlPlaneComponent[];
  /** Serves the group versions of other API servers. Default: those of this server only. */
  readonly aggregator?: Factory<Aggregator>;
  /** Classifies requests by priority. Default: none. */
  readonly classifier?: Factory<RequestClassifier>;
  /** Returns the document at a path that is not about objects; undefined, and 404, if there is none. */
  readonly documents?: (path: string) => ServedDocument | undefined;
  /** Returns the address that discovery states; it is `127.0.0.1` if there is none. */
  readonly serverUrl?: () => string | undefined;
  /** Reads the descriptions of built-in types in OpenAPI documents, with the first request for one. Default: they have none. */
  readonly descriptions?: () => Promise<Descriptions | undefined>;
  /** Group versions that are served although they are not by default, such as `admissionregistration.k8s.io/v1beta1`. Default: none. */
  readonly gatedVersions?: readonly string[];
  /** Controllers that run in the process. */
  readonly controllers?: readonly Factory<InProcessController>[];
  /**
   * The folder that the state is loaded from and stored in, so that it outlives the process; it is created, and one server uses it at a time.
   * Initial objects are stored only if they do not exist. Default: the state is in memory only.
   */
  readonly persist?: string;
  /** A folder that a server with `persist` has left, to start with its objects; it is read, and never changed. Default: none. */
  readonly restoreFrom?: string;
  /**
   * Determines uids and generated names, so that the same requests lead to the same state in each run on the same clock. It is not for secrets: tokens and
   * certificates stay random. Default: all are random.
   */
  readonly seed?: string | number;
  /** The initial namespaces. Default: those of a cluster. */
  readonly namespaces?: readonly string[];
  /** The initial objects, without the fields that the server sets; they are not validated. They belong to the server, which freezes them. */
  readonly initialObjects?: () => readonly JsonObject[];
  /**
   * The initial state of a test: objects with all fields that only a server sets, such as their status. They are defaulted and completed like created objects,
   * but neither admitted nor validated. Definitions precede their objects. Default: none.
   */
  readonly seedObjects?: readonly JsonObject[];
  /** Changes of each resource that are kept for watches from an earlier resourceVersion. Default: 10000. */
  readonly historyLimit?: number;
  /** Bytes of former objects of each resource that are kept for such watches. Default: 64 MiB. */
  readonly historyLimitBytes?: number;
  /** The range that Services get addresses from, or one of each family, with the default family first. Default: `10.0.0.0/24`. */
  readonly serviceRanges?: readonly string[];
  /** The ports of the nodes that Services can have. Default: 30000 to 32767. */
  readonly nodePortRange?: PortRange;
  /** The limits of concurrent requests and of their duration. */
  readonly requestLimits?: RequestLimits;
  /** Features that are not served by default. */
  readonly featureGates?: FeatureGates;
  /**
   * Receives the error of a request that was answered with 500, or of a CustomResourceDefinition that could not be processed, because the server has a
   * defect. Default: prints it on standard error.
   */
  readonly reportPanic?: (error: unknown) => void;
  /** Logs requests, as the audit log of kube-apiserver. Default: none. */
  readonly audit?: AuditOptions;
  /** Records who changed what, for {@link ApiServer.history}; the versions of objects stay in memory, within limits. Default: false. */
  readonly recordHistory?: boolean | ObjectHistoryLimits;
  /** The interval of bookmarks in watches that request them. Default: 1 minute. */
  readonly bookmarkIntervalMs?: number;
}

/** Feature gates of kube-apiserver that can be changed. */
export interface FeatureGates {
  /** Reads and answers CBOR (`application/cbor`, `application/cbor-seq`, and `application/apply-patch+cbor`). Default: false. */
  readonly CBORServingAndStorage?: boolean;
  /** Runs the admission plugin of MutatingAdmissionPolicies, in an embedded cluster. Default: since Kubernetes 1.36. */
  readonly MutatingAdmissionPolicy?: boolean;
}

/** An object, of which only the uid is read. */
export interface RecordedObject {
  /** Its metadata. */
  readonly metadata?: { readonly uid?: string };
}

/**
 * A Kubernetes API server inside this process.
 *
 * @example
 * const server = createApiServer();
 * const { url } = await server.listen();
 * await server.close();
 */
export interface ApiServer {
  /** Handles a request without a socket, like {@link ApiServer.listen}. */
  readonly handle: Transport;
  /** What plugins and controllers work with. */
  readonly context: ServerContext;
  /** Injects faults into requests. */
  readonly faults: Faults;
  /** Counts requests by user. */
  readonly audit: AuditRecord;
  /** Returns a config with the in-process transport. */
  restConfig(): RestConfig;
  /** Serves requests on a socket. */
  listen(options?: ListenOptions): Promise<Listener>;
  /** Starts the controllers; {@link ApiServer.listen} does so too. */
  start(): void;
  /** Resolves when all controllers are idle, except for pending timers. */
  idle(): Promise<void>;
  /** Returns the present state, for {@link ApiServer.restore}. */
  snapshot(): ServerSnapshot;
  /**
   * Returns the versions of an object, and who wrote each; the object is found by its `metadata.uid`, also after its deletion.
   *
   * Fails: `HistoryNotRecordedError` without the option `recordHistory`.
   */
  history(object: RecordedObject): ObjectVersions;
  /**
   * Calls a hook at the n-th write that matches from now on (1 is the first), when it is stored and its answer is not sent yet: the moment to end the client's
   * process, to delay the answer, or to lose it. Writes of controllers of the cluster count, too, unless `match.user` selects a user.
   *
   * Returns a function that removes the hook.
   */
  onWrite(match: WriteMatch, occurrence: number, hook: WriteHook): () => void;
  /**
   * Returns a second server of the same cluster whose caches have the state of a snapshot, until they catch up.
   *
   * Fails: `ForeignSnapshotError` for a snapshot of another server.
   */
  viewAt(snapshot: ServerSnapshot): ServerView;
  /**
   * Resolves when the cluster is at rest: nothing was written for a while, no request of a client is without an answer, the watches that the server has ended
   * are open again, and its controllers are idle. Leases and Events do not count; a write that changes nothing does. On an injected clock, the time
   * passes only when the clock advances.
   *
   * Fails: `WriteCycleError` when the writes of an object repeat; `NotQuietError` after `timeoutMs`.
   */
  quiet(options: QuietOptions): Promise<Rest>;
  /** Restores a snapshot; running watches end with 410, and resourceVersions keep increasing. */
  restore(snapshot: ServerSnapshot): Promise<void>;
  /** Restores the initial state; with `persist`, the state that was loaded. */
  reset(): Promise<void>;
  /** Stops controllers, watches, and listeners. */
  close(): Promise<void>;
}

/** The number of requests of a user with a verb for a resource. */
export interface AuditEntry {
  /** The user name. */
  readonly user: string;
  /** The verb. */
  readonly verb: string;
  /** The API group. */
  readonly group: string;
  /** With the subresource: `deployments/status`; empty for other paths. */
  readonly resource: string;
  /** The namespace; empty for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** The path, for non-resource requests. */
  readonly path: string;
  /** The number of requests that authorization allowed. */
  readonly allowed: number;
  /** The number of requests that authorization denied. */
  readonly denied: number;
}

/** Records the verbs that each user used. */
export interface AuditRecord {
  /** Returns one entry per user, verb, resource, and namespace, sorted; only those of `user` if given. */
  entries(user?: string): readonly AuditEntry[];
  /** Forgets all requests so far. */
  clear(): void;
}

/** A fault that is injected into requests. */
export type Fault =
  /** Answers later. */
  | { readonly kind: "latency"; readonly match?: FaultMatch; readonly delayMs: number; readonly times?: number }
  /** Answers with a failure status. */
  | {
      readonly kind: "error";
      readonly match?: FaultMatch;
      readonly code: 409 | 429 | 500 | 503 | 504;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
      readonly times?: number;
    }
  /** Closes the connection without an answer. */
  | { readonly kind: "disconnect"; readonly match?: FaultMatch; readonly times?: number };

/** Injects faults, to test how code handles server and network failures. */
export interface Faults {
  /** Adds a fault, for all or for `times` requests, and returns a function that removes it. */
  add(fault: Fault): () => void;
  /** Removes all faults. */
  clear(): void;
  /** Ends running watches without an error, like a lost connection. */
  dropWatches(match?: FaultMatch): void;
  /** Expires the history, so that watches and pages that continue from an earlier resourceVersion fail with 410. */
  expireHistory(): void;
}
