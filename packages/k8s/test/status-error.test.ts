import { describe, expect, it } from "vitest";

import * as make from "../src/new-status-error.ts";
import * as status from "../src/status-error.ts";

const pods = { group: "", resource: "pods" };
const CASES: readonly (readonly [name: string, error: Error, question: (error: unknown) => boolean])[] = [
  ["isNotFound", make.newNotFound(pods, "a"), status.isNotFound],
  ["isAlreadyExists", make.newAlreadyExists(pods, "a"), status.isAlreadyExists],
  ["isConflict", make.newConflict(pods, "a", "b"), status.isConflict],
  ["isInvalid", make.newInvalid({ group: "", kind: "Pod" }, "a", []), status.isInvalid],
  ["isForbidden", make.newForbidden(pods, "a", "b"), status.isForbidden],
  ["isUnauthorized", make.newUnauthorized(""), status.isUnauthorized],
  ["isGone", make.newGone("a"), status.isGone],
  ["isResourceExpired", make.newResourceExpired("a"), status.isResourceExpired],
  ["isTooManyRequests", make.newTooManyRequests("a", 1), status.isTooManyRequests],
  ["isTimeout", make.newTimeout("a", 1), status.isTimeout],
  ["isServerTimeout", make.newServerTimeout(pods, "get", 1), status.isServerTimeout],
  ["isInternalError", make.newInternalError("a"), status.isInternalError],
  ["isServiceUnavailable", make.newServiceUnavailable("a"), status.isServiceUnavailable],
  ["isBadRequest", make.newBadRequest("a"), status.isBadRequest],
  ["isMethodNotSupported", make.newMethodNotSupported(pods, "get"), status.isMethodNotSupported],
  ["isRequestEntityTooLarge", make.newRequestEntityTooLarge("a"), status.isRequestEntityTooLarge],
  ["isStoreReadError", new status.StatusError({ code: 500, reason: "StorageReadError" }), status.isStoreReadError],
];

describe("the questions about status errors", () => {
  it.each(CASES)("%s is true of its own error alone", (name, error) => {
    const answers = CASES.filter(([, , question]) => question(error)).map(([other]) => other);
    expect(answers).toEqual([name]);
  });

  it("find the status of an error that caused another", () => {
    expect(status.isNotFound(new TypeError("reading failed", { cause: make.newNotFound(pods, "a") }))).toBe(true);
    expect(status.isNotFound(new TypeError("not found"))).toBe(false);
    expect(status.isNotFound(undefined)).toBe(false);
  });

  it("look at the code only where the reason says nothing", () => {
    expect(status.isNotFound(new status.StatusError({ code: 404 }))).toBe(true);
    expect(status.isNotFound(new status.StatusError({ code: 404, reason: "Mysterious" }))).toBe(true);
    expect(status.isNotFound(new status.StatusError({ code: 404, reason: "Conflict" }))).toBe(false);
    expect(status.isConflict(make.newAlreadyExists(pods, "a"))).toBe(false);
  });

  it("do not take an object that cannot be read from storage for a failure of the server", () => {
    expect(status.isInternalError(new status.StatusError({ code: 500, reason: "StorageReadError" }))).toBe(false);
    expect(status.isInternalError(new status.StatusError({ code: 500, reason: "Mysterious" }))).toBe(true);
  });
});

describe("suggestedRetryAfterMs", () => {
  it("returns what the server asks for, in milliseconds", () => {
    expect(status.suggestedRetryAfterMs(make.newTooManyRequests("a", 2))).toBe(2000);
    expect(status.suggestedRetryAfterMs(make.newServerTimeout(pods, "get", 0))).toBe(0);
    expect(status.suggestedRetryAfterMs(make.newNotFound(pods, "a"))).toBeUndefined();
    expect(status.suggestedRetryAfterMs(new TypeError("x"))).toBeUndefined();
  });
});

describe("hasStatusCause", () => {
  it("finds a cause by its reason", () => {
    const error = make.newInvalid({ group: "", kind: "Pod" }, "a", [
      { type: "FieldValueRequired", field: "spec", badValue: "", detail: "" },
    ]);
    expect(status.hasStatusCause(error, "FieldValueRequired")).toBe(true);
    expect(status.hasStatusCause(error, "FieldValueInvalid")).toBe(false);
    expect(status.statusCause(error, "FieldValueRequired")?.field).toBe("spec");
  });
});

describe("ignoreNotFound and ignoreAlreadyExists", () => {
  it("swallow their own error and no other", async () => {
    await expect(status.ignoreNotFound(Promise.reject(make.newNotFound(pods, "a")))).resolves.toBeUndefined();
    await expect(status.ignoreNotFound(Promise.resolve(1))).resolves.toBe(1);
    await expect(status.ignoreNotFound(Promise.reject(make.newGone("a")))).rejects.toThrow("a");
    await expect(status.ignoreAlreadyExists(Promise.reject(make.newAlreadyExists(pods, "a")))).resolves.toBeUndefined();
  });
});
