import type { AdmissionRequest, AdmissionReview } from "@kubescaffold/k8s/admission/v1";

import type { HttpHandler } from "../../http-server/http-handler.ts";
import { type Logger, messageOf } from "../../log/logger.ts";
import { webhookMetrics } from "../../metrics/webhook-metrics.ts";
import { readLimited } from "../review.ts";
import { type AdmissionHandler, type AdmissionResponse, errored } from "./admission-response.ts";

/** The largest body of a review that is read, in bytes. */
const MAX_BODY_BYTES = 7 * 1024 * 1024;

/** The versions of the protocol that are spoken; the older one has the same fields. */
const REVIEW_VERSIONS: ReadonlySet<string> = new Set(["admission.k8s.io/v1", "admission.k8s.io/v1beta1"]);

/** How a webhook answers. */
export interface AdmissionWebhookOptions {
  readonly handler: AdmissionHandler;
  readonly log: Logger;
  /** Turns a defect of the handler into a refusal with code 500; true unless switched off. */
  readonly recoverPanic?: boolean;
  /** What the handler does, for those who look at what is registered. */
  readonly role?: AdmissionRole;
}

/** Whether a webhook changes objects or decides on them, which says the sort of configuration that it belongs into. */
export type AdmissionRole = "mutating" | "validating";

/** An admission handler served over HTTP, and its role where that is known. */
export interface AdmissionEndpoint extends HttpHandler {
  readonly role?: AdmissionRole;
}

/**
 * Serves an admission handler over HTTP, as the API server calls it.
 *
 * Guarantees: the answer is always an `AdmissionReview` with HTTP status 200, of the version that was asked, with the request's uid where it could be read.
 */
export function admissionWebhook(options: AdmissionWebhookOptions): AdmissionEndpoint {
  const endpoint: HttpHandler = async (request) => {
    const review = await readReview(request);
    if (review.kind === "bad")
      return reply({ apiVersion: undefined, uid: undefined }, errored(review.code, review.message));
    const response = await decide(options, review.request, request.signal);
    return reply({ apiVersion: review.apiVersion, uid: review.request.uid }, response);
  };
  return options.role === undefined ? endpoint : Object.assign(endpoint, { role: options.role });
}

type ReviewRead =
  | { readonly kind: "review"; readonly apiVersion: string; readonly request: AdmissionRequest }
  | { readonly kind: "bad"; readonly code: number; readonly message: string };

async function readReview(request: Request): Promise<ReviewRead> {
  const body = await readLimited(request, MAX_BODY_BYTES);
  if (body === undefined) return bad(413, `request entity is too large; limit is ${String(MAX_BODY_BYTES)} bytes`);
  if (body.length === 0) return bad(400, "request body is empty");
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType !== "application/json") {
    return bad(400, `contentType=${contentType}, expected application/json`);
  }
  return parseReview(body);
}

function parseReview(body: string): ReviewRead {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    return bad(400, `the body is not JSON: ${messageOf(error)}`);
  }
  if (!isReview(parsed)) return bad(400, "the body is not an AdmissionReview of admission.k8s.io/v1 or v1beta1");
  return { kind: "review", apiVersion: parsed.apiVersion, request: parsed.request };
}

function isReview(value: unknown): value is AdmissionReview & { readonly request: AdmissionRequest } {
  if (typeof value !== "object" || value === null) return false;
  const review = value as Partial<AdmissionReview>;
  return (
    review.kind === "AdmissionReview" &&
    typeof review.apiVersion === "string" &&
    REVIEW_VERSIONS.has(review.apiVersion) &&
    typeof review.request === "object" &&
    review.request !== null
  );
}

async function decide(
  options: AdmissionWebhookOptions,
  request: AdmissionRequest,
  signal: AbortSignal,
): Promise<AdmissionResponse> {
  const log = options.log.withValues({
    object: { name: request.name ?? "", namespace: request.namespace ?? "" },
    operation: request.operation,
    requestID: request.uid,
    resource: request.resource,
    user: request.userInfo.username ?? "",
  });
  try {
    return await options.handler(request, { request, log, signal });
  } catch (error) {
    webhookMetrics().panics.inc();
    if (options.recoverPanic === false) throw error;
    log.error(error, "the admission handler threw");
    return errored(500, `panic: ${messageOf(error)} [recovered]`);
  }
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
  return { patch: Buffer.from(JSON.stringify(response.patches)).toString("base64"), patchType: "JSONPatch" };
}
