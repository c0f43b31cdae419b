import { parseServerJson, type JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaResolver } from "../../src/model/json-schema.ts";

/** The levels below which API servers store an object. */
const LEVELS = 9990;

/** Makes the text of a value; another leaf makes one that differs from it at one place. */
type TextOf = (leaf: string) => string;

/** Returns what makes the texts of values with so many levels, by what is unusual about them. */
export function deepValues(levels: number): Readonly<Record<string, TextOf>> {
  const nested = (open: string, inner: string, close: string): string =>
    open.repeat(levels) + inner + close.repeat(levels);
  return {
    "objects in objects": (leaf) => nested('{"a":', leaf, "}"),
    "objects in objects with other members": (leaf) => nested('{"b":1,"a":', leaf, ',"c":null}'),
    "lists in lists": (leaf) => nested("[", leaf, "]"),
    "objects in lists": (leaf) => '[{"a":'.repeat(levels / 2) + leaf + "}]".repeat(levels / 2),
  };
}

/** What makes the texts of large values, by what is unusual about them. */
export const LARGE_VALUES: Readonly<Record<string, TextOf>> = {
  "20,000 members": (leaf) =>
    `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":{"a":1}`).join(",")},"a":${leaf}}`,
  "20,000 items": (leaf) => `[${Array.from({ length: 20_000 }, (_, index) => `{"a":${index}}`).join(",")},${leaf}]`,
  "a text of 1 MiB": (leaf) => `"${"x".repeat(1024 * 1024)}${leaf}"`,
};

/** What makes the texts of all of them. */
export const HOSTILE_VALUES: Readonly<Record<string, TextOf>> = { ...deepValues(LEVELS), ...LARGE_VALUES };

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
