import { readableError } from "@kubescaffold/k8s";
import type { TokenReview } from "@kubescaffold/k8s/authentication/v1";
import { isRecord } from "@kubescaffold/platform";

import { withLogger } from "../../log/call-scope.ts";
import type { Logger } from "../../log/logger.ts";
import { log as rootLog } from "../../log/root-logger.ts";
import { webhookMetrics } from "../../metrics/webhook-metrics.ts";
import { isDefect } from "../defects.ts";
import { readLimited } from "../review.ts";
import {
  type WebhookContextFunction,
  type WebhookHandler,
  type WebhookServing,
  withValuesOf,
} from "../webhook-handler.ts";
import { type AuthenticationHandler, type AuthenticationResponse, errored } from "./authentication-response.ts";

/** A review contains a token of some KiB; a body of this many bytes is too large. */
const BODY_LIMIT_BYTES = 1024 * 1024;

const KIND = "TokenReview";
const V1 = "authentication.k8s.io/v1";

/** The versions of the protocol; the older one has the same fields. */
const REVIEW_VERSIONS: ReadonlySet<string> = new Set([V1, "authentication.k8s.io/v1beta1"]);

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
  const log = (options.log ?? rootLog).withName("authentication");
  return async (request, serving) => {
    const read = await readReview(request);
    if (read.kind === "bad") {
      log.error(new TypeError(read.message), "bad request");
      return reply({}, errored(read.message));
    }
    const call = { handler: options.handler, log, signal: request.signal, serving };
    return reply(read.head, await withValuesOf(options.contextFunc, request, () => decide(call, read.review)));
  };
}

interface ReviewHead {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly uid?: string;
}

type ReviewRead =
  | { readonly kind: "review"; readonly head: ReviewHead; readonly review: TokenReview }
  | { readonly kind: "bad"; readonly message: string };

async function readReview(request: Request): Promise<ReviewRead> {
  const body = await readLimited(request, BODY_LIMIT_BYTES - 1);
  if (body === undefined) return bad(`request entity is too large; limit is ${String(BODY_LIMIT_BYTES)} bytes`);
  if (body === "") return bad("request body is empty");
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType !== "application/json") return bad(`contentType=${contentType}, expected application/json`);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The message of the parser may quote the token.
    return bad("the body is not JSON");
  }
  return parseReview(value);
}

function parseReview(value: unknown): ReviewRead {
  if (!isRecord(value)) return bad("the body is not a JSON object");
  const { apiVersion = V1, kind = KIND, metadata, spec = {} } = value;
  if (kind !== KIND || typeof apiVersion !== "string" || !REVIEW_VERSIONS.has(apiVersion)) {
    return bad("the body is not a TokenReview of authentication.k8s.io/v1 or v1beta1");
  }
  if (!isRecord(spec)) return bad("spec is not an object");
  const token = Object.hasOwn(spec, "token") ? spec["token"] : "";
  const audiences = Object.hasOwn(spec, "audiences") ? spec["audiences"] : undefined;
  if (typeof token !== "string") return bad("spec.token is not a string");
  if (token === "") return bad("token is empty");
  if (!isListOfStrings(audiences)) return bad("spec.audiences is not a list of strings");
  const uid = isRecord(metadata) && typeof metadata["uid"] === "string" ? { uid: metadata["uid"] } : {};
  const review: TokenReview = {
    apiVersion: V1,
    kind: KIND,
    metadata: uid,
    spec: { token, ...(audiences === undefined || audiences === null ? {} : { audiences }) },
  };
  return { kind: "review", head: { kind, apiVersion, ...uid }, review };
}

function isListOfStrings(value: unknown): value is string[] | undefined | null {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

async function decide(
  call: {
    readonly handler: AuthenticationHandler;
    readonly log: Logger;
    readonly signal: AbortSignal;
    readonly serving: WebhookServing | undefined;
  },
  review: TokenReview,
): Promise<AuthenticationResponse> {
  const log = call.log.withValues({ requestID: review.metadata.uid ?? "" });
  try {
    const response = await withLogger(log, async () => await call.handler(review, { log, signal: call.signal }));
    // A handler in JavaScript may return anything; only `true` authenticates a user.
    const { authenticated, user } = response.status;
    return authenticated === undefined || (typeof authenticated === "boolean" && isRecord(user))
      ? response
      : errored("the handler returned an invalid response");
  } catch (thrown) {
    const error = readableError(thrown);
    if (!isDefect(error)) return errored(error);
    webhookMetrics(call.serving?.registry).panics.inc();
    log.error(error, "the authentication handler failed");
    return errored("the handler failed");
  }
}

function bad(message: string): ReviewRead {
  return { kind: "bad", message };
}

function reply({ kind, apiVersion, uid }: ReviewHead, { status }: AuthenticationResponse): Response {
  return Response.json({
    ...(kind === undefined ? {} : { kind, apiVersion }),
    metadata: uid === undefined ? {} : { uid },
    spec: {},
    status,
  });
}
