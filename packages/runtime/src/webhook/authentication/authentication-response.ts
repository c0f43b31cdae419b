import { messageOf } from "@kubescaffold/k8s";
import type { TokenReview, TokenReviewStatus, UserInfo } from "@kubescaffold/k8s/authentication/v1";

import type { ReviewContext } from "../review-webhook.ts";

/**
 * The response of an authentication webhook, before it is wrapped into a `TokenReview`.
 *
 * controller-runtime: pkg/webhook/authentication.Response
 */
export interface AuthenticationResponse {
  /** Whether the token is valid, its user, and the audiences that it is valid for. */
  readonly status: Readonly<TokenReviewStatus>;
}

/**
 * Returns a response for a valid token. The API server receives a reason as `status.error`, and logs it.
 *
 * controller-runtime: pkg/webhook/authentication.Authenticated
 */
export function authenticated(reason: string, user: UserInfo): AuthenticationResponse {
  return reviewResponse(true, user, reason);
}

/**
 * Returns a response for an invalid token, with the reason as `status.error`.
 *
 * controller-runtime: pkg/webhook/authentication.Unauthenticated
 */
export function unauthenticated(reason: string): AuthenticationResponse {
  return reviewResponse(false, {}, reason);
}

/**
 * Returns a response for a token that could not be checked, with the message of the error as `status.error`.
 *
 * controller-runtime: pkg/webhook/authentication.Errored
 */
export function errored(error: unknown): AuthenticationResponse {
  return reviewResponse(false, {}, messageOf(error));
}

/**
 * Returns a response with the audiences that the token is valid for. Default: none, so the API server uses its own.
 *
 * controller-runtime: pkg/webhook/authentication.ReviewResponse
 */
export function reviewResponse(
  isAuthenticated: boolean,
  user: UserInfo,
  error: string,
  ...audiences: readonly string[]
): AuthenticationResponse {
  return {
    status: {
      ...(isAuthenticated ? { authenticated: true } : {}),
      user,
      ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
      ...(error === "" ? {} : { error }),
    },
  };
}

/** The context of an authentication handler; tokens are never logged. */
export type AuthenticationContext = ReviewContext;

/**
 * Checks the token in `spec.token` of a review, for the audiences in `spec.audiences`.
 *
 * controller-runtime: pkg/webhook/authentication.Handler
 */
export type AuthenticationHandler = (
  review: TokenReview,
  context: AuthenticationContext,
) => AuthenticationResponse | Promise<AuthenticationResponse>;
