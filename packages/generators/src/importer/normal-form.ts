import { isRecord } from "@kubescaffold/platform";

/** A schema as it is in a manifest. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns the schema without what says nothing: empty texts and lists, switches that are off, and null, as API servers leave them out too.
 *
 * `required` is a set, so it is sorted; values of defaults, examples and enums are data and stay as they are.
 */
export function normalSchema(schema: unknown): Schema {
  if (!isRecord(schema)) return {};
  const entries = Object.entries(schema).map(([key, value]) => [key, normalKeyword(key, value)] as const);
  return Object.fromEntries(entries.filter(([key, value]) => !saysNothing(key, value)));
}

/** Returns the schema without descriptions, at any depth. */
export function withoutDescriptions(schema: Schema): Schema {
  const { description: _description, ...rest } = schema;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, mapChildren(key, value, withoutDescriptions)]),
  );
}

/** Reports whether two values of JSON are the same; the order of keys says nothing. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

/** Prints a value of JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    // Markers keep every digit of large numbers; a manifest that was read has lost them.
    if (typeof each === "bigint") return Number(each);
    if (!isRecord(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** One place where two schemas differ. */
export interface SchemaDifference {
  /** Where, such as `spec.rules[].host`; empty for the root. */
  readonly path: string;
  /** The keyword that differs. */
  readonly keyword: string;
  /** The value of the original. */
  readonly wanted: unknown;
  /** The value of the generated schema. */
  readonly found: unknown;
}

/** Lists where a schema in normal form differs from the wanted one. */
export function schemaDifferences(wanted: Schema, found: Schema, path = ""): readonly SchemaDifference[] {
  const keywords = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  return keywords.flatMap((keyword): readonly SchemaDifference[] => {
    const [left, right] = [ownValue(wanted, keyword), ownValue(found, keyword)];
    if (isSameJson(left, right)) return [];
    if (!isRecord(left) || !isRecord(right) || !NESTED.has(keyword)) {
      return [{ path, keyword, wanted: left, found: right }];
    }
    if (keyword !== "properties") return schemaDifferences(left, right, `${path}${keyword === "items" ? "[]" : "{}"}`);
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.flatMap((name) => differencesOfProperty({ name, wanted: left, found: right, path }));
  });
}

function differencesOfProperty(options: {
  readonly name: string;
  readonly wanted: Schema;
  readonly found: Schema;
  readonly path: string;
}): readonly SchemaDifference[] {
  const { name, path } = options;
  const [wanted, found] = [ownValue(options.wanted, name), ownValue(options.found, name)];
  const below = path === "" ? name : `${path}.${name}`;
  if (isRecord(wanted) && isRecord(found)) return schemaDifferences(wanted, found, below);
  return isSameJson(wanted, found) ? [] : [{ path: below, keyword: "properties", wanted, found }];
}

const NESTED = new Set(["properties", "items", "additionalProperties"]);
const LISTS_OF_SCHEMAS = new Set(["allOf", "anyOf", "oneOf"]);
const DATA = new Set(["default", "example"]);

function normalKeyword(key: string, value: unknown): unknown {
  if (key === "required" && Array.isArray(value)) return [...new Set(value.map(String))].toSorted();
  if (key === "x-kubernetes-validations" && Array.isArray(value)) return value.map((rule) => normalRule(rule));
  return mapChildren(key, value, normalSchema);
}

function normalRule(rule: unknown): unknown {
  return isRecord(rule) ? Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== "")) : rule;
}

function mapChildren(key: string, value: unknown, change: (schema: Schema) => Schema): unknown {
  if (key === "properties" && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isRecord(each) ? change(each) : each]),
    );
  }
  if ((key === "items" || key === "additionalProperties" || key === "not") && isRecord(value)) return change(value);
  if (LISTS_OF_SCHEMAS.has(key) && Array.isArray(value))
    return value.map((each: unknown) => (isRecord(each) ? change(each) : each));
  return value;
}

function saysNothing(key: string, value: unknown): boolean {
  if (DATA.has(key)) return value === undefined || value === null;
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return key === "properties" && isRecord(value) && Object.keys(value).length === 0;
}

function ownValue(record: Schema, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
