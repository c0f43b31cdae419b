/**
 * Types of meta.k8s.io/v1 that all kinds share: metadata, lists, selectors, conditions, and options of requests.
 */
import type { DeepReadonly } from "../../json/json-value.ts";
import type { int64 } from "../../json/scalars.ts";

/** A moment in RFC 3339 with whole seconds, as the server sends it. */
export type Time = string;

/** A moment in RFC 3339 with microseconds, as the server sends it. */
export type MicroTime = string;

/** A span of time in Go's form, `1h30m`. */
export type Duration = string;

/** The fields that identify the type of an object. */
export interface TypeMeta {
  /** The group and version of the type, such as `apps/v1`, or `v1` for the core group. */
  apiVersion: string;
  /** The kind, such as `Deployment`. */
  kind: string;
}

/** A reference to the owner of an object; garbage collection deletes objects without owners. */
export interface OwnerReference {
  /** The group and version of the owner. */
  apiVersion: string;
  /** The kind of the owner. */
  kind: string;
  /** The name of the owner, which is in the same namespace or cluster-scoped. */
  name: string;
  /** The UID of the owner: another object of the same name is not the owner. */
  uid: string;
  /** Whether the owner is the controller of the object; an object has at most one. */
  controller?: boolean;
  /** Whether a foreground deletion of the owner waits for this object. */
  blockOwnerDeletion?: boolean;
}

/** The write by which a field manager owns fields; other values are possible. */
export type ManagedFieldsOperationType = "Apply" | "Update" | (string & {});

/** The fields of an object that one field manager owns. */
export interface ManagedFieldsEntry {
  /** The version of the resource in which the fields are named. */
  apiVersion?: string;
  /** The format of `fieldsV1`: always `FieldsV1`. */
  fieldsType?: string;
  /** The fields that the manager owns. */
  fieldsV1?: Record<string, unknown>;
  /** The name of the field manager. */
  manager?: string;
  /** Whether the manager owns the fields because of an apply or of another write. */
  operation?: ManagedFieldsOperationType;
  /** The subresource through which the fields were written; empty for the object itself. */
  subresource?: string;
  /** The time at which the entry last changed. */
  time?: Time;
}

/** The metadata of an object. */
export interface ObjectMeta {
  /** The name, unique among the objects of the kind in its namespace; it cannot be changed. */
  name?: string;
  /** The prefix from which the server generates a name if `name` is empty. */
  generateName?: string;
  /** The namespace; absent from cluster-scoped objects. */
  namespace?: string;
  /** Identifies the object among all objects, past and future; the server sets it. */
  uid?: string;
  /** The version of the stored object, for comparisons, preconditions, and watches. */
  resourceVersion?: string;
  /** A number that the server increases when the desired state changes. */
  generation?: int64;
  /** The time at which the object was created. */
  creationTimestamp?: Time;
  /** The time from which on the object may be removed; set once its deletion was requested. */
  deletionTimestamp?: Time;
  /** The seconds between the request to delete the object and its removal. */
  deletionGracePeriodSeconds?: int64;
  /** Keys and values by which selectors find the object. */
  labels?: Record<string, string>;
  /** Keys and values for tools and people; selectors cannot use them. */
  annotations?: Record<string, string>;
  /** The objects that own this one: garbage collection deletes it when all of them are gone. */
  ownerReferences?: OwnerReference[];
  /** The names of the tasks to complete before the object is removed. */
  finalizers?: string[];
  /** The fields that each field manager owns, for server-side apply. */
  managedFields?: ManagedFieldsEntry[];
  /** A former path of the object; servers no longer set it. */
  selfLink?: string;
}

/** The metadata of a list. */
export interface ListMeta {
  /** The version of the list, from which a watch can start. */
  resourceVersion?: string;
  /** The token of the next page; empty on the last one. */
  continue?: string;
  /** The number of items on the pages that follow, if the server knows it. */
  remainingItemCount?: int64;
  /** A former path of the list; servers no longer set it. */
  selfLink?: string;
  /** The shard of the collection that the list is, if it is not all of it. Since 1.36. */
  shardInfo?: ShardInfo;
}

/** The shard of a collection that a list contains, since 1.36. */
export interface ShardInfo {
  /** The selector of the request that the server applied. */
  selector: string;
}

/** An API object; kinds extend it with `spec`, `status`, and other fields. Kinds with namespaced objects extend {@link NamespacedObject}. */
export interface KubernetesObject extends TypeMeta {
  /** The metadata: name, labels, owners, and versions. */
  metadata: ObjectMeta;
}

declare const NAMESPACED: unique symbol;

