import {
  enclosed,
  goQuote,
  joinPieces,
  type JSONValue,
  type Piece,
  parseServerJson,
  printServerJson,
  RECURSIVE_LEVELS,
} from "@kubescaffold/k8s";

import { isJsonList, isJsonObject, type JsonObject } from "../json/json-value.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "../model/json-schema.ts";
import { resolveSchema } from "../model/resolve-schema.ts";
import { ForeignValue } from "./foreign-value.ts";
import { shapeOf } from "./merge-shape.ts";

/**
 * Returns why an apply configuration cannot be merged, with upstream's message: fields that the schema lacks, values of another type, or elements of
 * a list that is merged by keys and have none, or the keys of another; undefined when it can be. A message about several lists each in a line.
 *
 * Source: `structured-merge-diff/v6/typed`, `validate.go` and `helpers.go`.
 */
export function typedError(value: JSONValue, schema: JsonSchema, options: TypedOptions): string | undefined {
  if (isFitting(value, { schema, options }, 0)) return undefined;
  const errors: string[] = [];
  const open = [errorsOf({ parent: undefined, step: "" }, value, { schema, options }).values()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: next } = top.next();
    if (done === true) open.pop();
    else if (typeof next === "string") errors.push(next);
    else open.push(errorsOf(next.path, next.value, { schema: next.schema, options }).values());
  }
  const [first] = errors;
  return errors.length > 1 ? ["errors:", ...errors].join("\n  ") : first;
}

// Most values fit. This tells it without a list of what comes next, and leaves errors, lists that are merged, and deep values to the walk above.
function isFitting(value: JSONValue, { schema, options }: Place, level: number): boolean {
  const resolved = resolveSchema(schema, options);
  if (level === RECURSIVE_LEVELS || typeMismatch(value, resolved) !== undefined) return false;
  if (isJsonList(value)) {
    const items = itemsOf(resolved);
    if (shapeOf(resolved, value, options).kind === "list") return false;
    return items === undefined || value.every((item) => isFittingPart(item, { schema: items, options }, level));
  }
  if (!isJsonObject(value) || isOpen(resolved)) return true;
  // JSON has no inherited members, and a list of the names of each object takes longer than the rest.
  // oxlint-disable-next-line guard-for-in
  for (const name in value) {
    const field = propertyOf(resolved, name) ?? additionalSchemaOf(resolved);
    if (field === undefined || !isFittingPart(value[name] ?? null, { schema: field, options }, level)) return false;
  }
  return true;
}

function isFittingPart(value: JSONValue, place: Place, level: number): boolean {
  return typeof value !== "object" || value === null
    ? isFittingScalar(value, place.schema, place.options)
    : isFitting(value, place, level + 1);
}

/** Options of {@link typedError}. */
export interface TypedOptions extends SchemaOptions {
  /** Whether lists may have several elements of one key, as stored objects can. Default: false. */
  readonly allowsDuplicates?: boolean;
}

/** A path, whose text is made for an error only. */
interface Path {
  readonly parent: Path | undefined;
  readonly step: string;
}

interface Place {
  readonly schema: JsonSchema;
  readonly options: TypedOptions;
}

/** A part of a value, whose errors come next. */
interface Part {
  readonly path: Path;
  readonly value: JSONValue;
  readonly schema: JsonSchema;
}

/** Returns the errors of a value, and its parts in between. */
function errorsOf(path: Path, value: JSONValue, { schema, options }: Place): readonly (string | Part)[] {
  const resolved = resolveSchema(schema, options);
  const mismatch = typeMismatch(value, resolved);
  if (mismatch !== undefined) return [`${textOf(path)}: ${mismatch}`];
  if (isJsonList(value)) return listErrors(path, value, { schema: resolved, options });
  return isJsonObject(value) && !isOpen(resolved) ? fieldErrors(path, value, { schema: resolved, options }) : [];
}

// Upstream does not look at the fields after one that the schema lacks.
function fieldErrors(path: Path, value: JsonObject, { schema, options }: Place): readonly (string | Part)[] {
  const found: (string | Part)[] = [];
  for (const name of Object.keys(value)) {
    const field = propertyOf(schema, name) ?? additionalSchemaOf(schema);
    const member = value[name] ?? null;
    if (field !== undefined && isFittingScalar(member, field, options)) continue;
    const at: Path = { parent: path, step: `.${name}` };
    if (field === undefined) return [...found, `${textOf(at)}: field not declared in schema`];
    found.push({ path: at, value: member, schema: field });
  }
  return found;
}

// Most fields are such, and need no path.
function isFittingScalar(value: JSONValue, schema: JsonSchema, options: TypedOptions): boolean {
  return (
    (typeof value !== "object" || value === null) && typeMismatch(value, resolveSchema(schema, options)) === undefined
  );
}

function textOf(path: Path): string {
  const steps: string[] = [];
  for (let at: Path | undefined = path; at !== undefined; at = at.parent) steps.push(at.step);
  return steps.toReversed().join("");
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
  return joinPieces(value, textPieces);
}

function textPieces(value: unknown): string | readonly Piece[] {
  if (value instanceof ForeignValue) return value.text;
  if (isJsonList(value))
    return enclosed(
      ["[", " ", "]"],
      value.map((item) => ["", item] as const),
    );
  if (!isJsonObject(value)) return value === null ? "<nil>" : scalarText(value);
  return enclosed(
    ["map[", " ", "]"],
    sortedMembers(value).map(([name, member]) => [`${name}:`, member] as const),
  );
}

// A value that is no object, list, or null.
function scalarText(value: unknown): string {
  return `${value as string | number | bigint | boolean}`;
}

function goSyntax(value: Value): string {
  return joinPieces(value, syntaxPieces);
}

function syntaxPieces(value: unknown): string | readonly Piece[] {
  if (value instanceof ForeignValue) return value.syntax;
  if (typeof value === "string") return goQuote(value);
  if (isJsonList(value))
    return enclosed(
      ["[]interface {}{", ", ", "}"],
      value.map((item) => ["", item] as const),
    );
  if (!isJsonObject(value)) return value === null ? "interface {}(nil)" : scalarText(value);
  const members = sortedMembers(value).map(([name, member]) => [`${goQuote(name)}:`, member] as const);
  return enclosed(["map[string]interface {}{", ", ", "}"], members);
}

function sortedMembers(value: JsonObject): readonly (readonly [string, JSONValue])[] {
  return Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function listErrors(path: Path, list: readonly JSONValue[], { schema, options }: Place): readonly (string | Part)[] {
  const shape = shapeOf(schema, list, options);
  const items = itemsOf(schema);
  const seen = new Set<string>();
  const found: (string | Part)[] = [];
  for (const [index, item] of list.entries()) {
    let step = `[${String(index)}]`;
    if (shape.kind === "list") {
      const problem = elementError(item, schema);
      const element = problem === undefined ? shape.elementOf(item) : "";
      // Upstream does not look at the elements after one without keys.
      if (problem !== undefined || element === "k:{}") {
        return [...found, `${textOf(path)}: element ${String(index)}: ${problem ?? missingKeys(schema)}`];
      }
      step = printElement(element);
      if (seen.has(element) && options.allowsDuplicates !== true)
        found.push(`${textOf(path)}: duplicate entries for key ${step}`);
      seen.add(element);
    }
    if (items !== undefined) found.push({ path: { parent: path, step }, value: item, schema: items });
  }
  return found;
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

function isOpen(schema: JsonSchema): boolean {
  if (schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-embedded-resource"] === true)
    return true;
  return schema.properties === undefined && additionalSchemaOf(schema) === undefined;
}
