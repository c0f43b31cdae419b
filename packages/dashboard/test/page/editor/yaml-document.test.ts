import { describe, expect, it } from "vitest";

import { parseField, problemsByPath } from "../../../src/page/editor/field-problems.ts";
import { firstText } from "../../../src/page/editor/first-text.ts";
import {
  constraintsOf,
  fieldKindOf,
  formSchemaOf,
  initialValue,
  parseInput,
} from "../../../src/page/editor/form-schema.ts";
import {
  editableText,
  parseText,
  parseValue,
  removeFromText,
  setInText,
} from "../../../src/page/editor/yaml-document.ts";

const TEXT = `# head
spec:
  size: 1 # replicas

  names:
    - a
`;

describe("the text of an object", () => {
  it("keeps comments and blank lines when a value changes", () => {
    expect(setInText(TEXT, ["spec", "size"], 2)).toBe(TEXT.replace("size: 1", "size: 2"));
  });

  it("gets the parents of a new value, also where a field has none", () => {
    expect(setInText("spec:\n", ["spec", "a", "b"], true)).toBe("spec:\n  a:\n    b: true\n");
    expect(setInText("spec: {}\n", ["spec", "list", 0], "x")).toBe("spec:\n  list:\n    - x\n");
  });

  it("quotes texts that would be something else", () => {
    expect(setInText("a: x\n", ["a"], "yes")).toBe('a: "yes"\n');
    expect(setInText("a: x\n", ["a"], "1")).toBe('a: "1"\n');
    expect(setInText('a: ""\n', ["a"], "word")).toBe("a: word\n");
  });

  it("loses a list with its last item", () => {
    expect(removeFromText(TEXT, ["spec", "names", 0])).not.toContain("names");
    expect(removeFromText("a:\n  b: 1\n", ["a", "b"])).toBe("a: {}\n");
  });

  it("is read like kubectl reads it", () => {
    expect(parseText("a: yes\nb: 2020-01-01\nc: 12:30\nd: 010\n")).toEqual({
      kind: "object",
      value: { a: true, b: "2020-01-01", c: "12:30", d: 8 },
    });
  });

  it.each([
    ["a: [", 1],
    ["a: 1\nb: }\n", 2],
    ["- 1", 1],
    ["", 1],
  ])("%j is invalid at a line", (text, line) => {
    expect(parseText(text)).toMatchObject({ kind: "invalid", line });
  });

  it("is without what the server writes when it is edited", () => {
    const yaml = "metadata:\n  name: a\n  uid: u\n  resourceVersion: '1'\n  generation: 1\nspec: {}\nstatus: {}\n";
    expect(editableText(yaml)).toBe("metadata:\n  name: a\nspec: {}\n");
  });

  it("of a field may be wrong", () => {
    expect(parseValue("a: 1")).toEqual({ value: { a: 1 } });
    expect(parseValue("a: [")).toHaveProperty("message");
  });
});

describe("the schema of a form", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: "string", enum: ["a"] }, "enum"],
    [{ type: "integer" }, "integer"],
    [{ "x-kubernetes-int-or-string": true }, "int-or-string"],
    [{ type: "array", items: { type: "string" } }, "array"],
    [{ type: "object", properties: { a: {} } }, "object"],
    [{ type: "object", additionalProperties: { type: "string" } }, "map"],
    [{ type: "object", "x-kubernetes-preserve-unknown-fields": true }, "yaml"],
    [{}, "yaml"],
  ])("%o is edited as %s", (schema, kind) => {
    expect(fieldKindOf(schema)).toBe(kind);
  });

  it("has the metadata that a person writes, and no status", () => {
    const schema = { properties: { metadata: {}, spec: { type: "object" }, status: {} } };
    expect(Object.keys(formSchemaOf(schema, true).properties ?? {})).toEqual(["metadata", "spec"]);
    expect(Object.keys(formSchemaOf(schema, true).properties?.["metadata"]?.properties ?? {})).toEqual([
      "name",
      "namespace",
      "labels",
      "annotations",
    ]);
    expect(formSchemaOf(schema, false).properties?.["metadata"]?.properties).not.toHaveProperty("namespace");
  });

  it("describes limits", () => {
    expect(constraintsOf({ type: "integer", format: "int32", minimum: 1, maximum: 9 })).toBe(
      "integer, int32, at least 1, at most 9",
    );
    expect(constraintsOf({ type: "string", minLength: 1, maxLength: 63 })).toBe(
      "string, at least 1 character, at most 63 characters",
    );
    expect(constraintsOf({ type: "array", items: {}, minItems: 2, maxItems: 1 })).toBe(
      "list, at least 2 items, at most 1 item",
    );
  });

  it("gives new values what is required, without defaults", () => {
    const schema = {
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "string" }, b: { type: "integer", default: 3 }, c: { type: "string" } },
    };
    expect(initialValue(schema)).toEqual({ a: "" });
    expect(initialValue({ type: "integer", minimum: 5 })).toBe(5);
    expect(initialValue({ type: "string", enum: ["x", "y"] })).toBe("x");
  });

  it("reads numbers, and leaves what is not a number to the server", () => {
    expect(parseInput("integer", "12")).toBe(12);
    expect(parseInput("integer", "12a")).toBe("12a");
    expect(parseInput("number", "1.5")).toBe(1.5);
    expect(parseInput("int-or-string", "80%")).toBe("80%");
    expect(parseInput("int-or-string", "80")).toBe(80);
    expect(parseInput("string", "12")).toBe("12");
  });

  it("makes the first text of a kind", () => {
    const schema = {
      properties: { spec: { type: "object", required: ["title"], properties: { title: { type: "string" } } } },
    };
    const kind = { apiVersion: "a/v1", kind: "Book", resource: "books", isNamespaced: true, isOfProject: true };
    expect(firstText({ ...kind, schema, samples: [] })).toBe(
      'apiVersion: a/v1\nkind: Book\nmetadata:\n  name: book-sample\n  namespace: default\nspec:\n  title: ""\n',
    );
  });
});

describe("the fields of problems", () => {
  it.each([
    ["spec.size", ["spec", "size"]],
    ["spec.containers[0].name", ["spec", "containers", 0, "name"]],
    ["metadata.labels[app.kubernetes.io/name]", ["metadata", "labels", "app.kubernetes.io/name"]],
    ['spec.config["a.b"].c', ["spec", "config", "a.b", "c"]],
    ["", []],
    ["spec[", ["spec", ""]],
    ["..", []],
  ])("%j", (field, path) => {
    expect(parseField(field)).toEqual(path);
  });

  it("are grouped by their path", () => {
    const problems = problemsByPath([
      { field: "spec.a", message: "one" },
      { field: "spec.a", message: "two" },
    ]);
    expect(problems.get("spec/a")).toEqual(["one", "two"]);
  });
});
