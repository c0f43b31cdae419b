import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { ServedKind } from "../objects/kinds.ts";
import type { ObjectVersions } from "../objects/object-versions.ts";
import type { CountedRequest } from "../objects/permissions.ts";

/** A cluster in this process, as the dashboard uses it; the embedded cluster is one. */
export interface DevelopmentCluster {
  /** The API server of the cluster. */
  readonly server: DevelopmentServer;
  /** Adds a user, and returns a connection for it. */
  addUser(user: { readonly name: string; readonly groups: readonly string[] }): RestConfig;
  /** Returns the versions of an object, also of a deleted one. Fails: with any error if no history is recorded. */
  history(object: { readonly metadata?: { readonly uid?: string } }): ObjectVersions;
}

/** An API server in this process. */
export interface DevelopmentServer {
  /** The requests so far. */
  readonly audit: {
    /** Returns the counts of the requests of a user. */
    entries(user: string): readonly CountedRequest[];
  };
  /** Injects faults. */
  readonly faults: DevelopmentFaults;
  /** The stored objects and the served resources. */
  readonly context: DevelopmentObjects;
}

/** Injects faults into requests. */
export interface DevelopmentFaults {
  /** Injects a fault into the requests that match; returns what ends it. */
  add(fault: DevelopmentFault): () => void;
  /** Ends the watches of a user. */
  dropWatches(match: { readonly user: string }): void;
  /** Forgets old versions, so that lists and watches of them fail with 410 Gone. */
  expireHistory(): void;
}

/** A fault of requests. */
type DevelopmentFault =
  | { readonly kind: "latency"; readonly delayMs: number; readonly match: FaultMatch }
  | { readonly kind: "error"; readonly code: 409 | 500; readonly match: FaultMatch };

interface FaultMatch {
  readonly user: string;
  readonly verb?: string;
}

/** The stored objects and the served resources of an API server. */
export interface DevelopmentObjects {
  /** The stored objects. */
  readonly objects: {
    /** Lists the objects of a stored resource. */
    list(resource: StoredResource): readonly StoredObject[];
    /** Returns an object, or undefined if there is none. */
    get(resource: StoredResource, key: { readonly namespace: string; readonly name: string }): StoredObject | undefined;
    /** Calls back with each change of all resources; returns what ends that. */
    observe(resource: undefined, listener: (event: ObjectEvent) => void): () => void;
  };
  /** The served resources. */
  readonly resources: {
    /** Lists all resources, in the order of preference. */
    all(): readonly DevelopmentResource[];
    /** Returns the resource of a kind, or undefined if none is served. */
    findByKind(kind: GroupVersionKind): DevelopmentResource | undefined;
  };
}

/** An object with all its fields. */
export type StoredObject = KubernetesObject & Readonly<Record<string, unknown>>;

/** The group and the plural name under which objects are stored. */
interface StoredResource {
  /** The API group. */
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
}

/** A served resource; several of them may be one stored one. */
export interface DevelopmentResource extends ServedKind {
  /** The stored resource. */
  readonly storedAs: StoredResource;
}

/** A change of a stored object. */
interface ObjectEvent {
  /** The kind of change. */
  readonly kind: "added" | "modified" | "deleted";
  /** The object after the change; before it if it was deleted. */
  readonly object: StoredObject;
}
