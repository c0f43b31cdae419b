import { builtInSchema } from "../crd/model/known-schemas.ts";
import { valueLiteral } from "../typescript/literals.ts";
import type { ImportList } from "./import-list.ts";
import type { MarkerSubject } from "./keyword-markers.ts";
import { canonicalJson, type Schema } from "./normal-form.ts";

/** How TypeScript says a schema: the type, what markers there act on, and the keywords that it does not say. */
export interface PlainType {
  readonly type: string;
  readonly subject: MarkerSubject;
  readonly left: Schema;
  /** The type is for people only: the schema is made from markers alone. */
  readonly isSchemaless?: boolean;
}

/** Returns the type of a schema that is no list, no map and no object with properties. */
export function plainType(schema: Schema, imports: ImportList): PlainType {
  switch (schema["type"]) {
    case undefined:
      return untyped(schema, imports);
    case "string":
      return textType(schema, imports);
    case "boolean":
      return booleanType(schema);
    case "integer":
      return wholeNumber(schema, imports);
    case "number":
      return { ...schemaless(schema, imports.use(ROOT, "float64")), subject: { type: "number" } };
    default:
      return schemaless(schema, imports.use(ROOT, "JSONValue"));
  }
}

/** Returns the schema without some of its keywords. */
export function without(schema: Schema, ...keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

/** Takes the type for people only; all keywords are left to markers. */
function schemaless(schema: Schema, type: string): PlainType {
  return { type, subject: { type: undefined }, left: schema, isSchemaless: true };
}

const ROOT = "@kubescaffold/k8s";
const META = "@kubescaffold/k8s/meta/v1";
const EITHER = canonicalJson([{ type: "integer" }, { type: "string" }]);
const QUANTITY = builtInSchema({
  module: ROOT,
  name: "Quantity",
  generateEmbeddedObjectMeta: false,
  structSchema: () => undefined,
});

function untyped(schema: Schema, imports: ImportList): PlainType {
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString(schema, imports);
  const type = imports.use(ROOT, "JSONValue");
  if (schema["x-kubernetes-preserve-unknown-fields"] !== true) return schemaless(schema, type);
  return { type, subject: { type: undefined }, left: without(schema, "x-kubernetes-preserve-unknown-fields") };
}

function intOrString(schema: Schema, imports: ImportList): PlainType {
  const subject: MarkerSubject = { type: undefined, isIntOrString: true };
  if (canonicalJson(schema["anyOf"]) !== EITHER)
    return { ...schemaless(schema, imports.use(ROOT, "IntOrString")), subject };
  const left = without(schema, "anyOf", "x-kubernetes-int-or-string");
  if (QUANTITY.kind === "named" && schema["pattern"] === QUANTITY.node.pattern)
    return { type: imports.use(ROOT, "Quantity"), subject, left: without(left, "pattern") };
  return { type: imports.use(ROOT, "IntOrString"), subject, left };
}

function textType(schema: Schema, imports: ImportList): PlainType {
  const subject: MarkerSubject = { type: "string" };
  const left = without(schema, "type");
  const literals = literalsOf(schema["enum"], (each) => typeof each === "string" && !HALF_CHARACTER.test(each));
  if (literals !== undefined) return { type: literals, subject, left: without(left, "enum") };
  if (schema["format"] === "date-time")
    return { type: imports.use(META, "Time"), subject, left: without(left, "format") };
  if (schema["format"] === "byte") return { type: imports.use(ROOT, "Bytes"), subject, left: without(left, "format") };
  return { type: "string", subject, left };
}

const HALF_CHARACTER = /\p{Cs}/u;

function booleanType(schema: Schema): PlainType {
  const subject: MarkerSubject = { type: "boolean" };
  const left = without(schema, "type");
  const literals = literalsOf(schema["enum"], (each) => typeof each === "boolean");
  const isSingle = literals === "true" || literals === "false";
  return isSingle ? { type: literals, subject, left: without(left, "enum") } : { type: "boolean", subject, left };
}

function wholeNumber(schema: Schema, imports: ImportList): PlainType {
  const subject: MarkerSubject = { type: "integer" };
  const left = without(schema, "type");
  const literals = literalsOf(schema["enum"], (each) => Number.isSafeInteger(each) && !Object.is(each, -0));
  if (literals !== undefined) return { type: literals, subject, left: without(left, "enum") };
  const { format } = schema;
  if (format === "int32" || format === "int64")
    return { type: imports.use(ROOT, format), subject, left: without(left, "format") };
  return { type: imports.use(ROOT, "integer"), subject, left };
}

function literalsOf(values: unknown, fits: (value: unknown) => boolean): string | undefined {
  if (!Array.isArray(values) || values.length === 0 || !values.every((each) => fits(each))) return undefined;
  if (new Set(values).size < values.length) return undefined;
  return values.map((each: unknown) => valueLiteral(each)).join(" | ");
}
