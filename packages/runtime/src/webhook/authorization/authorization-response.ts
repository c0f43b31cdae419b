import { messageOf } from "@kubescaffold/k8s";
import type { SubjectAccessReview, SubjectAccessReviewStatus } from "@kubescaffold/k8s/authorization/v1";

import type { ReviewContext } from "../review-webhook.ts";

/** The response of an authorization webhook, before it is wrapped into a `SubjectAccessReview`. */
export interface AuthorizationResponse {
  /** Whether the request is allowed or denied, and why; neither leaves it to the next authorizer. */
  readonly status: Readonly<SubjectAccessReviewStatus>;
}

/** Returns a response that allows the request, with a reason for the audit log. */
export function allowed(reason = ""): AuthorizationResponse {
  return responseOf({ allowed: true }, reason);
}

/** Returns a response that denies the request: no other authorizer is asked. Users see the reason. */
export function denied(reason: string): AuthorizationResponse {
  return responseOf({ allowed: false, denied: true }, reason);
}

/** Returns a response that leaves the request to the next authorizer, such as RBAC. Users see the reason if nobody allows it. */
export function noOpinion(reason = ""): AuthorizationResponse {
  return responseOf({ allowed: false }, reason);
}

/** Returns a response for a request that could not be judged, which leaves it to the next authorizer, with the message of the error. */
export function errored(error: unknown): AuthorizationResponse {
  return { status: { allowed: false, evaluationError: messageOf(error) } };
}

function responseOf(status: SubjectAccessReviewStatus, reason: string): AuthorizationResponse {
  return { status: reason === "" ? status : { ...status, reason } };
}

/** The context of an authorization handler. */
export type AuthorizationContext = ReviewContext;

/** Judges the request in `spec` of a review: its user, and either the attributes of a resource or a path. */
export type AuthorizationHandler = (
  review: SubjectAccessReview,
  context: AuthorizationContext,
) => AuthorizationResponse | Promise<AuthorizationResponse>;
