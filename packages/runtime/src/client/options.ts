import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** How strictly the server treats fields that the schema does not have. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** What becomes of the dependents of a deleted object. */
export type DeletionPropagation = "Orphan" | "Background" | "Foreground";

/** What every call takes. */
export interface CallOptions {
  /** Gives the call up, and its connection with it, when it aborts. */
  readonly signal?: AbortSignal;
}

/** Options of `get`. */
export interface GetOptions extends CallOptions {
  /** A version the answer must be at least as new as; `"0"` takes whatever the server has at hand. */
  readonly resourceVersion?: string;
  /** Asks for the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** Which objects of a kind are meant; several conditions must all hold. */
export interface Selection {
  /** The namespace to look in; absent or empty means all of them. */
  readonly namespace?: string;
  /** Labels with exactly these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels that must be there, with any value. */
  readonly hasLabels?: readonly string[];
  /** A label selector as text: `tier in (web, api), !legacy`. */
  readonly labelSelector?: string;
  /** Fields with exactly these values; a cache needs an index for each. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A field selector as text: `status.phase!=Running`. */
  readonly fieldSelector?: string;
}

/** How a version given to a list or watch is meant. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/** Options of `list`. */
export interface ListOptions extends Selection, CallOptions {
  /** At most so many items; the answer's `metadata.continue` leads on. */
  readonly limit?: number;
  /** The `metadata.continue` of the page before. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Asks for the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** Options of `watch`. */
export interface WatchOptions extends Selection, CallOptions {
  /** Where to start: after this version; absent starts with everything there is. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Asks for bookmarks; on unless false. */
  readonly allowWatchBookmarks?: boolean;
  /** Asks the server to start with all objects, and a bookmark after them. */
  readonly sendInitialEvents?: boolean;
  /** When the server shall end the watch; absent means a random time between 5 and 10 minutes. */
  readonly timeoutSeconds?: number;
  /** Asks for the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** What every writing call takes. */
export interface WriteOptions extends CallOptions {
  /** Lets the server check everything and store nothing. */
  readonly dryRun?: boolean;
  /** Under which name the server records who set the fields. */
  readonly fieldOwner?: string;
  /** How strictly unknown fields are treated; the server's own default is `Warn`. */
  readonly fieldValidation?: FieldValidation;
}

/** Options of `create`. */
export interface CreateOptions extends WriteOptions {}

/** Options of `update`. */
export interface UpdateOptions extends WriteOptions {}

/** Options of `patch`. */
export interface PatchOptions extends WriteOptions {
  /** Takes fields over from other owners; only apply patches may. */
  readonly forceOwnership?: boolean;
  /** The body to send in place of what the patch makes of the object, for subresources whose body is another kind. */
  readonly body?: KubernetesObject;
}

/** Options of `apply`. */
export interface ApplyOptions extends CallOptions {
  readonly dryRun?: boolean;
  /** Who owns the applied fields; needed here or from a client that adds it. */
  readonly fieldOwner?: string;
  readonly fieldValidation?: FieldValidation;
  /** Takes fields over from other owners. */
  readonly forceOwnership?: boolean;
}

/** Options of `delete`. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: DeletionPropagation;
  /** Deletes only if the object still is that one. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Options of `deleteAllOf`. */
export interface DeleteAllOfOptions extends Selection, DeleteOptions {}

/** Options of a subresource's `create`. */
export interface SubResourceCreateOptions extends WriteOptions {}

/** Options of a subresource's `update`. */
export interface SubResourceUpdateOptions extends WriteOptions {
  /** The body to send in place of the object, for subresources of another kind such as `Scale`. */
  readonly body?: KubernetesObject;
}
