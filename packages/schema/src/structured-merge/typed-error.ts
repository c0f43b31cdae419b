import { goQuote, type JSONValue, parseServerJson, printServerJson } from "@kubescaffold/k8s";

import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "../json-schema.ts";
import { isJsonList, isJsonObject } from "../json/json-value.ts";
import { resolveSchema } from "../resolve-schema.ts";
import { ForeignValue } from "./foreign-value.ts";
import { shapeOf } from "./merge-shape.ts";

/**
 * Returns the first reason why an apply configuration cannot be merged, with upstream's message: a field that the schema lacks, or an element of a
 * list that is merged by keys and has none, or the keys of another; undefined when there is none.
 *
 * Source: `structured-merge-diff/v6/typed`, `validate.go` and `helpers.go`.
 */
export function typedError(value: JSONValue, schema: JsonSchema, options: SchemaOptions): string | undefined {
  return errorAt("", value, { schema, options });
}

interface Place {
  readonly schema: JsonSchema;
  readonly options: SchemaOptions;
}

function errorAt(path: string, value: JSONValue, { schema, options }: Place): string | undefined {
  const resolved = resolveSchema(schema, options);
  const mismatch = typeMismatch(value, resolved);
  if (mismatch !== undefined) return `${path}: ${mismatch}`;
  if (isJsonList(value)) return listError(path, value, { schema: resolved, options });
  if (!isJsonObject(value) || isOpen(resolved)) return undefined;
  for (const name of Object.keys(value)) {
    const field = propertyOf(resolved, name) ?? additionalSchemaOf(resolved);
    const at = `${path}.${name}`;
    if (field === undefined) return `${at}: field not declared in schema`;
    const problem = errorAt(at, value[name] ?? null, { schema: field, options });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// Null is of every type.
function typeMismatch(value: JSONValue | ForeignValue, schema: JsonSchema): string | undefined {
  if (value === null || schema["x-kubernetes-int-or-string"] === true) return undefined;
  switch (schema.type) {
    case "object":
      return isJsonObject(value) && !(value instanceof ForeignValue)
        ? undefined
        : `expected map, got &{${goText(value)}}`;
    case "array":
      return isJsonList(value) ? undefined : `expected list, got &{${goText(value)}}`;
    case "integer":
    case "number":
      return typeof value === "number" || typeof value === "bigint"
        ? undefined
        : `expected numeric (int or float), got ${goTypeOf(value)}`;
    case "string":
      return typeof value === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${goText(value)}}`;
    default:
      return undefined;
  }
}

type Value = JSONValue | ForeignValue;

function goTypeOf(value: Value): string {
  if (value instanceof ForeignValue) return value.goType;
  if (isJsonList(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function goText(value: Value): string {
  if (value instanceof ForeignValue) return value.text;
  if (isJsonList(value)) return `[${value.map((item) => goText(item)).join(" ")}]`;
  if (!isJsonObject(value)) return value === null ? "<nil>" : String(value);
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `map[${entries.map(([name, member]) => `${name}:${goText(member)}`).join(" ")}]`;
}

function goSyntax(value: Value): string {
  if (value instanceof ForeignValue) return value.syntax;
  if (typeof value === "string") return goQuote(value);
  if (isJsonList(value)) return `[]interface {}{${value.map((item) => goSyntax(item)).join(", ")}}`;
  if (!isJsonObject(value)) return value === null ? "interface {}(nil)" : String(value);
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `map[string]interface {}{${entries.map(([name, member]) => `${goQuote(name)}:${goSyntax(member)}`).join(", ")}}`;
}

function listError(path: string, list: readonly JSONValue[], { schema, options }: Place): string | undefined {
  const shape = shapeOf(schema, list, options);
  const items = itemsOf(schema);
  const seen = new Set<string>();
  return firstOf(list, (item, index) => {
    let step = `[${index}]`;
    if (shape.kind === "list") {
      const problem = elementError(item, schema);
      if (problem !== undefined) return `${path}: element ${index}: ${problem}`;
      const element = shape.elementOf(item);
      if (element === "k:{}") return `${path}: element ${index}: ${missingKeys(schema)}`;
      step = printElement(element);
      if (seen.has(element)) return `${path}: duplicate entries for key ${step}`;
      seen.add(element);
    }
    return items === undefined ? undefined : errorAt(`${path}${step}`, item, { schema: items, options });
  });
}

function missingKeys(schema: JsonSchema): string {
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).map(goQuote).join(" ");
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

// Some of the keys may be absent: what is left of them then stands for the element.
function elementError(item: JSONValue, schema: JsonSchema): string | undefined {
  if (schema["x-kubernetes-list-type"] === "map") {
    if (item === null) return "associative list with keys may not have a null element";
    return isJsonObject(item) && !(item instanceof ForeignValue)
      ? undefined
      : "associative list with keys may not have non-map elements";
  }
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (isJsonObject(item)) return "associative list without keys has an element that's a map type";
  return isJsonList(item) ? "not supported: associative list with lists as elements" : undefined;
}

// `k:{"name":"x"}` as `[name="x"]`, and `v:"x"` as `[="x"]`.
function printElement(element: string): string {
  const value = parseServerJson(element.slice(2)) as JSONValue;
  const entries = element.startsWith("k:") && isJsonObject(value) ? Object.entries(value) : [["", value] as const];
  return `[${entries.map(([name, each]) => `${name}=${printScalar(each)}`).join(",")}]`;
}

function printScalar(value: JSONValue): string {
  return typeof value === "string" ? goQuote(value) : printServerJson(value);
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOpen(schema: JsonSchema): boolean {
  if (schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-embedded-resource"] === true)
    return true;
  return schema.properties === undefined && additionalSchemaOf(schema) === undefined;
}
