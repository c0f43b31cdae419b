import type { JSONValue } from "@kubescaffold/k8s";
import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";
import type { Status } from "@kubescaffold/k8s/meta/v1";
import { createJsonPatch, type JsonPatchOperation } from "@kubescaffold/schema";

import { type Logger, messageOf } from "../../log/logger.ts";

/**
 * What a webhook answers, before it is wrapped into an `AdmissionReview`.
 *
 * Patches are relative to the object exactly as it was received.
 */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly patches: readonly JsonPatchOperation[];
  readonly warnings: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly status?: Status;
}

/** Returns an answer that lets the request pass. */
export function allowed(message = ""): AdmissionResponse {
  return validationResponse(true, message);
}

/** Returns an answer that refuses the request with 403 Forbidden. */
export function denied(message: string): AdmissionResponse {
  return validationResponse(false, message);
}

/** Returns an answer that lets the request pass with changes to its object. */
export function patched(message: string, ...patches: readonly JsonPatchOperation[]): AdmissionResponse {
  return { ...validationResponse(true, message), patches };
}

/** Returns an answer that refuses the request because handling it failed, with an HTTP status code. */
export function errored(code: number, error: unknown): AdmissionResponse {
  return { allowed: false, patches: [], warnings: [], status: { code, message: messageOf(error) } };
}

/** Returns an answer that allows (200) or refuses (403) the request; a message becomes the status' message. */
export function validationResponse(isAllowed: boolean, message: string): AdmissionResponse {
  const status: Status = isAllowed ? { code: 200 } : { code: 403, reason: "Forbidden" };
  return {
    allowed: isAllowed,
    patches: [],
    warnings: [],
    status: message === "" ? status : { ...status, message },
  };
}

/** Returns an answer whose patch turns the received object into the wanted one. */
export function patchResponse(received: unknown, wanted: unknown): AdmissionResponse {
  return {
    allowed: true,
    patches: createJsonPatch(received as JSONValue, wanted as JSONValue),
    warnings: [],
    status: { code: 200 },
  };
}

/** Returns the same answer with warnings that the user's client prints. */
export function withWarnings(response: AdmissionResponse, ...warnings: readonly string[]): AdmissionResponse {
  return { ...response, warnings: [...response.warnings, ...warnings] };
}

/** What a handler is given beside the request. */
export interface AdmissionContext {
  readonly request: AdmissionRequest;
  readonly log: Logger;
  /** Aborts when the API server gives the call up or the webhook server stops. */
  readonly signal: AbortSignal;
}

/** Decides on one admission request. */
export type AdmissionHandler = (request: AdmissionRequest, context: AdmissionContext) => Promise<AdmissionResponse>;
