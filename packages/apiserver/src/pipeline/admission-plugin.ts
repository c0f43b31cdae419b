import type { GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

import type { JsonObject } from "../request/json.ts";
import type { UserInfo } from "../request/user-info.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** What admission is asked about. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** A write on its way to the store, as admission plugins see it. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  /** The kind of {@link AdmissionAttributes.object}: `autoscaling/v1 Scale` for the subresource `scale`. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly isNamespaced: boolean;
  readonly namespace: string;
  /** Empty while a generated name is not made yet, and for the items of a deletecollection. */
  readonly name: string;
  /** Absent for deletes. */
  readonly object: ApiObject | undefined;
  /** The stored object in the version of the request; absent for creates. */
  readonly oldObject: ApiObject | undefined;
  readonly user: UserInfo;
  readonly isDryRun: boolean;
  /** `CreateOptions`, `UpdateOptions` or `DeleteOptions` of `meta.k8s.io/v1`, with kind and apiVersion. */
  readonly options: JsonObject;
  /** Sends a `Warning` header with the answer. */
  readonly warn: (text: string) => void;
  /** Decodes an object that a plugin has changed: sets defaults, and prunes it where that happens before storage. The input may be changed. */
  readonly normalize: (object: ApiObject) => ApiObject;
}

/**
 * Changes or refuses writes.
 *
 * Fails: by throwing a `StatusError`, whose status becomes the answer.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Returns a changed object, or undefined to leave it; objects of the attributes are never changed in place. */
  mutate?(attributes: AdmissionAttributes): ApiObject | undefined | Promise<ApiObject | undefined>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}
