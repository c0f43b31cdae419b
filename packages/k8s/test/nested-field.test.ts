import { describe, expect, it } from "vitest";

import { nestedField, withNestedField, withoutNestedField } from "../src/nested-field.ts";

const OBJECT = { spec: { replicas: 2, template: { labels: { app: "web" } }, list: [{ a: 1 }] } };

describe("nestedField", () => {
  it("returns the field at a path, also one that is null", () => {
    expect(nestedField(OBJECT, ["spec", "template", "labels", "app"])).toBe("web");
    expect(nestedField({ a: null }, ["a"])).toBeNull();
    expect(nestedField(OBJECT, [])).toBe(OBJECT);
  });

  it("returns undefined where the path ends early, leads through a list, or names no own field", () => {
    for (const path of [["status"], ["spec", "replicas", "x"], ["spec", "list", "0"], ["toString"], ["__proto__"]]) {
      expect(nestedField(OBJECT, path)).toBeUndefined();
    }
  });
});

describe("withNestedField", () => {
  it("returns a copy with the field, and shares what is not on the path", () => {
    const copy = withNestedField(OBJECT, ["spec", "replicas"], 3);
    expect(copy.spec.replicas).toBe(3);
    expect(OBJECT.spec.replicas).toBe(2);
    expect(copy.spec.template).toBe(OBJECT.spec.template);
  });

  it("creates objects on the way, in place of other values", () => {
    expect(withNestedField({}, ["a", "b", "c"], 1)).toEqual({ a: { b: { c: 1 } } });
    expect(withNestedField({ a: 1 }, ["a", "b"], 2)).toEqual({ a: { b: 2 } });
  });

  it("sets __proto__ like any other field", () => {
    const copy = withNestedField({}, ["__proto__", "polluted"], true);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("withoutNestedField", () => {
  it("returns a copy without the field", () => {
    expect(withoutNestedField(OBJECT, ["spec", "template"])).toEqual({ spec: { replicas: 2, list: [{ a: 1 }] } });
    expect(Object.keys(OBJECT.spec)).toContain("template");
  });

  it("returns the object itself without such a field", () => {
    expect(withoutNestedField(OBJECT, ["spec", "paused"])).toBe(OBJECT);
    expect(withoutNestedField(OBJECT, ["status", "a"])).toBe(OBJECT);
    expect(withoutNestedField(OBJECT, [])).toBe(OBJECT);
  });
});
