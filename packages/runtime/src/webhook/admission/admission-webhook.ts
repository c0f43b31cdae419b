import { messageOf, parseLosslessJson, printLosslessJson, readableError } from "@kubescaffold/k8s";
import type { AdmissionRequest, AdmissionReview } from "@kubescaffold/k8s/admission/v1";
import { isRecord } from "@kubescaffold/platform";

import { withLogger } from "../../log/call-scope.ts";
import type { Logger } from "../../log/logger.ts";
import { webhookMetrics } from "../../metrics/webhook-metrics.ts";
import type { WebhookCalled } from "../../observe/observer.ts";
import { ReturnedValueError } from "../../reconcile/returned-value.ts";
import { recordError } from "../../tracing/spans.ts";
import { isDefect } from "../defects.ts";
import { type BadBody, readJsonText } from "../json-call.ts";
import {
  type WebhookContextFunction,
  type WebhookHandler,
  type WebhookServing,
  withValuesOf,
} from "../webhook-handler.ts";
import { describeAdmission } from "../webhook-span.ts";
import { type AdmissionHandler, type AdmissionResponse, errored, responseOfError } from "./admission-response.ts";

/** The limit of the body of a review in bytes, which is refused itself, as upstream. */
const MAX_BODY_BYTES = 7 * 1024 * 1024;

/** The versions of the protocol that are spoken; the older one has the same fields. */
const REVIEW_VERSIONS: ReadonlySet<string> = new Set(["admission.k8s.io/v1", "admission.k8s.io/v1beta1"]);

/** Options of {@link admissionWebhook}. */
export interface AdmissionWebhookOptions {
  /** The handler of the requests. */
  readonly handler: AdmissionHandler;
  /** The logger. */
  readonly log: Logger;
  /** Denies the request with code 500 when the handler throws; false answers the call with HTTP status 500. Default: true. */
  readonly recoverPanic?: boolean;
  /** The role of the handler. Default: unknown. */
  readonly role?: AdmissionRole;
  /** Returns the logger of a request. Default: {@link defaultLogConstructor}. */
  readonly logConstructor?: AdmissionLogConstructor;
  /** Returns the values that `contextValues` returns in the handler. Default: those of the manager. */
  readonly contextFunc?: WebhookContextFunction;
}

/** Derives the logger of a request from that of the webhook. */
export type AdmissionLogConstructor = (base: Logger, request: AdmissionRequest) => Logger;

/**
 * Returns a logger with the object, the operation, the resource, the user, and the ID of a request.
 *
 * controller-runtime: pkg/webhook/admission.DefaultLogConstructor
 */
export const defaultLogConstructor: AdmissionLogConstructor = (base, request) =>
  base.withValues({
    object: { name: request.name ?? "", namespace: request.namespace ?? "" },
    operation: request.operation,
    requestID: request.uid,
    resource: request.resource,
    user: request.userInfo.username ?? "",
  });

/** Whether a webhook mutates or validates objects, which determines the kind of its configuration. */
export type AdmissionRole = "mutating" | "validating";

/** An admission handler served over HTTP. */
export interface AdmissionEndpoint extends WebhookHandler {
  /** The role of the handler, if it is known. */
  readonly role?: AdmissionRole;
}

/**
 * Serves an admission handler over HTTP.
 *
 * Guarantees: the response is always an `AdmissionReview` with HTTP status 200, in the requested version, with the request's uid if it could be read.
 * An error that the handler throws denies the request with its message and code 403, or with its API status. A defect, such as a property of `undefined`,
 * is logged, counted, and denied with code 500.
 *
 * controller-runtime: pkg/webhook/admission.Webhook
 */
export function admissionWebhook(options: AdmissionWebhookOptions): AdmissionEndpoint {
  const endpoint: WebhookHandler = async (request, serving) => {
    const review = await readReview(request);
    if (review.kind === "bad")
      return reply({ apiVersion: undefined, uid: undefined }, errored(review.code, review.message));
    const run = (): Promise<AdmissionResponse> => decide(options, review.request, { signal: request.signal, serving });
    const response = await withValuesOf(options.contextFunc, request, run);
    describeAdmission(review.request, response);
    serving?.observe?.({
      purpose: purposeOf(options.role),
      request: review.request,
      response: { uid: review.request.uid, ...response },
    });
    return reply({ apiVersion: review.apiVersion, uid: review.request.uid }, response);
  };
  return options.role === undefined ? endpoint : Object.assign(endpoint, { role: options.role });
}

