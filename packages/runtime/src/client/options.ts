import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

/** The server's treatment of unknown and duplicate fields. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The deletion policy for dependents of a deleted object. */
export type DeletionPropagation = "Orphan" | "Background" | "Foreground";

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call and closes its connection when it aborts. Default: the signal of the reconcile that calls. */
  readonly signal?: AbortSignal;
}

/** Options of calls of clients with `readYourWrites`. */
export interface ReadYourWritesCallOptions {
  /** Reads do not wait for writes, and no read waits for this write. Default: false. */
  readonly disableReadYourWrites?: boolean;
}

/**
 * Options of `get`.
 *
 * controller-runtime: pkg/client.GetOptions
 */
export interface GetOptions extends CallOptions, ReadYourWritesCallOptions {
  /** The minimum version of the result; `"0"` accepts any version of the server's cache. Default: the latest version. */
  readonly resourceVersion?: string;
  /** Requests only the metadata. Default: false. */
  readonly metadataOnly?: boolean;
}

/** Selects objects of a kind; all conditions must match. */
export interface Selection {
  /** The namespace. Default: empty, all namespaces. */
  readonly namespace?: string;
  /** Labels with exact values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels that must exist, with any value. */
  readonly hasLabels?: readonly string[];
  /** A label selector as text: `tier in (web, api), !legacy`. */
  readonly labelSelector?: string;
  /** Fields with exact values; a cache needs an index for each. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A field selector as text: `status.phase!=Running`. */
  readonly fieldSelector?: string;
}

/** The interpretation of the resourceVersion of a list or watch. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/**
 * Options of `list`.
 *
 * controller-runtime: pkg/client.ListOptions
 */
export interface ListOptions extends Selection, CallOptions, ReadYourWritesCallOptions {
  /** The maximum number of items; `metadata.continue` of the result requests the next page. Default: no limit. */
  readonly limit?: number;
  /** The `metadata.continue` of the previous page. */
  readonly continue?: string;
  /** The version of the list. Default: the latest version. */
  readonly resourceVersion?: string;
  /** The interpretation of `resourceVersion`. Default: the server's. */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Requests only the metadata. Default: false. */
  readonly metadataOnly?: boolean;
}

/** Options of `watch`. */
export interface WatchOptions extends Selection, CallOptions {
  /** The version after which the watch starts. Default: it starts with all existing objects. */
  readonly resourceVersion?: string;
  /** The interpretation of `resourceVersion`. Default: the server's. */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Requests bookmarks. Default: true. */
  readonly allowWatchBookmarks?: boolean;
  /** Requests all existing objects as initial events, followed by a bookmark. Default: false. */
  readonly sendInitialEvents?: boolean;
  /** The time in seconds after which the server ends the watch. Default: random between 300 and 600. */
  readonly timeoutSeconds?: number;
  /** Requests only the metadata. Default: false. */
  readonly metadataOnly?: boolean;
}

/** Options of every write. */
export interface WriteOptions extends CallOptions, ReadYourWritesCallOptions {
  /** Validates the request without storing the result. Default: false. */
  readonly dryRun?: boolean;
  /** The field manager of the written fields. Default: derived from the user agent. */
  readonly fieldOwner?: string;
  /** The treatment of unknown fields. Default: the server's, `Warn`. */
  readonly fieldValidation?: FieldValidation;
}

/**
 * Options of `create`.
 *
 * controller-runtime: pkg/client.CreateOptions
 */
export interface CreateOptions extends WriteOptions {}

/**
 * Options of `update`.
 *
 * controller-runtime: pkg/client.UpdateOptions
 */
export interface UpdateOptions extends WriteOptions {}

/**
 * Options of `patch`.
 *
 * controller-runtime: pkg/client.PatchOptions
 */
export interface PatchOptions extends WriteOptions {
  /** Takes fields over from other field managers; only for apply patches. Default: false. */
  readonly forceOwnership?: boolean;
  /** The object that the patch is computed from, for subresources of another kind. Default: the object of the call. */
  readonly body?: ReadonlyObject;
}

/**
 * Options of `apply`.
 *
 * controller-runtime: pkg/client.ApplyOptions
 */
export interface ApplyOptions extends CallOptions, ReadYourWritesCallOptions {
  /** Validates the request without storing the result. Default: false. */
  readonly dryRun?: boolean;
  /** The field manager of the applied fields; required here or as an option of the client. */
  readonly fieldOwner?: string;
  /** The treatment of unknown fields. Default: the server's, `Warn`. */
  readonly fieldValidation?: FieldValidation;
  /** Takes fields over from other field managers. Default: false. */
  readonly forceOwnership?: boolean;
}

/**
 * Options of `delete`.
 *
 * controller-runtime: pkg/client.DeleteOptions
 */
export interface DeleteOptions extends CallOptions, ReadYourWritesCallOptions {
  /** Validates the request without deleting the object. Default: false. */
  readonly dryRun?: boolean;
  /** Seconds until the object is removed. Default: that of the kind. */
  readonly gracePeriodSeconds?: number;
  /** The deletion policy for dependents. Default: that of the kind, mostly `Background`. */
  readonly propagationPolicy?: DeletionPropagation;
  /** Deletes only an object with this UID and resourceVersion. Default: no precondition. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * Options of `deleteAllOf`.
 *
 * controller-runtime: pkg/client.DeleteAllOfOptions
 */
export interface DeleteAllOfOptions extends Selection, DeleteOptions {}

/**
 * Options of a subresource's `create`.
 *
 * controller-runtime: pkg/client.SubResourceCreateOptions
 */
export interface SubResourceCreateOptions extends WriteOptions {}

/**
 * Options of a subresource's `update`.
 *
 * controller-runtime: pkg/client.SubResourceUpdateOptions
 */
export interface SubResourceUpdateOptions extends WriteOptions {
  /** The body to send, for subresources of another kind such as `Scale`. Default: the object of the call. */
  readonly body?: ReadonlyObject;
}
