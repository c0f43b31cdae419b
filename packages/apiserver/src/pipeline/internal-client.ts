import type { GroupVersionResource } from "@kubescaffold/k8s";

import type { JsonObject } from "../request/json.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Which object a call is about. */
export interface ObjectTarget extends GroupVersionResource {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for creates and collections. */
  readonly name: string;
  readonly subresource?: string;
}

/**
 * Calls the server from inside the process as one user, through the whole pipeline: authorization, admission, validation.
 *
 * Fails: every call with a `StatusError` that carries the server's answer.
 */
export interface InternalClient {
  get(target: ObjectTarget): Promise<ApiObject>;
  create(target: ObjectTarget, object: JsonObject): Promise<ApiObject>;
  update(target: ObjectTarget, object: JsonObject): Promise<ApiObject>;
  patch(target: ObjectTarget, patch: { readonly contentType: string; readonly body: unknown }): Promise<ApiObject>;
  delete(target: ObjectTarget, options?: JsonObject): Promise<ApiObject>;
  deleteCollection(target: ObjectTarget, options?: JsonObject): Promise<ApiObject>;
}