/**
 * An object in a namespace: kinds with namespaced objects extend it, so that `metadata.namespace` of the objects that clients return is a string.
 *
 * Objects to write need no namespace.
 */
export interface NamespacedObject extends KubernetesObject {
  /** Marks the scope for the compiler; no object has this field. */
  readonly [NAMESPACED]?: never;
}

/** An object of which nothing can be changed: one from a cache, or an argument that is only read. Every object is assignable to it. */
export interface ReadonlyObject extends DeepReadonly<KubernetesObject> {}

/** A list of objects of one kind. */
export interface ListOf<T> extends TypeMeta {
  /** The metadata of the list: its version, and the token of the next page. */
  metadata: ListMeta;
  /** The objects. */
  items: T[];
}

/** The status of a condition. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** An aspect of the state of an object. */
export interface Condition {
  /** The aspect of the state, such as `Ready`; a list has one condition per type. */
  type: string;
  /** Whether the condition holds. */
  status: ConditionStatus;
  /** The generation of the object that the condition describes. */
  observedGeneration?: int64;
  /** The time at which `status` last changed. */
  lastTransitionTime: Time;
  /** The reason of the last change, in CamelCase, for programs. */
  reason: string;
  /** The details, for people. */
  message: string;
}

/** The machine-readable reason of one cause of a failed request; other values are possible. */
export type CauseType =
  | "DisruptionBudget"
  | "FieldManagerConflict"
  | "FieldValueDuplicate"
  | "FieldValueForbidden"
  | "FieldValueInvalid"
  | "FieldValueNotFound"
  | "FieldValueNotSupported"
  | "FieldValueRequired"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError"
  | "NamespaceTerminating"
  | "ResourceVersionTooLarge"
  | "UnexpectedServerResponse"
  | (string & {});

/** The machine-readable reason of a failed request; other values are possible. */
export type StatusReason =
  | ""
  | "AlreadyExists"
  | "BadRequest"
  | "Conflict"
  | "Expired"
  | "Forbidden"
  | "Gone"
  | "InternalError"
  | "Invalid"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "NotFound"
  | "RequestEntityTooLarge"
  | "ServerTimeout"
  | "ServiceUnavailable"
  | "StorageReadError"
  | "Timeout"
  | "TooManyRequests"
  | "Unauthorized"
  | "UnsupportedMediaType"
  | (string & {});

/** A cause of a failed request, usually an invalid field. */
export interface StatusCause {
  /** The reason, for programs. */
  reason?: CauseType;
  /** The reason, for people. */
  message?: string;
  /** The path of the field, such as `spec.ports[0].name`. */
  field?: string;
}

/** Details of a failed request. */
export interface StatusDetails {
  /** The name of the object. */
  name?: string;
  /** The group of the resource. */
  group?: string;
  /** The resource or kind of the request. */
  kind?: string;
  /** The UID of the object. */
  uid?: string;
  /** All causes of the failure, if there are several. */
  causes?: StatusCause[];
  /** The seconds to wait before the next attempt. */
  retryAfterSeconds?: number;
}

/** The response to a request that returns no object, such as a failure. */
export interface Status {
  /** The version of this type: `v1`. */
  apiVersion?: string;
  /** The kind of this type: `Status`. */
  kind?: string;
  /** The metadata of a list, for failed list requests. */
  metadata?: ListMeta;
  /** Whether the request succeeded. */
  status?: "Success" | "Failure";
  /** The outcome, for people. */
  message?: string;
  /** The reason of a failure, for programs. */
  reason?: StatusReason;
  /** The object of the request, and the causes of the failure. */
  details?: StatusDetails;
  /** The HTTP status code. */
  code?: number;
}

/** A set of fields, as `managedFields` lists them. */
export type FieldsV1 = Record<string, unknown>;

/** The body of a patch. */
export type Patch = Record<string, unknown>;

/** The operator of a requirement on a label; other values are possible. */
export type LabelSelectorOperator = "DoesNotExist" | "Exists" | "In" | "NotIn" | (string & {});

/** One requirement on a label. */
export interface LabelSelectorRequirement {
  /** The key of the label. */
  key: string;
  /** How the label is compared with `values`. */
  operator: LabelSelectorOperator;
  /** The values for `In` and `NotIn`; absent with other operators. */
  values?: string[];
}

/** Selects objects by their labels: all requirements must hold; an empty selector matches all objects. */
export interface LabelSelector {
  /** Labels that an object must have, with these values. */
  matchLabels?: Record<string, string>;
  /** Further requirements. */
  matchExpressions?: LabelSelectorRequirement[];
}

