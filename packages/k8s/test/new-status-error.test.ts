import { describe, expect, it } from "vitest";

import * as make from "../src/new-status-error.ts";
import type { StatusError } from "../src/status-error.ts";
import { recordedAnswers } from "./oracle/oracle.ts";

interface Question {
  readonly make: string;
  readonly resource?: { readonly Group: string; readonly Resource: string };
  readonly name?: string;
  readonly text?: string;
  readonly seconds?: number;
  readonly code?: number;
  readonly verb?: string;
}

const deployments = { Group: "apps", Resource: "deployments" };
const pods = { Group: "", Resource: "pods" };
const QUESTIONS: readonly Question[] = [
  ...["notFound", "alreadyExists", "conflict", "forbidden"].flatMap((kind) => [
    { make: kind, resource: deployments, name: "web", text: "no reason" },
    { make: kind, resource: pods, name: 'a"b', text: "" },
  ]),
  { make: "forbidden", resource: pods, name: "", text: "no" },
  { make: "forbidden", name: "", text: "no" },
  ...[
    "unauthorized",
    "badRequest",
    "gone",
    "expired",
    "serviceUnavailable",
    "internal",
    "requestEntityTooLarge",
    "applyConflict",
  ].flatMap((kind) => [
    { make: kind, text: "the reason" },
    { make: kind, text: "" },
  ]),
  { make: "methodNotSupported", resource: deployments, text: "watch" },
  { make: "serverTimeout", resource: deployments, text: "get", seconds: 3 },
  { make: "timeout", text: "slow", seconds: 2 },
  { make: "timeout", text: "slow", seconds: 0 },
  { make: "tooManyRequests", text: "slower", seconds: 1 },
  ...[400, 401, 403, 404, 405, 406, 409, 410, 415, 418, 422, 429, 500, 502, 503, 504].flatMap((code) => [
    { make: "generic", code, verb: "GET", resource: deployments, name: "web", text: "a body", seconds: 1 },
    { make: "generic", code, verb: "GET", resource: pods, name: "", text: "", seconds: 0 },
    { make: "generic", code, verb: "GET", name: "", text: "unknown", seconds: 0 },
  ]),
];
const recorded = recordedAnswers<[Question, unknown]>("status", () => QUESTIONS);

describe("the makers of status errors", () => {
  it("answer exactly what upstream's answer", () => {
    expect(recorded.length).toBe(QUESTIONS.length);
    expect(recorded.map(([question]) => [question, statusOf(built(question))])).toEqual(
      recorded.map(([question, answer]) => [question, answer]),
    );
  });

  it("say that no free name was found", () => {
    const { status } = make.newGenerateNameConflict({ group: "", resource: "pods" }, "web-x", 1);
    expect(status.message).toBe(
      'pods "web-x" already exists, the server was not able to generate a unique name for the object',
    );
    expect(status.details).toEqual({ name: "web-x", kind: "pods", retryAfterSeconds: 1 });
  });
});

function statusOf(error: StatusError): unknown {
  const { apiVersion, kind, ...status } = error.status;
  expect(`${String(apiVersion)} ${String(kind)}`).toBe("v1 Status");
  return status;
}

function built({
  make: maker,
  resource: { Group, Resource } = { Group: "", Resource: "" },
  name = "",
  text = "",
  seconds = 0,
  code = 0,
  verb = "",
}: Question): StatusError {
  const resource = { group: Group, resource: Resource };
  switch (maker) {
    case "notFound":
      return make.newNotFound(resource, name);
    case "alreadyExists":
      return make.newAlreadyExists(resource, name);
    case "conflict":
      return make.newConflict(resource, name, text);
    case "forbidden":
      return make.newForbidden(resource, name, text);
    case "unauthorized":
      return make.newUnauthorized(text);
    case "badRequest":
      return make.newBadRequest(text);
    case "gone":
      return make.newGone(text);
    case "expired":
      return make.newResourceExpired(text);
    case "serviceUnavailable":
      return make.newServiceUnavailable(text);
    case "internal":
      return make.newInternalError(text);
    case "requestEntityTooLarge":
      return make.newRequestEntityTooLarge(text);
    case "applyConflict":
      return make.newApplyConflict([{ reason: "FieldManagerConflict", message: name, field: ".spec" }], text);
    case "methodNotSupported":
      return make.newMethodNotSupported(resource, text);
    case "serverTimeout":
      return make.newServerTimeout(resource, text, seconds);
    case "timeout":
      return make.newTimeout(text, seconds);
    case "tooManyRequests":
      return make.newTooManyRequests(text, seconds);
    default:
      return make.newServerResponseError({
        code,
        verb,
        resource,
        name,
        body: text,
        retryAfterSeconds: seconds,
        isUnexpected: true,
      });
  }
}
