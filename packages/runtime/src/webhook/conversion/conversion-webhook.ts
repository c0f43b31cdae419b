import { messageOf, parseLosslessJson, printLosslessJson, readableError } from "@kubescaffold/k8s";
import type { KubernetesObject, Status } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

import type { Logger } from "../../log/logger.ts";
import { webhookMetrics } from "../../metrics/webhook-metrics.ts";
import type { ConversionRegistry } from "../conversion-registry.ts";
import { isDefect } from "../defects.ts";
import { readLimited } from "../review.ts";
import type { WebhookHandler, WebhookServing } from "../webhook-handler.ts";

const REVIEW = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" } as const;

/** The largest body that is read, in bytes: servers send several objects at once, each at most 3 MiB. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Options of {@link conversionWebhook}. */
export interface ConversionWebhookOptions {
  /** The converters. */
  readonly registry: ConversionRegistry;
  /** The logger. */
  readonly log: Logger;
}

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubernetesObject[];
}

interface ConversionResponse {
  readonly uid: string;
  readonly convertedObjects: readonly KubernetesObject[];
  readonly result: Status;
}

/**
 * Serves the conversion of all kinds over HTTP.
 *
 * Guarantees: returns all objects in the order of the request, or none and a failure with its reason; the request's uid. The reason
 * of a defect is only logged. Any other body than a ConversionReview is answered with HTTP 400.
 *
 * controller-runtime: pkg/webhook/conversion.NewWebhookHandler
 */
export function conversionWebhook(options: ConversionWebhookOptions): WebhookHandler {
  return async (request, serving) => {
    const body = await readLimited(request, MAX_BODY_BYTES);
    if (body === undefined) return refused(413, "the body is too large");
    const review = parseRequest(body);
    if (review === undefined)
      return refused(400, `the body is not a ${REVIEW.kind} of ${REVIEW.apiVersion} with a request`);
    const response = respond(options, review, serving);
    serving?.observe?.({ purpose: "convert", request: review, response });
    const text = printLosslessJson({ ...REVIEW, response });
    return new Response(text, { headers: { "content-type": "application/json" } });
  };
}

function respond(
  options: ConversionWebhookOptions,
  request: ConversionRequest,
  serving: WebhookServing | undefined,
): ConversionResponse {
  const { uid, desiredAPIVersion, objects } = request;
  try {
    const convertedObjects = objects.map((object) => options.registry.convert(object, desiredAPIVersion));
    return { uid, convertedObjects, result: { metadata: {}, status: "Success" } };
  } catch (thrown) {
    const error = readableError(thrown);
    options.log.error(error, "conversion failed", { desiredAPIVersion, requestID: uid });
    return {
      uid,
      convertedObjects: [],
      result: { metadata: {}, status: "Failure", message: failureMessage(error, serving) },
    };
  }
}

function failureMessage(error: unknown, serving: WebhookServing | undefined): string {
  if (!isDefect(error)) return messageOf(error);
  webhookMetrics(serving?.registry).conversionPanics.inc();
  return "internal error occurred during conversion";
}

function parseRequest(body: string): ConversionRequest | undefined {
  let review: unknown;
  try {
    review = parseLosslessJson(body);
  } catch {
    return undefined;
  }
  if (!isRecord(review) || review["apiVersion"] !== REVIEW.apiVersion || review["kind"] !== REVIEW.kind)
    return undefined;
  return isRequest(review["request"]) ? review["request"] : undefined;
}

function isRequest(value: unknown): value is ConversionRequest {
  return (
    isRecord(value) &&
    typeof value["uid"] === "string" &&
    typeof value["desiredAPIVersion"] === "string" &&
    Array.isArray(value["objects"]) &&
    value["objects"].every((object) => isRecord(object) && isRecord(object["metadata"]))
  );
}

function refused(status: number, message: string): Response {
  return new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
