import { describe, expect, it } from "vitest";

import { causesOf, findCause, rootCauseOf } from "../../src/failures/causes.ts";
import { isInstance, messageOf, readableError, UnreadableErrorError } from "../../src/failures/thrown-value.ts";
import { isConflict, StatusError } from "../../src/status-error.ts";
import { THROWN_VALUES } from "./thrown-values.ts";

const textsOf = (error: unknown): readonly string[] => [...causesOf(error)].map(messageOf);

describe("causesOf", () => {
  it("yields an error, the errors of an AggregateError, and the cause, parents first", () => {
    const first = new Error("first", { cause: "text" });
    const joined = new AggregateError([first, new Error("second")], "joined", { cause: new Error("cause") });
    expect(textsOf(new Error("outer", { cause: joined }))).toEqual([
      "outer",
      "joined",
      "first",
      "text",
      "second",
      "cause",
    ]);
    expect(rootCauseOf(joined)).toBe("text");
    expect(textsOf(undefined)).toEqual(["undefined"]);
  });

  it.each(Object.entries(THROWN_VALUES))("ends and throws nothing: %s", (_, create) => {
    const error = create();
    const found = [...causesOf(error)];
    expect(found.length).toBeLessThanOrEqual(1000);
    expect(found[0] === error).toBe(true);
    expect(new Set(found).size).toBe(found.length);
    expect(() => rootCauseOf(error)).not.toThrow();
    expect(findCause(error, StatusError)).toBeUndefined();
    expect(isConflict(error)).toBe(false);
  });

  it("finds an error in a chain and in an AggregateError, as errors.As does", () => {
    const conflict = new StatusError({ reason: "Conflict", code: 409 });
    expect(isConflict(new Error("outer", { cause: new AggregateError([new Error("x"), conflict]) }))).toBe(true);
  });
});

describe("readableError", () => {
  it.each(Object.entries(THROWN_VALUES))("returns a value whose properties can be read: %s", (_, create) => {
    const error = readableError(create());
    expect(typeof messageOf(error)).toBe("string");
    if (!isInstance(error, Error)) return;
    expect([typeof error.message, typeof error.name, typeof error.stack]).toEqual(["string", "string", "string"]);
    expect(() => [error.cause, "code" in error]).not.toThrow();
  });

  it("replaces only what cannot be read", () => {
    const error = Object.freeze(new Error("frozen"));
    expect(readableError(error)).toBe(error);
    expect(readableError("text")).toBe("text");
    expect(readableError(THROWN_VALUES["a revoked Proxy"]?.())).toBeInstanceOf(UnreadableErrorError);
  });
});
