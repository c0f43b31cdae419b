import type { JSONValue } from "@kubescaffold/k8s";
import { applyDefaults, deepEqual, type JsonSchema, prune, validate } from "@kubescaffold/schema";

import { type FuzzTarget, jsonOf, requireThat } from "../engine/fuzz-target.ts";

const TEXT: JsonSchema = { type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]*$" };
const SCHEMA: JsonSchema = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: TEXT,
    size: { type: "integer", minimum: 0, maximum: 10, multipleOf: 2, default: 2 },
    ratio: { type: "number", exclusiveMaximum: true, maximum: 1, nullable: true },
    port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    names: { type: "array", "x-kubernetes-list-type": "set", items: TEXT, maxItems: 4 },
    parts: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: TEXT, on: { type: "boolean", default: true } } },
    },
    labels: { type: "object", additionalProperties: { type: "string", enum: ["a", "b"] }, maxProperties: 3 },
    raw: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    object: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    mail: { type: "string", format: "email" },
    either: {
      type: "object",
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
      not: { required: ["c"] },
      properties: { a: {}, b: {}, c: {} },
    },
  },
};

/** Validation, pruning and defaults: pruning and defaulting twice change nothing more, and validation says the same twice. */
export const target: FuzzTarget = {
  name: "validation",
  kind: "json",
  seeds: [
    '[{"kind":"a","size":4,"ratio":null,"port":"http","names":["a","b"],"parts":[{"name":"x"},{"name":"y","on":false}],"labels":{"k":"a"}},{"kind":"b"}]',
    '[{"kind":"","raw":{"a":{"b":1}},"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"x":"y"}}},"mail":"a@b","either":{"a":1},"unknown":1},null]',
  ],
  dictionary: [
    "kind",
    "size",
    "ratio",
    "port",
    "names",
    "parts",
    "name",
    "on",
    "labels",
    "raw",
    "object",
    "apiVersion",
    "metadata",
    "annotations",
    "mail",
    "either",
    "a",
    "b",
    "c",
  ],
  run: (input) => {
    const value = jsonOf(input);
    if (!Array.isArray(value)) return;
    const [object = null, previous = null] = value as readonly JSONValue[];
    const before = JSON.stringify(object);
    const pruned = prune(SCHEMA, object).value;
    requireThat(deepEqual(prune(SCHEMA, pruned).value, pruned), "pruning twice removes more");
    const defaulted = applyDefaults(SCHEMA, pruned);
    requireThat(deepEqual(applyDefaults(SCHEMA, defaulted), defaulted), "defaulting twice adds more");
    const errors = validate(SCHEMA, defaulted, { previous });
    requireThat(
      JSON.stringify(validate(SCHEMA, defaulted, { previous })) === JSON.stringify(errors),
      "another answer the second time",
    );
    requireThat(JSON.stringify(object) === before, "an input was changed");
  },
};
