import { fieldErrorToString } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { selectableFieldErrors } from "../../../src/resources/custom/selectable-field-rules.ts";

const SCHEMA = {
  type: "object",
  properties: {
    metadata: { type: "object", properties: { name: { type: "string" } } },
    spec: {
      type: "object",
      properties: {
        color: { type: "string", enum: ["red"] },
        size: { type: "integer" },
        list: { type: "array", items: { type: "string" } },
        labels: { type: "object", additionalProperties: { type: "string" } },
      },
    },
  },
};

function messagesOf(paths: readonly string[], isUnchanged = false): readonly string[] {
  const fields = paths.map((jsonPath) => ({ jsonPath }));
  return selectableFieldErrors(fields, { schema: SCHEMA, path: "spec.selectableFields", isUnchanged }).map((error) =>
    fieldErrorToString(error).replace("spec.selectableFields", ""),
  );
}

describe("selectable fields", () => {
  it("may be strings, integers and booleans, values of maps too", () => {
    expect(messagesOf([".spec.color", ".spec.size", ".spec.labels.team"])).toEqual([]);
  });

  it.for([
    ["", "[0].jsonPath: Required value"],
    ["spec.color", '[0].jsonPath: Invalid value: "spec.color": is an invalid path: expected [ or . but got: spec'],
    [".spec.none", '[0].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field'],
    [
      ".spec.color.deep",
      '[0].jsonPath: Invalid value: ".spec.color.deep": is an invalid path: does not refer to a valid field',
    ],
    [
      ".spec['color']",
      "[0].jsonPath: Invalid value: \".spec['color']\": is an invalid path: array notation is not allowed",
    ],
    [".spec.", '[0].jsonPath: Invalid value: ".spec.": is an invalid path: unexpected end of JSON path'],
    [".metadata.name", '[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata'],
  ] as const)("may not be %o", ([path, message]) => {
    expect(messagesOf([path])).toEqual([message]);
  });

  it("may not be of other types, nor named twice", () => {
    expect(messagesOf([".spec.list"])[0]).toContain("must point to a field of type string, boolean or integer");
    expect(messagesOf([".spec.size", ".spec.size"])).toEqual(['[1].jsonPath: Duplicate value: ".spec.size"']);
  });

  it("are at most eight, unless they were more before", () => {
    const paths = "abcdefghi".split("").map((letter) => `.spec.labels.${letter}`);
    expect(messagesOf(paths)).toEqual([": Too many: 9: must have at most 8 items"]);
    expect(messagesOf(paths, true)).toEqual([]);
  });
});
