import type { TokenReview, TokenReviewStatus } from "@kubescaffold/k8s/authentication/v1";
import { isRecord } from "@kubescaffold/platform";

import type { Logger } from "../../log/logger.ts";
import { isListOfStrings, type ReviewProtocol, reviewWebhook } from "../review-webhook.ts";
import type { WebhookContextFunction, WebhookHandler } from "../webhook-handler.ts";
import { type AuthenticationHandler, errored } from "./authentication-response.ts";

/**
 * Options of {@link authenticationWebhook}.
 *
 * controller-runtime: pkg/webhook/authentication.Webhook
 */
export interface AuthenticationWebhookOptions {
  /** Checks the tokens. */
  readonly handler: AuthenticationHandler;
  /** The logger. Default: {@link log}. */
  readonly log?: Logger;
  /** Returns the values that `contextValues` returns in the handler. Default: those of the manager. */
  readonly contextFunc?: WebhookContextFunction;
}

/**
 * Serves the authentication of tokens over HTTP: the API server calls it with the flag `--authentication-token-webhook-config-file`.
 *
 * Guarantees: the response is always a `TokenReview` with HTTP status 200, in the requested version; a user is authenticated only if the handler
 * returned so. Whatever the handler throws, and any other body than a `TokenReview` with a token, is answered as not authenticated. A defect is
 * logged and counted, and its message is not sent. Tokens are neither logged nor returned.
 *
 * controller-runtime: pkg/webhook/authentication.Webhook
 *
 * @example
 * mgr.getWebhookServer().register("/authenticate", authentication.authenticationWebhook({ handler }));
 */
export function authenticationWebhook(options: AuthenticationWebhookOptions): WebhookHandler {
  return reviewWebhook(PROTOCOL, options);
}

const PROTOCOL: ReviewProtocol<TokenReview, Readonly<TokenReviewStatus>> = {
  name: "authentication",
  kind: "TokenReview",
  group: "authentication.k8s.io",
  readSpec,
  isStatus: ({ authenticated, user }) =>
    authenticated === undefined || (typeof authenticated === "boolean" && isRecord(user)),
  undecided: (message) => errored(message).status,
};

function readSpec(spec: Readonly<Record<string, unknown>>): TokenReview["spec"] | string {
  const token = Object.hasOwn(spec, "token") ? spec["token"] : "";
  const audiences = Object.hasOwn(spec, "audiences") ? spec["audiences"] : undefined;
  if (typeof token !== "string") return "spec.token is not a string";
  if (token === "") return "token is empty";
  if (!isListOfStrings(audiences)) return "spec.audiences is not a list of strings";
  return { token, ...(audiences === undefined || audiences === null ? {} : { audiences: [...audiences] }) };
}
