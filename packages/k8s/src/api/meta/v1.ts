/**
 * What all objects share: metadata, lists, selectors, conditions, and the options of calls, of meta.k8s.io/v1.
 */
import type { DeepReadonly } from "../../json-value.ts";
import type { int64 } from "../../scalars.ts";

/** A moment in RFC 3339 with whole seconds, as the server sends it. */
export type Time = string;

/** A moment in RFC 3339 with microseconds, as the server sends it. */
export type MicroTime = string;

/** A span of time in Go's form, `1h30m`. */
export type Duration = string;

/** The two fields by which every object says what it is. */
export interface TypeMeta {
  apiVersion: string;
  kind: string;
}

/** Names the object that owns another, and so is deleted before it or together with it. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The kind of write by which a manager came to own fields; other values are possible. */
export type ManagedFieldsOperationType = "Apply" | "Update" | (string & {});

/** Reports which fields of an object one manager has set. */
export interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  manager?: string;
  operation?: ManagedFieldsOperationType;
  subresource?: string;
  time?: Time;
}

/** What every stored object has beside its own content. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: int64;
  creationTimestamp?: Time;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
}

/** What every list has beside its items. */
export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: int64;
  selfLink?: string;
}

/** What every API object is made of; kinds extend it with `spec`, `status` and the like. */
export interface KubernetesObject extends TypeMeta {
  metadata: ObjectMeta;
}

/** An object of which nothing can be changed: one from a cache, or an argument that is only read. Every object is assignable to it. */
export interface ReadonlyObject extends DeepReadonly<KubernetesObject> {}

/** A list of objects of one kind. */
export interface ListOf<T> extends TypeMeta {
  metadata: ListMeta;
  items: T[];
}

/** The status of a condition. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** One observation of an object's state. */
export interface Condition {
  type: string;
  status: ConditionStatus;
  observedGeneration?: int64;
  lastTransitionTime: Time;
  reason: string;
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

/** One cause of a failed request, most often a field that is wrong. */
export interface StatusCause {
  reason?: CauseType;
  message?: string;
  field?: string;
}

/** What a failed request was about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The server's answer to a request that has no object to return, failures above all. */
export interface Status {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  status?: "Success" | "Failure";
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  code?: number;
}

/** A set of fields in the form in which managers own them. */
export type FieldsV1 = Record<string, unknown>;

/** The body of a patch. */
export type Patch = Record<string, unknown>;

/** The operator of a requirement on a label; other values are possible. */
export type LabelSelectorOperator = "DoesNotExist" | "Exists" | "In" | "NotIn" | (string & {});

/** One requirement on a label. */
export interface LabelSelectorRequirement {
  key: string;
  operator: LabelSelectorOperator;
  values?: string[];
}

/** Chooses objects by their labels: all of its requirements must hold; an empty one chooses everything. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** The operator of a requirement on a field; other values are possible. */
export type FieldSelectorOperator = "DoesNotExist" | "Exists" | "In" | "NotIn" | (string & {});

/** One requirement on a field. */
export interface FieldSelectorRequirement {
  key: string;
  operator: FieldSelectorOperator;
  values?: string[];
}

/** What must be true of an object that is to be changed or deleted. */
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

/** How dependents of a deleted object fare. */
export type DeletionPropagation = "Background" | "Foreground" | "Orphan";

/** What the server does with fields it does not know. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** How an object is to be deleted. */
export interface DeleteOptions {
  apiVersion?: string;
  kind?: string;
  gracePeriodSeconds?: int64;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: DeletionPropagation;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** How an object is to be read. */
export interface GetOptions {
  apiVersion?: string;
  kind?: string;
  resourceVersion?: string;
}

/** How the resourceVersion of a list request is applied. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/** How objects are to be listed or watched. */
export interface ListOptions {
  apiVersion?: string;
  kind?: string;
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: ResourceVersionMatch;
  timeoutSeconds?: int64;
  limit?: int64;
  continue?: string;
  sendInitialEvents?: boolean;
}

/** How an object is to be created. */
export interface CreateOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: FieldValidation;
}

/** How an object is to be replaced. */
export interface UpdateOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: FieldValidation;
}

/** How an object is to be patched. */
export interface PatchOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: FieldValidation;
}

/** A group, version and kind as the fields of a message. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** A group, version and resource as the fields of a message. */
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** One change that a watch reports. */
export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  object: unknown;
}

/** An object of any kind of which only the metadata was asked for. */
export type PartialObjectMetadata = KubernetesObject;

/** A list of objects of which only the metadata was asked for. */
export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

/** The versions of the core group. */
export interface APIVersions extends TypeMeta {
  versions: string[];
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
}

/** The address of the server for clients of a network. */
export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}

/** A version of a group, with and without the group's name. */
export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}

/** A group and its versions. */
export interface APIGroup {
  apiVersion?: string;
  kind?: string;
  name: string;
  versions: GroupVersionForDiscovery[];
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
}

/** All groups but the core group. */
export interface APIGroupList extends TypeMeta {
  groups: APIGroup[];
}

/** A resource or subresource of a group-version. */
export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

/** The resources of a group-version. */
export interface APIResourceList extends TypeMeta {
  groupVersion: string;
  resources: APIResource[];
}

/** A column of a table. */
export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  /** 0 is always shown, more only in wide output. */
  priority: number;
}

/** The type of a condition of a row; other values are possible. */
export type RowConditionType = "Completed" | (string & {});

/** A remark on a row of a table. */
export interface TableRowCondition {
  type: RowConditionType;
  status: ConditionStatus;
  reason?: string;
  message?: string;
}

/** How much of each object a table has in its rows. */
export type IncludeObjectPolicy = "Metadata" | "None" | "Object";

/** A row of a table: its cells and the object that they describe. */
export interface TableRow {
  cells: unknown[];
  conditions?: TableRowCondition[];
  object?: unknown;
}

/** Objects in the form in which kubectl shows them. */
export interface Table extends TypeMeta {
  metadata: ListMeta;
  columnDefinitions: TableColumnDefinition[];
  rows: TableRow[];
}
