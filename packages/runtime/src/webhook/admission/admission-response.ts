import { findCause, type JSONValue, messageOf, StatusError } from "@kubescaffold/k8s";
import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";
import type { Status } from "@kubescaffold/k8s/meta/v1";
import { createJsonPatch, type JsonPatchOperation } from "@kubescaffold/schema";

import type { Logger } from "../../log/logger.ts";

/**
 * The response of a webhook, before it is wrapped into an `AdmissionReview`.
 *
 * Patches are relative to the object as it was received.
 *
 * controller-runtime: pkg/webhook/admission.Response
 */
export interface AdmissionResponse {
  /** Whether the request is allowed. */
  readonly allowed: boolean;
  /** The JSON patch of the object. */
  readonly patches: readonly JsonPatchOperation[];
  /** Warnings for the user's client. */
  readonly warnings: readonly string[];
  /** Annotations of the audit event. */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** The status with code and message. */
  readonly status?: Status;
}

/**
 * Returns a response that allows the request.
 *
 * controller-runtime: pkg/webhook/admission.Allowed
 */
export function allowed(message = ""): AdmissionResponse {
  return validationResponse(true, message);
}

/**
 * Returns a response that denies the request with 403 Forbidden.
 *
 * controller-runtime: pkg/webhook/admission.Denied
 */
export function denied(message: string): AdmissionResponse {
  return validationResponse(false, message);
}

/**
 * Returns a response that allows the request and patches its object.
 *
 * controller-runtime: pkg/webhook/admission.Patched
 */
export function patched(message: string, ...patches: readonly JsonPatchOperation[]): AdmissionResponse {
  return { ...validationResponse(true, message), patches };
}

/**
 * Returns a response that denies the request because of an error, with an HTTP status code.
 *
 * controller-runtime: pkg/webhook/admission.Errored
 */
export function errored(code: number, error: unknown): AdmissionResponse {
  return { allowed: false, patches: [], warnings: [], status: { code, message: messageOf(error) } };
}

/**
 * Returns a response that allows (200) or denies (403) the request, with an optional message.
 *
 * controller-runtime: pkg/webhook/admission.ValidationResponse
 */
export function validationResponse(isAllowed: boolean, message: string): AdmissionResponse {
  const status: Status = isAllowed ? { code: 200 } : { code: 403, reason: "Forbidden" };
  return {
    allowed: isAllowed,
    patches: [],
    warnings: [],
    status: message === "" ? status : { ...status, message },
  };
}

/**
 * Returns a response with the patch from the received object to the desired one.
 *
 * controller-runtime: pkg/webhook/admission.PatchResponseFromRaw
 */
export function patchResponse(received: unknown, wanted: unknown): AdmissionResponse {
  return {
    allowed: true,
    patches: createJsonPatch(received as JSONValue, wanted as JSONValue),
    warnings: [],
    status: { code: 200 },
  };
}

/**
 * Returns the response with additional warnings for the user's client.
 *
 * controller-runtime: pkg/webhook/admission.Response.WithWarnings
 */
export function withWarnings(response: AdmissionResponse, ...warnings: readonly string[]): AdmissionResponse {
  return { ...response, warnings: [...response.warnings, ...warnings] };
}

/**
 * Converts an error that a handler returns by throwing it: an API status, which may be a cause of the error, keeps its code; any other error is a
 * denial with its message.
 */
export function responseOfError(error: unknown): AdmissionResponse {
  const status = findCause(error, StatusError)?.status;
  return status === undefined ? denied(messageOf(error)) : { allowed: false, patches: [], warnings: [], status };
}

/** The context of an admission handler. */
export interface AdmissionContext {
  /** The admission request. */
  readonly request: AdmissionRequest;
  /** A logger with the object, operation, and user. */
  readonly log: Logger;
  /** Aborts when the API server cancels the call or the webhook server stops. */
  readonly signal: AbortSignal;
}

/**
 * Handles an admission request.
 *
 * controller-runtime: pkg/webhook/admission.Handler
 */
export type AdmissionHandler = (request: AdmissionRequest, context: AdmissionContext) => Promise<AdmissionResponse>;
