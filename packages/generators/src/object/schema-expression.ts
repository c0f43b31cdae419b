import { sortYamlKeys } from "@kubescaffold/k8s/yaml";

import type { JsonSchema } from "../crd/model/schema-node.ts";
import type { Expression } from "./print-expression.ts";

/** A schema that can be named in place of being written out, and the code that names it. */
export interface KnownSchema {
  readonly code: string;
  readonly schema: JsonSchema;
}

/**
 * Turns a schema into code: without texts, with members in the order of a CRD, and with what is known already named.
 *
 * Guarantees: a schema is named only inside larger ones, so that no two schemas consist of one another.
 */
export function schemaExpression(schema: JsonSchema, known: readonly KnownSchema[]): Expression {
  const candidates = known
    .map(({ code, schema: each }): Candidate => ({ code, schema: withoutTexts(each), size: 0 }))
    .map((each) => ({ ...each, size: textOf(each.schema).length }))
    .filter(({ size }) => size >= SMALLEST_NAMED)
    .toSorted((left, right) => right.size - left.size);
  const plain = withoutTexts(schema);
  const limit = textOf(plain).length;
  return expressionOf(
    plain,
    candidates.filter(({ size }) => size < limit),
  );
}

/** Reports whether a schema has CEL rules, at its root or below. */
export function hasRules(schema: JsonSchema): boolean {
  if (schema["x-kubernetes-validations"] !== undefined) return true;
  let isFound = false;
  const look = (child: JsonSchema): void => {
    isFound ||= hasRules(child);
  };
  for (const [key, value] of Object.entries(schema)) mapKeyword(key, value, look);
  return isFound;
}

// What is this short reads better where it is.
const SMALLEST_NAMED = 60;
const TEXTS: ReadonlySet<string> = new Set(["description", "title", "example", "externalDocs"]);

interface Candidate extends KnownSchema {
  readonly size: number;
}

// Every type of a package is compared with all others: each is taken apart once.
const plainSchemas = new WeakMap<JsonSchema, JsonSchema>();

function withoutTexts(schema: JsonSchema): JsonSchema {
  const known = plainSchemas.get(schema);
  if (known !== undefined) return known;
  const keys = sortYamlKeys(Object.keys(schema).filter((key) => !TEXTS.has(key)));
  const plain = Object.fromEntries(keys.map((key) => [key, mapKeyword(key, schema[key], withoutTexts)]));
  plainSchemas.set(schema, plain);
  return plain;
}

// Applies a change to the schemas directly below a keyword, and leaves other values as they are.
function mapKeyword(key: string, value: unknown, change: (schema: JsonSchema) => unknown): unknown {
  switch (key) {
    case "properties": {
      const properties = value as Readonly<Record<string, JsonSchema>>;
      return Object.fromEntries(
        sortYamlKeys(Object.keys(properties)).map((name) => [name, change(properties[name] ?? {})]),
      );
    }
    case "items":
    case "additionalProperties":
    case "not":
      return typeof value === "object" ? change(value as JsonSchema) : value;
    case "allOf":
    case "anyOf":
    case "oneOf":
      return (value as readonly JsonSchema[]).map((each) => change(each));
    default:
      return value;
  }
}

function expressionOf(schema: JsonSchema, candidates: readonly Candidate[]): Expression {
  const found = candidates.find((each) => contains(schema, each.schema));
  const own = found === undefined ? schema : withoutKeys(schema, found.schema);
  const entries = Object.entries(own).map(([key, value]) => [key, keywordExpression(key, value, candidates)] as const);
  if (found === undefined) return { kind: "record", entries };
  return entries.length === 0 ? { kind: "code", code: found.code } : { kind: "record", spread: found.code, entries };
}

function keywordExpression(key: string, value: unknown, candidates: readonly Candidate[]): Expression {
  const below = (schema: JsonSchema): Expression => expressionOf(schema, candidates);
  switch (key) {
    case "properties":
      return {
        kind: "record",
        entries: Object.entries(value as Readonly<Record<string, JsonSchema>>).map(([name, each]) => [
          name,
          below(each),
        ]),
      };
    case "items":
    case "additionalProperties":
    case "not":
      return typeof value === "object" ? below(value as JsonSchema) : { kind: "value", value };
    case "allOf":
    case "anyOf":
    case "oneOf":
      return { kind: "list", items: (value as readonly JsonSchema[]).map((each) => below(each)) };
    default:
      return valueExpression(value);
  }
}

function valueExpression(value: unknown): Expression {
  if (Array.isArray(value)) return { kind: "list", items: value.map((each) => valueExpression(each)) };
  if (typeof value !== "object" || value === null) return { kind: "value", value };
  return { kind: "record", entries: Object.entries(value).map(([key, each]) => [key, valueExpression(each)]) };
}

// Reports whether a schema has all that another has, with the same values.
function contains(schema: JsonSchema, part: JsonSchema): boolean {
  return Object.keys(part).every((key) => Object.hasOwn(schema, key) && textOf(schema[key]) === textOf(part[key]));
}

function withoutKeys(schema: JsonSchema, part: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !Object.hasOwn(part, key)));
}

const texts = new WeakMap<object, string>();

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null)
    return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value)
    ? `[${value.map(textOf).join()}]`
    : `{${Object.entries(value)
        .map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`)
        .join()}}`;
  texts.set(value, text);
  return text;
}