/** The operator of a requirement on a field; other values are possible. */
export type FieldSelectorOperator = "DoesNotExist" | "Exists" | "In" | "NotIn" | (string & {});

/** One requirement on a field. */
export interface FieldSelectorRequirement {
  /** The path of the field. */
  key: string;
  /** How the field is compared with `values`. */
  operator: FieldSelectorOperator;
  /** The values for `In` and `NotIn`; absent with other operators. */
  values?: string[];
}

/** Preconditions of an update or deletion. */
export interface Preconditions {
  /** The UID that the object must have. */
  uid?: string;
  /** The version that the object must have. */
  resourceVersion?: string;
}

/** Whether dependents of a deleted object are deleted in the background, before it, or not at all. */
export type DeletionPropagation = "Background" | "Foreground" | "Orphan";

/** How the server treats unknown and duplicate fields. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** Options of delete requests. */
export interface DeleteOptions {
  /** The version of this type. */
  apiVersion?: string;
  /** The kind of this type: `DeleteOptions`. */
  kind?: string;
  /** The seconds until the object is removed; 0 removes it at once. */
  gracePeriodSeconds?: int64;
  /** Conditions without which the request fails with a conflict. */
  preconditions?: Preconditions;
  /** Whether dependents stay; deprecated in favor of `propagationPolicy`. */
  orphanDependents?: boolean;
  /** Whether and when dependents are deleted. */
  propagationPolicy?: DeletionPropagation;
  /** `All` processes the request without storing its result. */
  dryRun?: string[];
  /** Whether to delete an object that the server cannot decode, without finalizers and preconditions. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** Options of get requests. */
export interface GetOptions {
  /** The version of this type. */
  apiVersion?: string;
  /** The kind of this type: `GetOptions`. */
  kind?: string;
  /** The version that the response must have reached; `0` accepts any, and absent means the latest. */
  resourceVersion?: string;
}

/** How the resourceVersion of a list request is applied. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/** Options of list and watch requests. */
export interface ListOptions {
  /** The version of this type. */
  apiVersion?: string;
  /** The kind of this type: `ListOptions`. */
  kind?: string;
  /** Selects objects by labels, such as `app=web,tier!=cache`. */
  labelSelector?: string;
  /** Selects objects by fields, such as `metadata.name=web`. */
  fieldSelector?: string;
  /** Whether to send changes as they happen instead of a list. */
  watch?: boolean;
  /** Whether the watch may contain `BOOKMARK` events. */
  allowWatchBookmarks?: boolean;
  /** The version from which a watch starts, or that a list is compared with as `resourceVersionMatch` states. */
  resourceVersion?: string;
  /** How `resourceVersion` applies to a list. */
  resourceVersionMatch?: ResourceVersionMatch;
  /** The seconds after which the server ends the request. */
  timeoutSeconds?: int64;
  /** The maximum number of items of a page. */
  limit?: int64;
  /** The token of the previous page. */
  continue?: string;
  /** Whether a watch starts with an `ADDED` event for each existing object, followed by a bookmark. */
  sendInitialEvents?: boolean;
}

/** Options of create requests. */
export interface CreateOptions {
  /** The version of this type. */
  apiVersion?: string;
  /** The kind of this type: `CreateOptions`. */
  kind?: string;
  /** `All` processes the request without storing its result. */
  dryRun?: string[];
  /** The name of the field manager. */
  fieldManager?: string;
  /** How the server treats unknown and duplicate fields. */
  fieldValidation?: FieldValidation;
}

/** Options of update requests. */
export interface UpdateOptions {
  /** The version of this type. */
  apiVersion?: string;
  /** The kind of this type: `UpdateOptions`. */
  kind?: string;
  /** `All` processes the request without storing its result. */
  dryRun?: string[];
  /** The name of the field manager. */
  fieldManager?: string;
  /** How the server treats unknown and duplicate fields. */
  fieldValidation?: FieldValidation;
}

/** Options of patch requests. */
export interface PatchOptions {
  /** The version of this type. */
  apiVersion?: string;
  /** The kind of this type: `PatchOptions`. */
  kind?: string;
  /** `All` processes the request without storing its result. */
  dryRun?: string[];
  /** Whether to take over fields that other field managers own; only for server-side apply. */
  force?: boolean;
  /** The name of the field manager. */
  fieldManager?: string;
  /** How the server treats unknown and duplicate fields. */
  fieldValidation?: FieldValidation;
}

/** A resource of an API group in any of its versions, since 1.37. */
export interface GroupResource {
  /** The group; empty for the core group. */
  group: string;
  /** The plural name. */
  resource: string;
}

/** A group, version and kind as the fields of a message. */
export interface GroupVersionKind {
  /** The group; empty for the core group. */
  group: string;
  /** The version. */
  version: string;
  /** The kind. */
  kind: string;
}

/** A group, version and resource as the fields of a message. */
export interface GroupVersionResource {
  /** The group; empty for the core group. */
  group: string;
  /** The version. */
  version: string;
  /** The resource, in the plural and in lower case. */
  resource: string;
}

/** An event of a watch. */
export interface WatchEvent {
  /** The kind of the change. */
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The object after the change, the last state of a deleted one, or the `Status` of an error. */
  object: unknown;
}

/** The metadata of an object of any kind. */
export type PartialObjectMetadata = KubernetesObject;

/** A list of the metadata of objects. */
export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

/** The versions of the core group. */
export interface APIVersions extends TypeMeta {
  /** The versions of the core group. */
  versions: string[];
  /** The addresses of the server by networks of clients. */
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
}

/** The address of the server for clients of a network. */
export interface ServerAddressByClientCIDR {
  /** The network of the clients, in CIDR notation. */
  clientCIDR: string;
  /** The host name or IP address, with an optional port. */
  serverAddress: string;
}

/** A version of a group, with and without the group's name. */
export interface GroupVersionForDiscovery {
  /** The group and version, such as `apps/v1`. */
  groupVersion: string;
  /** The version alone, such as `v1`. */
  version: string;
}

/** A group and its versions. */
export interface APIGroup {
  /** The version of this type: `v1`. */
  apiVersion?: string;
  /** The kind of this type: `APIGroup`. */
  kind?: string;
  /** The name of the group. */
  name: string;
  /** The served versions. */
  versions: GroupVersionForDiscovery[];
  /** The version that the server prefers. */
  preferredVersion?: GroupVersionForDiscovery;
  /** The addresses of the server by networks of clients. */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
}

/** All groups but the core group. */
export interface APIGroupList extends TypeMeta {
  /** The groups. */
  groups: APIGroup[];
}

/** A resource or subresource of a group-version. */
export interface APIResource {
  /** The name in paths: the plural, or `plural/subresource`. */
  name: string;
  /** The singular, in lower case. */
  singularName: string;
  /** Whether its objects are in namespaces. */
  namespaced: boolean;
  /** The group of the kind, if it differs from that of the list. */
  group?: string;
  /** The version of the kind, if it differs from that of the list. */
  version?: string;
  /** The kind of the objects. */
  kind: string;
  /** The supported verbs. */
  verbs: string[];
  /** Short names for command lines, such as `deploy`. */
  shortNames?: string[];
  /** Groups of resources, such as `all`. */
  categories?: string[];
  /** A hash that changes with the version in which objects are stored. */
  storageVersionHash?: string;
}

/** The resources of a group-version. */
export interface APIResourceList extends TypeMeta {
  /** The group and version. */
  groupVersion: string;
  /** The resources and subresources. */
  resources: APIResource[];
}

/** A column of a table. */
export interface TableColumnDefinition {
  /** The name, which is the header of the column. */
  name: string;
  /** The OpenAPI type of the values. */
  type: string;
  /** The OpenAPI format of the values; `name` marks the column with the name of the object. */
  format: string;
  /** The description of the column. */
  description: string;
  /** The importance: columns with 0 are always printed, others only in wide output. */
  priority: number;
}

/** The type of a condition of a row; other values are possible. */
export type RowConditionType = "Completed" | (string & {});

/** A remark on a row of a table. */
export interface TableRowCondition {
  /** The aspect of the state of the row. */
  type: RowConditionType;
  /** Whether the condition holds. */
  status: ConditionStatus;
  /** The reason, for programs. */
  reason?: string;
  /** The details, for people. */
  message?: string;
}

/** The part of each object that the rows of a table contain. */
export type IncludeObjectPolicy = "Metadata" | "None" | "Object";

/** A row of a table: its cells and the object that they describe. */
export interface TableRow {
  /** The values, in the order of the columns. */
  cells: unknown[];
  /** Conditions of the row, for example that a Job is complete. */
  conditions?: TableRowCondition[];
  /** The object, its metadata, or nothing, as the request states. */
  object?: unknown;
}

/** Objects as rows and columns, as kubectl prints them. */
export interface Table extends TypeMeta {
  /** The metadata of the list. */
  metadata: ListMeta;
  /** The columns. */
  columnDefinitions: TableColumnDefinition[];
  /** The rows. */
  rows: TableRow[];
}
