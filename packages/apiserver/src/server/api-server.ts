import type { RestConfig, Transport } from "@kubescaffold/k8s";

import type { Clock } from "../clock/clock.ts";
import type { Listener, ListenOptions } from "../http/http-listener.ts";
import type { AdmissionPlugin, Authenticator, Authorizer, VirtualResource } from "../pipeline/extension-points.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { CallWebhook } from "../resources/custom/convert-objects.ts";
import type { JsonObject } from "../storage/api-object.ts";
import type { RequestLimits } from "./request-limits.ts";

export type { Listener, ListenOptions, ListenTls } from "../http/http-listener.ts";

/** Creates a part of the server once its context exists. */
export type Factory<T> = (context: ServerContext) => T;

/** How an embedded API server behaves; without any options everyone may do everything and no controllers run. */
export interface ApiServerOptions {
  readonly clock?: Clock;
  /** Asked in order; the first that finds a user decides. Without any, every request is an administrator's. */
  readonly authenticators?: readonly Factory<Authenticator>[];
  /** Whether requests without credentials are `system:anonymous` (default) or refused with 401; only with authenticators. */
  readonly allowAnonymous?: boolean;
  readonly authorizer?: Factory<Authorizer>;
  /** Run after the built-in plugins (namespace life cycle), in this order. */
  readonly admission?: readonly Factory<AdmissionPlugin>[];
  /** Calls conversion webhooks; without it objects of definitions that have one are not converted, and requests for them fail. */
  readonly callWebhook?: CallWebhook;
  readonly virtualResources?: readonly Factory<readonly VirtualResource[]>[];
  readonly controllers?: readonly Factory<InProcessController>[];
  /** Namespaces that exist from the beginning; by default those that a cluster has. */
  readonly namespaces?: readonly string[];
  /** Objects that are stored from the beginning, complete but for what the server sets; they are not checked. */
  readonly initialObjects?: () => readonly JsonObject[];
  /** Changes of each resource that are kept for watches from an earlier resourceVersion. Default: 10000. */
  readonly historyLimit?: number;
  /** Bytes of former objects of each resource that are kept for such watches. Default: 64 MiB. */
  readonly historyLimitBytes?: number;
  /** How many requests are handled at once, and for how long. */
  readonly requestLimits?: RequestLimits;
  /** Receives the error of a request that was answered with 500 because the server has a defect. Default: prints it on standard error. */
  readonly reportPanic?: (error: unknown) => void;
  /** Time between two bookmarks of a watch that asked for them; a minute by default. */
  readonly bookmarkIntervalMs?: number;
}

/** All that a server holds at one moment; opaque, and valid for the server that made it. */
export interface ServerSnapshot {
  readonly kind: "api-server-snapshot";
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
  /** Answers a web request without a socket: the same handler as that of {@link ApiServer.listen}. */
  readonly handle: Transport;
  readonly context: ServerContext;
  readonly faults: Faults;
  readonly audit: AuditRecord;
  /** Returns how to reach the server in this process, with the in-process transport. */
  restConfig(): RestConfig;
  listen(options?: ListenOptions): Promise<Listener>;
  /** Starts the controllers; {@link ApiServer.listen} does so too. */
  start(): void;
  /** Settles once no controller has anything to do that does not wait for time to pass. */
  idle(): Promise<void>;
  snapshot(): ServerSnapshot;
  /** Returns to a snapshot; running watches end with 410, resourceVersions go on growing. */
  restore(snapshot: ServerSnapshot): Promise<void>;
  /** Returns to what the server held when it was made. */
  reset(): Promise<void>;
  /** Ends controllers, watches and listeners. */
  close(): Promise<void>;
}

/** How often one user has used one verb on one thing. */
export interface AuditEntry {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `deployments/status`; empty for other paths. */
  readonly resource: string;
  readonly namespace: string;
  /** The path, for requests that are not about a resource. */
  readonly path: string;
  readonly allowed: number;
  /** Requests that authorization refused. */
  readonly denied: number;
}

/** Records which verbs were used by whom. */
export interface AuditRecord {
  /** Returns one entry per user, verb, resource and namespace, sorted; of one user when named. */
  entries(user?: string): readonly AuditEntry[];
  clear(): void;
}

/** Which requests a fault hits: those that match every given field. */
export interface FaultMatch {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
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

/** Lets tests see what their code does when the server or the network fails. */
export interface Faults {
  /** Adds a fault, for ever or for `times` requests, and returns what removes it. */
  add(fault: Fault): () => void;
  /** Removes all faults. */
  clear(): void;
  /** Ends running watches without an error, as a dropped connection does. */
  dropWatches(match?: FaultMatch): void;
  /** Forgets the history of changes, so that watches and pages that go on from an earlier resourceVersion get 410. */
  expireHistory(): void;
}
