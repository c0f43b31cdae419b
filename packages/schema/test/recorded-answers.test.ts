import { fieldErrorToString, type FieldError, type JSONValue } from "@kubescaffold/k8s";
import { builtInSchema } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import {
  applyDefaults,
  applyJsonMergePatch,
  applyJsonPatch,
  applyStrategicMergePatch,
  checkStructural,
  createJsonMergePatch,
  createStrategicMergePatch,
  prune,
  validate,
  type JsonObject,
  type SchemaResolver,
} from "../src/index.ts";
import { recorded } from "./recorded.ts";

const resolve: SchemaResolver = (ref) => builtInSchema(ref);
const strategic = (type: "Pod" | "Deployment"): { schema: { $ref: string }; resolve: SchemaResolver } => ({
  schema: { $ref: type === "Pod" ? "io.k8s.api.core.v1.Pod" : "io.k8s.api.apps.v1.Deployment" },
  resolve,
});

/** Prints errors as the oracle does; upstream walks maps in any order. */
function report(errors: readonly FieldError[]): readonly string[] {
  return errors.map((error) => `${error.type} ${fieldErrorToString(error)}`).sort();
}

function outcome(apply: () => unknown): unknown {
  try {
    return { value: apply() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function each<T>(cases: readonly T[], check: (item: T) => void): void {
  expect(cases.length).toBeGreaterThan(90);
  cases.forEach(check);
}

describe("what upstream's libraries answered", () => {
  it("is what validation says of the same values", () => {
    each(recorded("validate"), ({ schema, value, previous, answer }) => {
      const errors = validate(schema, value as JSONValue, { previous: previous as JSONValue });
      expect({ schema, value, previous, errors: report(errors) }).toEqual({
        schema,
        value,
        previous,
        errors: [...(answer.errors ?? [])].sort(),
      });
    });
  });

  it("is what pruning leaves of the same objects", () => {
    each(recorded("prune"), ({ schema, value, answer }) => {
      expect({ schema, value, pruned: prune(schema, value as JSONValue) }).toEqual({ schema, value, pruned: answer });
    });
  });

  it("is what defaulting makes of the same objects", () => {
    each(recorded("default"), ({ schema, value, answer }) => {
      const defaulted = applyDefaults(schema, value as JSONValue);
      expect({ schema, value, defaulted }).toEqual({ schema, value, defaulted: answer.value });
    });
  });

  it("is what the structural check says of the same schemas", () => {
    each(recorded("structural"), ({ schema, hasStatus, answer }) => {
      const errors = checkStructural(schema, { hasStatus: hasStatus ?? false });
      expect({ schema, errors: report(errors) }).toEqual({ schema, errors: [...(answer.errors ?? [])].sort() });
    });
  });

  it("is what a strategic merge patch does to the same objects", () => {
    each(recorded("strategic"), ({ type, value, patch, answer }) => {
      const actual = outcome(() => applyStrategicMergePatch(value as JsonObject, patch as JSONValue, strategic(type)));
      expect({ value, patch, actual }).toEqual({ value, patch, actual: answer });
    });
  });

  it("is the strategic merge patch between the same objects", () => {
    each(recorded("strategic-create"), ({ type, value, patch, answer }) => {
      const actual = outcome(() =>
        createStrategicMergePatch(value as JsonObject, patch as JsonObject, strategic(type)),
      );
      expect({ value, patch, actual }).toEqual({ value, patch, actual: answer });
    });
  });

  it("is what a merge patch does to the same documents", () => {
    each(recorded("merge"), ({ value, patch, answer }) => {
      const actual = outcome(() => applyJsonMergePatch(value as JsonObject, patch as JSONValue));
      expect({ value, patch, actual }).toEqual({ value, patch, actual: answer });
    });
  });

  it("is the merge patch between the same documents", () => {
    each(recorded("merge-create"), ({ value, patch, answer }) => {
      const actual = outcome(() => createJsonMergePatch(value as JsonObject, patch as JsonObject));
      expect({ value, patch, actual }).toEqual({ value, patch, actual: answer });
    });
  });

  it("is what a JSON patch does to the same documents", () => {
    each(recorded("json-patch"), ({ value, patch, answer }) => {
      const actual = outcome(() => applyJsonPatch(value as JSONValue, patch as JSONValue));
      expect({ value, patch, actual }).toEqual({ value, patch, actual: answer });
    });
  });
});
