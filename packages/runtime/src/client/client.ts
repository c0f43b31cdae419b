import type { AppliesTo, GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf, Status } from "@kubescaffold/k8s/meta/v1";

import type { RestMapper } from "../discovery/rest-mapper.ts";
import type {
  ApplyOptions,
  CreateOptions,
  DeleteAllOfOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  SubResourceCreateOptions,
  SubResourceUpdateOptions,
  UpdateOptions,
  WatchOptions,
} from "./options.ts";
import type { Patch } from "./patch.ts";

/** An object of which only the kind is known; every field is kept as the server sent it. */
export interface UnstructuredObject extends KubernetesObject {
  [field: string]: unknown;
}

/**
 * Says which kind a call is about: the value of a kind (`Guestbook`), which also gives the result its type,
 * or a bare group, version and kind.
 */
export interface KindRef<T extends KubernetesObject = UnstructuredObject> extends GroupVersionKind {
  readonly create?: (fields: never) => T;
}

/** Names an object within its kind; cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string;
}

type AnyField<T> = T extends readonly (infer E)[]
  ? readonly AnyField<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: AnyField<T[K]> }
    : T;

/**
 * The fields of an object that one owner wants to have a say in: what it names it owns, all else it leaves alone.
 *
 * This form takes any field of the object. The types that `scaffold gen applyconfiguration` makes (`GuestbookApply`), and those of
 * `@kubescaffold/k8s/apply`, are such configurations that know more: the keys of lists, and what an owner states as a whole.
 */
export type ApplyConfiguration<T extends KubernetesObject = UnstructuredObject> = AnyField<T> &
  AppliesTo<T> &
  Pick<KubernetesObject, "apiVersion" | "kind" | "metadata">;

/** Reads objects; a cache is one, a client is one. */
export interface Reader {
  /**
   * Reads one object.
   *
   * Fails: `StatusError` for which `isNotFound` holds when there is none.
   */
  get<T extends KubernetesObject = UnstructuredObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<T>;

  /** Reads the objects of a kind; every item carries its `apiVersion` and `kind`. */
  list<T extends KubernetesObject = UnstructuredObject>(kind: KindRef<T>, options?: ListOptions): Promise<ListOf<T>>;
}

/**
 * Writes objects.
 *
 * Guarantees: arguments are never changed; what the server stored is returned.
 */
export interface Writer {
  /** Creates an object. Fails: `isAlreadyExists` when there is one of that name. */
  create<T extends KubernetesObject>(object: T, options?: CreateOptions): Promise<T>;
  /** Replaces an object, all but its status where the kind has that subresource. Fails: `isConflict` when it changed since it was read. */
  update<T extends KubernetesObject>(object: T, options?: UpdateOptions): Promise<T>;
  /** Changes part of an object; the object says which one, the patch what. */
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: PatchOptions): Promise<T>;
  /** Applies the fields that one owner wants to own (server-side apply). Fails: `isConflict` when another owner has other values. */
  apply<T extends KubernetesObject>(configuration: T | ApplyConfiguration<T>, options?: ApplyOptions): Promise<T>;
  /** Deletes an object; its finalizers may keep it for a while. */
  delete(object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  /** Deletes the objects of a kind that match, in one call. */
  deleteAllOf(kind: GroupVersionKind, options?: DeleteAllOfOptions): Promise<void>;
}

/** Writes a subresource of objects: `status`, `scale`, `eviction`. */
export interface SubResourceWriter {
  /** Creates the subresource of an object from a body: an eviction, a token request. Returns the server's answer. */
  create<B extends KubernetesObject>(object: KubernetesObject, body: B, options?: SubResourceCreateOptions): Promise<B>;
  /** Replaces the subresource with the object's, or with `body` of the options. */
  update<T extends KubernetesObject>(object: T, options?: SubResourceUpdateOptions): Promise<T>;
  /** Changes part of the subresource. */
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: PatchOptions): Promise<T>;
  /** Applies fields of the subresource (server-side apply). */
  apply<T extends KubernetesObject>(configuration: T | ApplyConfiguration<T>, options?: ApplyOptions): Promise<T>;
}

/** Writes the status of objects and nothing else of them. */
export type StatusWriter = SubResourceWriter;

/** Reads and writes a subresource of objects. */
export interface SubResourceClient extends SubResourceWriter {
  /** Reads the subresource of an object, for instance its `Scale`. */
  get<S extends KubernetesObject = UnstructuredObject>(object: KubernetesObject, options?: GetOptions): Promise<S>;
}

/** Reads and writes objects, their status and other subresources. */
export interface Client extends Reader, Writer {
  /** Returns the writer of `status`; short for `subResource("status")`. */
  status(): StatusWriter;
  /** Returns the client of a subresource by its name. */
  subResource(name: string): SubResourceClient;
  /** Finds the endpoint of a kind. */
  readonly restMapper: RestMapper;
  /** Says whether objects of the kind live in namespaces. Fails: `NoMatchError` when the server does not know the kind. */
  isNamespaced(kind: GroupVersionKind): Promise<boolean>;
}

/** A client that can also watch. */
export interface WatchingClient extends Client {
  /**
   * Watches the objects of a kind; the request goes out when the first event is asked for.
   *
   * Guarantees: events come in the server's order, no faster than they are taken; `ERROR` events are events, not failures.
   * The iteration ends when the server ends the watch; leaving it early, or the signal, closes the connection.
   * Fails: `StatusError` when the server refuses, `ConnectionError` when the connection cannot be made or breaks.
   */
  watch<T extends KubernetesObject = UnstructuredObject>(
    kind: KindRef<T>,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<T>>;
}

/** What a watch reports: a change of an object, a bookmark that only carries a resourceVersion, or why it ends. */
export type WatchEvent<T extends KubernetesObject = KubernetesObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  /** The object has kind and metadata with `resourceVersion`, and the annotation `k8s.io/initial-events-end` after initial events. */
  | { readonly type: "BOOKMARK"; readonly object: KubernetesObject }
  | { readonly type: "ERROR"; readonly object: Status };