function purposeOf(role: AdmissionRole | undefined): WebhookCalled["purpose"] {
  return role === undefined ? "admit" : role === "mutating" ? "mutate" : "validate";
}

type ReviewRead =
  | { readonly kind: "review"; readonly apiVersion: string; readonly request: AdmissionRequest }
  | BadBody;

async function readReview(request: Request): Promise<ReviewRead> {
  const body = await readJsonText(request, MAX_BODY_BYTES);
  return body.kind === "bad" ? body : parseReview(body.text);
}

function parseReview(body: string): ReviewRead {
  let parsed: unknown;
  try {
    parsed = parseLosslessJson(body);
  } catch (error) {
    return bad(400, `the body is not JSON: ${messageOf(error)}`);
  }
  if (!isReview(parsed)) return bad(400, "the body is not an AdmissionReview of admission.k8s.io/v1 or v1beta1");
  // Handlers may rely on a user, although a body may leave it out.
  const request = { ...parsed.request, userInfo: parsed.request.userInfo ?? {} };
  return { kind: "review", apiVersion: parsed.apiVersion, request };
}

function isReview(value: unknown): value is AdmissionReview & { readonly request: AdmissionRequest } {
  if (!isRecord(value)) return false;
  const review = value as Partial<AdmissionReview>;
  return (
    review.kind === "AdmissionReview" &&
    typeof review.apiVersion === "string" &&
    REVIEW_VERSIONS.has(review.apiVersion) &&
    isRecord(review.request) &&
    ["string", "undefined"].includes(typeof review.request.uid)
  );
}

async function decide(
  options: AdmissionWebhookOptions,
  request: AdmissionRequest,
  call: { readonly signal: AbortSignal; readonly serving: WebhookServing | undefined },
): Promise<AdmissionResponse> {
  const log = loggerOf(options, request);
  try {
    return requireResponse(
      await withLogger(log, () => options.handler(request, { request, log, signal: call.signal })),
    );
  } catch (thrown) {
    const error = readableError(thrown);
    if (error instanceof ReturnedValueError) {
      log.error(error, "the admission handler returned an impossible value");
      return errored(500, `${error.message}; ${error.hint ?? ""}`);
    }
    if (!isDefect(error)) return responseOfError(error);
    webhookMetrics(call.serving?.registry).panics.inc();
    recordError(error);
    if (options.recoverPanic === false) throw error;
    log.error(error, "the admission handler panicked");
    return errored(500, `panic: ${messageOf(error)} [recovered]`);
  }
}

// A logger that cannot be created must not keep the request from its decision.
function loggerOf(
  { logConstructor = defaultLogConstructor, log }: AdmissionWebhookOptions,
  request: AdmissionRequest,
): Logger {
  try {
    return logConstructor(log, request);
  } catch (error) {
    log.error(error, "cannot create the logger of a request");
    return defaultLogConstructor(log, request);
  }
}

// The compiler requires a response, but a program may ignore it.
function requireResponse(response: AdmissionResponse | undefined): AdmissionResponse {
  if (response !== undefined) return response;
  throw new ReferenceError("the admission handler returned no response");
}

function bad(code: number, message: string): ReviewRead {
  return { kind: "bad", code, message };
}

function reply(
  review: { readonly apiVersion: string | undefined; readonly uid: string | undefined },
  response: AdmissionResponse,
): Response {
  const typeMeta = review.apiVersion === undefined ? {} : { kind: "AdmissionReview", apiVersion: review.apiVersion };
  return Response.json({
    ...typeMeta,
    response: {
      uid: review.uid ?? "",
      allowed: response.allowed,
      ...(response.status === undefined ? {} : { status: { metadata: {}, ...response.status } }),
      ...patchFields(response),
      ...(response.warnings.length === 0 ? {} : { warnings: response.warnings }),
      ...(response.auditAnnotations === undefined ? {} : { auditAnnotations: response.auditAnnotations }),
    },
  });
}

function patchFields(response: AdmissionResponse): { readonly patch?: string; readonly patchType?: "JSONPatch" } {
  if (response.patches.length === 0) return {};
  return { patch: Buffer.from(printLosslessJson(response.patches)).toString("base64"), patchType: "JSONPatch" };
}
