import type { JSONValue } from "@kubescaffold/k8s";
import { expect, it } from "vitest";

import { undeclaredField } from "../../src/structured-merge/undeclared-field.ts";
import { SCHEMA } from "./schema.ts";

it.each([
  [{ spec: { size: 1, free: { a: { b: 1 } }, labels: { a: "b" } } }, undefined],
  [{ spec: { sise: 1 } }, ".spec.sise"],
  [{ spec: { ports: [{ name: "a" }, { nane: "b" }] } }, ".spec.ports[1].nane"],
  [{ spec: { whole: { c: "1" } } }, ".spec.whole.c"],
] as readonly (readonly [JSONValue, string | undefined])[])(
  "the first field of %j that the schema lacks is %s",
  (value, path) => {
    expect(undeclaredField(value, SCHEMA, {})).toBe(path);
  },
);
