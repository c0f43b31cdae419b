import type { Status, StatusCause, StatusDetails } from "./api/meta/v1.ts";
import { type FieldError, aggregateFieldErrors, fieldErrorBody } from "./fields/field-errors.ts";
import { goQuote } from "./fields/go-format.ts";
import { groupKindToString, groupResourceToString, type GroupKind, type GroupResource } from "./group-version.ts";
import { StatusError } from "./status-error.ts";

/** Returns the status error that an object does not exist. */
export function newNotFound(resource: GroupResource, name: string): StatusError {
  return failure(404, "NotFound", `${named(resource, name)} not found`, aboutResource(resource, name));
}

/** Returns the status error that an object already exists. */
export function newAlreadyExists(resource: GroupResource, name: string): StatusError {
  return failure(409, "AlreadyExists", `${named(resource, name)} already exists`, aboutResource(resource, name));
}

/** Returns the status error that no free name was found for a `generateName`. */
export function newGenerateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): StatusError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  return failure(409, "AlreadyExists", message, { ...aboutResource(resource, name), retryAfterSeconds });
}

/** Returns the status error that a write conflicts with the stored object. */
export function newConflict(resource: GroupResource, name: string, problem: string): StatusError {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${problem}`;
  return failure(409, "Conflict", message, aboutResource(resource, name));
}

/** Returns the status error that other managers own fields that an apply sets. */
export function newApplyConflict(causes: readonly StatusCause[], message: string): StatusError {
  return failure(409, "Conflict", message, { causes: [...causes] });
}

/** Returns the status error that the user lacks permission; an empty group and name mean no resource. */
export function newForbidden(resource: GroupResource, name: string, problem: string): StatusError {
  const isNothing = resource.group === "" && resource.resource === "";
  const what = name === "" ? groupResourceToString(resource) : named(resource, name);
  const message = isNothing ? `forbidden: ${problem}` : `${what} is forbidden: ${problem}`;
  return failure(403, "Forbidden", message, aboutResource(resource, name));
}

/** Returns the status error that the client is not authenticated. */
export function newUnauthorized(message: string): StatusError {
  return failure(401, "Unauthorized", message === "" ? "not authorized" : message);
}

/** Returns the status error that an object is invalid, with one cause per field error. */
export function newInvalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const subject = `${groupKindToString(kind)} ${goQuote(name)} is invalid`;
  const told = firstErrors(errors);
  const more = errors.length === told.length ? "" : `, and ${errors.length - told.length} more errors`;
  const message = errors.length === 0 ? subject : `${subject}: ${aggregateFieldErrors(told)}${more}`;
  const causes = told.map(causeOf);
  return failure(422, "Invalid", message, { name, group: kind.group, kind: kind.kind, causes });
}

const LONGEST_ERRORS = 4 * 1024 * 1024;

// All errors of a large object, each with a long list of values, would be longer than any text can be.
function firstErrors(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  for (const [index, error] of errors.entries()) {
    characters +=
      error.field.length + error.detail.length + (typeof error.badValue === "string" ? error.badValue.length : 0);
    if (characters > LONGEST_ERRORS && index > 0) return errors.slice(0, index);
  }
  return errors;
}

/** Returns the status error that a request is malformed. */
export function newBadRequest(message: string): StatusError {
  return failure(400, "BadRequest", message);
}

/** Returns the status error that a resource no longer exists. */
export function newGone(message: string): StatusError {
  return failure(410, "Gone", message);
}

/** Returns the status error that a resourceVersion or a continue token has expired. */
export function newResourceExpired(message: string): StatusError {
  return failure(410, "Expired", message);
}

/** Returns the status error that a resource does not support a verb. */
export function newMethodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${goQuote(groupResourceToString(resource))}`;
  return failure(405, "MethodNotAllowed", message, aboutResource(resource, ""));
}

/** Returns the status error that a request timed out and should be retried. */
export function newServerTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  const message = `The ${operation} operation against ${groupResourceToString(resource)} could not be completed at this time, please try again.`;
  return failure(500, "ServerTimeout", message, { ...aboutResource(resource, operation), retryAfterSeconds });
}

