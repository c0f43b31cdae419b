import { StatusError } from "@kubescaffold/k8s";
import type { Status, StatusDetails } from "@kubescaffold/k8s/meta/v1";

/** A failed response and its request. */
export interface FailedResponse {
  /** The HTTP method of the request. */
  readonly method: string;
  /** The path of the request. */
  readonly path: string;
  /** The HTTP status. */
  readonly status: number;
  /** The body as text. */
  readonly body: string;
  /** The value of `Retry-After` in seconds. */
  readonly retryAfterSeconds: number | undefined;
}

/** Converts a failed response into an error with the server's `Status`, or with one derived from the HTTP status. */
export function toStatusError(response: FailedResponse): StatusError {
  const status = parseStatus(response.body);
  if (status === undefined) return new StatusError(syntheticStatus(response));
  // The code of a status is optional, and functions such as isNotFound need it.
  return new StatusError(typeof status.code === "number" ? status : { ...status, code: response.status });
}

/** Parses a body as a failed `Status`; returns undefined for any other body. */
function parseStatus(body: string): Status | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  return isFailedStatus(value) ? value : undefined;
}

/** Reports whether a value is a `Status` of a failure. */
export function isFailedStatus(value: unknown): value is Status {
  const candidate = value as Partial<Status> | null;
  return typeof candidate === "object" && candidate?.kind === "Status" && candidate.status === "Failure";
}

const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function syntheticStatus(response: FailedResponse): Status {
  const text = response.body.trim().slice(0, 2048);
  const cause = text === "" ? [] : [{ reason: "UnexpectedServerResponse", message: text }];
  const details: StatusDetails = {
    ...targetOf(response.path),
    ...(cause.length === 0 ? {} : { causes: cause }),
    ...(response.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: response.retryAfterSeconds }),
  };
  const answer = `the server answered ${response.method} ${response.path.split("?")[0] ?? ""} with ${String(response.status)}`;
  return {
    apiVersion: "v1",
    kind: "Status",
    metadata: {},
    status: "Failure",
    message: text === "" ? answer : `${answer}: ${text}`,
    reason: statusReason(response),
    details,
    code: response.status,
  };
}

function statusReason({ method, status }: FailedResponse): string {
  if (status === 409 && method === "POST") {
    return "AlreadyExists";
  }
  return REASONS[status] ?? (status >= 500 ? "InternalError" : "Unknown");
}

// Parses group, resource, and name from the path, like a server sets them in the details.
function targetOf(path: string): StatusDetails {
  const segments = (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
  const isCore = segments[0] === "api";
  const rest = segments.slice(isCore ? 2 : 3);
  const [resource, name] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  return {
    ...(isCore || segments[1] === undefined ? {} : { group: segments[1] }),
    ...(resource === undefined ? {} : { kind: resource }),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
  };
}
