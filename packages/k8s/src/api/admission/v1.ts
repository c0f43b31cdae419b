/**
 * The question that an API server asks a webhook, and the answer, of admission.k8s.io/v1.
 */
import type { GroupVersion as GroupVersionOfKinds } from "../../group-version.ts";
import type { Bytes, int32 } from "../../json/scalars.ts";
import type { UserInfo } from "../authentication/v1.ts";
import type { GroupVersionKind, GroupVersionResource, ListMeta, TypeMeta } from "../meta/v1.ts";

/** The group and version of {@link AdmissionReview}. */
export const GroupVersion: GroupVersionOfKinds = /* @__PURE__ */ Object.freeze({
  group: "admission.k8s.io",
  version: "v1",
});

/** What is to be done to an object. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** How a patch in an {@link AdmissionResponse} is written. */
export type PatchType = "JSONPatch";

/** The question whether a request may go on. */
export interface AdmissionRequest {
  /** Identifies the request; the response repeats it. */
  uid: string;
  /** The kind of the object as the webhook receives it. */
  kind: GroupVersionKind;
  /** The resource as the webhook receives it. */
  resource: GroupVersionResource;
  /** The subresource, such as `status`. */
  subResource?: string;
  /** The kind of the original request, before conversion. */
  requestKind?: GroupVersionKind;
  /** The resource of the original request, before conversion. */
  requestResource?: GroupVersionResource;
  /** The subresource of the original request. */
  requestSubResource?: string;
  /** The name of the object; absent if the server generates it. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
  /** The operation on the object. */
  operation: Operation;
  /** The user who sent the request. */
  userInfo: UserInfo;
  /** The object as it would be stored; null when one is deleted. */
  object?: unknown;
  /** The object as it is stored; null when one is created. */
  oldObject?: unknown;
  /** Whether the change is not persisted. */
  dryRun?: boolean;
  /** The options of the operation, such as `CreateOptions`. */
  options?: unknown;
}

/** The reason that a webhook gives for a refusal. */
export interface AdmissionStatus {
  /** The API version of `Status`. */
  apiVersion?: string;
  /** The kind `Status`. */
  kind?: string;
  /** The metadata of a list; empty here. */
  metadata?: ListMeta;
  /** `Success` or `Failure`. */
  status?: string;
  /** The message for the user. */
  message?: string;
  /** The machine-readable reason. */
  reason?: string;
  /** Details of the failure. */
  details?: Record<string, unknown>;
  /** The HTTP status code. */
  code?: int32;
}

/** The answer to an {@link AdmissionRequest} of the same uid. */
export interface AdmissionResponse {
  /** The uid of the request. */
  uid: string;
  /** Whether the request is admitted. */
  allowed: boolean;
  /** The reason of a refusal. */
  status?: AdmissionStatus;
  /** The patch as base64 text. */
  patch?: Bytes;
  /** The type of the patch. */
  patchType?: PatchType;
  /** Annotations for the audit log. */
  auditAnnotations?: Record<string, string>;
  /** Warnings for the client. */
  warnings?: string[];
}

/** Carries a request to a webhook and the response back. */
export interface AdmissionReview extends TypeMeta {
  /** The request, if this is a question. */
  request?: AdmissionRequest;
  /** The response, if this is an answer. */
  response?: AdmissionResponse;
}