/** Returns the status error that a request timed out. */
export function newTimeout(message: string, retryAfterSeconds: number): StatusError {
  return failure(504, "Timeout", `Timeout: ${message}`, { retryAfterSeconds });
}

/** Returns the status error that the client sends too many requests. */
export function newTooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure(429, "TooManyRequests", message, { retryAfterSeconds });
}

/** Returns the status error that the server is unavailable. */
export function newServiceUnavailable(message: string): StatusError {
  return failure(503, "ServiceUnavailable", message);
}

/** Returns the status error for an internal server error. */
export function newInternalError(problem: string): StatusError {
  return failure(500, "InternalError", `Internal error occurred: ${problem}`, { causes: [{ message: problem }] });
}

/** Returns the status error that a request is too large. */
export function newRequestEntityTooLarge(message: string): StatusError {
  return failure(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
}

/** A response that is not a `Status`. */
export interface ServerResponse {
  /** The HTTP status code. */
  readonly code: number;
  /** The verb of the request, such as `get`. */
  readonly verb: string;
  /** The resource that was requested. */
  readonly resource: GroupResource;
  /** The name of the object; empty if the request has none. */
  readonly name: string;
  /** The body of the response. */
  readonly body: string;
  /** The value of the `Retry-After` header; 0 if there is none. */
  readonly retryAfterSeconds: number;
  /** Whether the body is not a `Status`, so that it is reported as a cause. */
  readonly isUnexpected: boolean;
}

/** Creates the error of a response that is not a `Status`, from its status code. */
export function newServerResponseError(response: ServerResponse): StatusError {
  const { code, body, resource, name, retryAfterSeconds, isUnexpected } = response;
  const [reason, message] = meaningOf(response);
  const isNothing = resource.group === "" && resource.resource === "";
  const subject = [response.verb.toLowerCase(), groupResourceToString(resource), ...(name === "" ? [] : [name])];
  const causes = isUnexpected ? [{ reason: "UnexpectedServerResponse", message: body }] : [];
  const details = { ...aboutResource(resource, name), causes, retryAfterSeconds };
  return failure(code, reason, isNothing ? message : `${message} (${subject.join(" ")})`, details);
}

const MEANINGS: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ["BadRequest", "the server rejected our request for an unknown reason"],
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: [
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
};

function meaningOf({ code, verb, body }: ServerResponse): readonly [string, string] {
  switch (code) {
    case 403:
      return ["Forbidden", body];
    case 406:
      return [
        "NotAcceptable",
        isSilent(body) ? "the server was unable to respond with a content type that the client supports" : body,
      ];
    case 409:
      return [verb === "POST" ? "AlreadyExists" : "Conflict", "the server reported a conflict"];
    case 415:
      return ["UnsupportedMediaType", body];
    default:
      return MEANINGS[code] ?? otherMeaning(code, body);
  }
}

function isSilent(body: string): boolean {
  return body === "" || body === "unknown";
}

function otherMeaning(code: number, body: string): readonly [string, string] {
  if (code >= 500) {
    return ["InternalError", `an error on the server (${goQuote(body)}) has prevented the request from succeeding`];
  }
  return ["", `the server responded with the status code ${code} but did not return more information`];
}

function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...(message === "" ? {} : { message }),
    ...(reason === "" ? {} : { reason }),
    ...(details === undefined ? {} : { details: withoutEmpty(details) }),
    code,
  };
  return new StatusError(status);
}

// A server sends no field that is empty.
function withoutEmpty(details: StatusDetails): StatusDetails {
  const causes = (details.causes ?? []).map((cause) => filled(cause));
  return filled({ ...details, causes });
}

function filled<T extends object>(fields: T): T {
  const isFilled = (value: unknown): boolean =>
    value !== "" && value !== 0 && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value))) as T;
}

function causeOf(error: FieldError): StatusCause {
  return { reason: error.type, message: fieldErrorBody(error), ...(error.field === "" ? {} : { field: error.field }) };
}

function aboutResource({ group, resource }: GroupResource, name: string): StatusDetails {
  return { name, group, kind: resource };
}

function named(resource: GroupResource, name: string): string {
  return `${groupResourceToString(resource)} ${goQuote(name)}`;
}
