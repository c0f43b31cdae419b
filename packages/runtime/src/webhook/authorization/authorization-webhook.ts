import type { SubjectAccessReview, SubjectAccessReviewStatus } from "@kubescaffold/k8s/authorization/v1";
import { isRecord } from "@kubescaffold/platform";

import type { Logger } from "../../log/logger.ts";
import { isListOfStrings, type ReviewProtocol, reviewWebhook } from "../review-webhook.ts";
import type { WebhookContextFunction, WebhookHandler } from "../webhook-handler.ts";
import { type AuthorizationHandler, errored } from "./authorization-response.ts";

/** Options of {@link authorizationWebhook}. */
export interface AuthorizationWebhookOptions {
  /** Judges the requests. */
  readonly handler: AuthorizationHandler;
  /** The logger. Default: {@link log}. */
  readonly log?: Logger;
  /** Returns the values that `contextValues` returns in the handler. Default: those of the manager. */
  readonly contextFunc?: WebhookContextFunction;
}

/**
 * Serves authorization over HTTP: the API server calls it for an authorizer of type `Webhook` in its `AuthorizationConfiguration`.
 *
 * Guarantees: the response is always a `SubjectAccessReview` with HTTP status 200, in the requested version; a request is allowed only if the handler
 * returned so. Whatever the handler throws, and any other body than a `SubjectAccessReview`, is no opinion: the next authorizer decides. A defect is
 * logged and counted, and its message is not sent.
 *
 * @example
 * mgr.getWebhookServer().register("/authorize", authorization.authorizationWebhook({ handler }));
 */
export function authorizationWebhook(options: AuthorizationWebhookOptions): WebhookHandler {
  return reviewWebhook(PROTOCOL, options);
}

const PROTOCOL: ReviewProtocol<SubjectAccessReview, Readonly<SubjectAccessReviewStatus>> = {
  name: "authorization",
  kind: "SubjectAccessReview",
  group: "authorization.k8s.io",
  readSpec,
  // kube-apiserver rejects an answer that says both.
  isStatus: ({ allowed, denied = false }) =>
    typeof allowed === "boolean" && typeof denied === "boolean" && !(allowed && denied),
  undecided: (message) => errored(message).status,
};

type Spec = SubjectAccessReview["spec"];

function readSpec(spec: Readonly<Record<string, unknown>>, version: string): Spec | string {
  // The field was renamed for v1.
  const groupsField = version === "v1beta1" ? "group" : "groups";
  const { user = "", uid, extra, resourceAttributes, nonResourceAttributes, [groupsField]: groups } = spec;
  if (typeof user !== "string") return "spec.user is not a string";
  if (uid !== undefined && typeof uid !== "string") return "spec.uid is not a string";
  if (!isListOfStrings(groups)) return `spec.${groupsField} is not a list of strings`;
  const extraProblem = problemOfExtra(extra);
  if (extraProblem !== undefined) return extraProblem;
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    return "spec must have either resourceAttributes or nonResourceAttributes";
  }
  const attributes = resourceAttributes ?? nonResourceAttributes;
  if (!isRecord(attributes)) return "the attributes of the request are not an object";
  const problem = Object.keys(attributes).find((key) => isText(key) && typeof attributes[key] !== "string");
  if (problem !== undefined) return `the attribute ${problem} is not a string`;
  return {
    user,
    ...(uid === undefined ? {} : { uid }),
    ...(groups === undefined || groups === null ? {} : { groups: [...groups] }),
    ...(isRecord(extra) ? { extra: extra as Record<string, string[]> } : {}),
    ...(resourceAttributes === undefined ? { nonResourceAttributes: attributes } : { resourceAttributes: attributes }),
  };
}

function problemOfExtra(extra: unknown): string | undefined {
  if (extra === undefined || extra === null) return undefined;
  const isExtra = isRecord(extra) && Object.values(extra).every((each) => Array.isArray(each) && isListOfStrings(each));
  return isExtra ? undefined : "spec.extra is not an object of lists of strings";
}

// Selectors are objects, and a later version may add others.
function isText(attribute: string): boolean {
  return ["namespace", "verb", "group", "version", "resource", "subresource", "name", "path"].includes(attribute);
}
