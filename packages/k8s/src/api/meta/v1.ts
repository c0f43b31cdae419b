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

/** Says which fields of an object one manager has set. */
export interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  manager?: string;
  operation?: string;
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

/** A list of objects of one kind. */
export interface ListOf<T> extends TypeMeta {
  metadata: ListMeta;
  items: T[];
}

/** One observation of an object's state. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  observedGeneration?: int64;
  lastTransitionTime: Time;
  reason: string;
  message: string;
}

/** One cause of a failed request, most often a field that is wrong. */
export interface StatusCause {
  reason?: string;
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
  reason?: string;
  details?: StatusDetails;
  code?: number;
}
