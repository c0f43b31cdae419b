/**
 * The question that an API server asks a webhook, and the answer, of admission.k8s.io/v1.
 */
import type { GroupVersion as GroupVersionOfKinds } from "../../group-version.ts";
import type { Bytes, int32 } from "../../scalars.ts";
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
  uid: string;
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  subResource?: string;
  requestKind?: GroupVersionKind;
  requestResource?: GroupVersionResource;
  requestSubResource?: string;
  name?: string;
  namespace?: string;
  operation: Operation;
  userInfo: UserInfo;
  /** The object as it would be stored; null when one is deleted. */
  object?: unknown;
  /** The object as it is stored; null when one is created. */
  oldObject?: unknown;
  dryRun?: boolean;
  options?: unknown;
}

/** The reason that a webhook gives for a refusal. */
export interface AdmissionStatus {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: Record<string, unknown>;
  code?: int32;
}

/** The answer to an {@link AdmissionRequest} of the same uid. */
export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: AdmissionStatus;
  patch?: Bytes;
  patchType?: PatchType;
  auditAnnotations?: Record<string, string>;
  warnings?: string[];
}

/** Carries a request to a webhook and the response back. */
export interface AdmissionReview extends TypeMeta {
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
