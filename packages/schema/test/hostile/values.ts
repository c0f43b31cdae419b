import { parseServerJson, type JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaResolver } from "../../src/json-schema.ts";

/** The levels below which API servers store an object. */
const LEVELS = 9990;

/** Nests a text of JSON. */
function nested(open: string, inner: string, close: string): string {
  return open.repeat(LEVELS) + inner + close.repeat(LEVELS);
}

/** Returns the texts of a value and of one that differs from it at one place, by what is unusual about them. */
export const HOSTILE_VALUES: Readonly<Record<string, (leaf: string) => string>> = {
  "objects in objects": (leaf) => nested('{"a":', leaf, "}"),
  "objects in objects with other members": (leaf) => nested('{"b":1,"a":', leaf, ',"c":null}'),
  "lists in lists": (leaf) => nested("[", leaf, "]"),
  "objects in lists": (leaf) => nested('[{"a":', leaf, "}]").slice(LEVELS * 3, -LEVELS),
  "20,000 members": (leaf) =>
    `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":{"a":1}`).join(",")},"a":${leaf}}`,
  "20,000 items": (leaf) => `[${Array.from({ length: 20_000 }, (_, index) => `{"a":${index}}`).join(",")},${leaf}]`,
  "a text of 1 MiB": (leaf) => `"${"x".repeat(1024 * 1024)}${leaf}"`,
};

/** Parses a text of JSON. */
export function parsed(text: string): JSONValue {
  return parseServerJson(text) as JSONValue;
}

/** Any value. */
const FREE: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** A type that has itself as a field, as built-in kinds have. */
const RECURSIVE: JsonSchema = {
  type: "object",
  properties: { a: { $ref: "#/node" }, b: { type: "integer" }, c: { type: "string", nullable: true } },
  additionalProperties: { $ref: "#/node" },
};
const LISTS: JsonSchema = { type: "array", items: { $ref: "#/list" } };
const NODES: JsonSchema = { type: "array", items: { $ref: "#/node" } };

const DEFINITIONS: Readonly<Record<string, JsonSchema>> = { "#/node": RECURSIVE, "#/list": LISTS, "#/nodes": NODES };

/** Resolves the references of {@link schemasOf}. */
export const resolve: SchemaResolver = (ref) => DEFINITIONS[ref];

/** Returns schemas of an object whose `value` is a value: of any value, of nothing known, and one that refers to itself. */
export function schemasOf(value: JSONValue): readonly JsonSchema[] {
  const ref = Array.isArray(value) ? (Array.isArray(value[0]) ? "#/list" : "#/nodes") : "#/node";
  return [FREE, {}, { $ref: ref }].map((schema) => ({ type: "object", properties: { value: schema } }));
}
