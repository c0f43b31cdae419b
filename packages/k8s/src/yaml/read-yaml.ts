import {
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  mergeTag,
  NOT_RESOLVED,
  parseEvents,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from "js-yaml";

import { serverInteger } from "../json/lossless-json.ts";
import { DEEPEST_YAML, findRefusedNode } from "./check-nodes.ts";
import { YamlError, type YamlPosition } from "./errors.ts";
import { plainScalar } from "./plain-scalar.ts";

/** Reports where a text comes from. */
export interface ReadYamlOptions {
  /** The name of the text in errors. */
  readonly file?: string | undefined;
  /** What two equal keys in one mapping are. Default: an error. */
  readonly duplicateKeys?: "error" | "last-wins";
  /** What integers beyond 2^53 become: the nearest number, or what API servers store, as with `parseServerJson`. Default: "rounded". */
  readonly integers?: "rounded" | "exact";
}

/**
 * Reads a text of YAML or JSON documents as kubectl does and returns those that are not empty, as plain data.
 *
 * Words as in YAML 1.1 (`yes` is true, `0644` is 420), but `1:30` and dates stay strings; keys become strings.
 * Integers beyond 2^53 lose digits, as everywhere in JavaScript, unless the options ask for exact ones.
 *
 * Guarantees: no two places of the result share an object, whatever the text does with anchors; aliases add at most 16 MiB.
 * Fails: {@link YamlError} with file, line and column; two equal keys in one mapping are an error by default, as are nesting beyond
 * 1000 levels and aliases that go-yaml calls excessive.
 */
export function readYamlDocuments(text: string, options: ReadYamlOptions = {}): readonly unknown[] {
  const documents = parse(text, options);
  const seen = new Set<object>();
  return documents.filter((document) => document !== null).map((document) => toTree(document, { text, options, seen }));
}

/** Parses a text with one document; an empty text returns `undefined`. */
export function readYaml(text: string, options: ReadYamlOptions = {}): unknown {
  const documents = readYamlDocuments(text, options);
  if (documents.length > 1) {
    throw new YamlError(`expected one document, found ${documents.length}`, { ...options, line: 1, column: 1 });
  }
  return documents[0];
}

const WORD_STARTS = "+-0123456789.yYnNtTfFoO~".split("");
const LONG = "tag:yaml.org,2002:";

const SCHEMAS = { rounded: schemaWith(Number), exact: schemaWith(serverInteger) } as const;

function schemaWith(integerOf: (value: bigint) => number | bigint): Schema {
  return new Schema([
    wordTag("null", (scalar) => (scalar.kind === "null" ? null : NOT_RESOLVED), [...WORD_STARTS, ""]),
    wordTag("bool", (scalar) => (scalar.kind === "boolean" ? scalar.value : NOT_RESOLVED)),
    wordTag("int", (scalar) => (scalar.kind === "integer" ? integerOf(scalar.value) : NOT_RESOLVED)),
    wordTag("float", (scalar, isExplicit) => {
      if (scalar.kind === "float") return scalar.value;
      return isExplicit && scalar.kind === "integer" ? Number(scalar.value) : NOT_RESOLVED;
    }),
    mergeTag,
    explicitTextTag("timestamp"),
    binaryTag(),
    strTag,
    seqTag,
    stringKeyedMapTag(),
  ]);
}

function parse(
  text: string,
  { file, duplicateKeys = "error", integers = "rounded" }: ReadYamlOptions,
): readonly unknown[] {
  const source = text.replace(/^\ufeff/, "");
  try {
    // What is a level for the parser, as scalars and some keys are, is not always one of the value.
    const events = parseEvents(source, { maxDepth: DEEPEST_YAML + 2 });
    const refused = findRefusedNode(events, source, { deepest: DEEPEST_YAML });
    if (refused !== undefined) {
      throw new YamlError(refused.reason, { file, ...positionAt(source, refused.offset) }, { isLimit: true });
    }
    // What may be merged is limited with the aliases that name it.
    const json = duplicateKeys === "last-wins";
    return constructFromEvents(events, { source, schema: SCHEMAS[integers], maxTotalMergeKeys: -1, json });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = { file, line: (error.mark?.line ?? 0) + 1, column: (error.mark?.column ?? 0) + 1 };
    if (error.reason.includes("maxDepth")) {
      throw new YamlError(`exceeded max depth of ${String(DEEPEST_YAML)}`, place, { isLimit: true });
    }
    throw new YamlError(error.reason, place, { cause: error });
  }
}

function wordTag<T>(
  name: string,
  resolve: (scalar: ReturnType<typeof plainScalar>, isExplicit: boolean) => T | typeof NOT_RESOLVED,
  starts: readonly string[] = WORD_STARTS,
): ReturnType<typeof defineScalarTag<T>> {
  return defineScalarTag<T>(`${LONG}${name}`, {
    implicit: true,
    implicitFirstChars: starts,
    resolve: (source, isExplicit) => resolve(plainScalar(source), isExplicit),
    identify: () => false,
  });
}

function explicitTextTag(name: string): ReturnType<typeof defineScalarTag<string>> {
  return defineScalarTag<string>(`${LONG}${name}`, { resolve: (source) => source, identify: () => false });
}

function binaryTag(): ReturnType<typeof defineScalarTag<string>> {
  return defineScalarTag<string>(`${LONG}binary`, {
    resolve: (source) => Buffer.from(source, "base64").toString("utf8"),
    identify: () => false,
  });
}

type Fields = Record<string, unknown>;

function stringKeyedMapTag(): ReturnType<typeof defineMappingTag<Fields>> {
  return defineMappingTag<Fields>(`${LONG}map`, {
    create: () => ({}),
    addPair: (fields, key, value) => {
      const text = keyText(key);
      if (text === undefined) return "a mapping key must be a string, a number or a boolean";
      define(fields, text, value);
      return "";
    },
    has: (fields, key) => Object.hasOwn(fields, keyText(key) ?? ""),
    keys: (fields) => Object.keys(fields),
    get: (fields, key) => fields[keyText(key) ?? ""],
    identify: () => false,
  });
}

function keyText(key: unknown): string | undefined {
  return typeof key === "string" || typeof key === "number" || typeof key === "bigint" || typeof key === "boolean"
    ? String(key)
    : undefined;
}

interface TreeContext {
  readonly text: string;
  readonly options: ReadYamlOptions;
  readonly seen: Set<object>;
}

const NOT_FINITE = /[-+]?\.(?:nan|NaN|NAN|inf|Inf|INF)/;

function toTree(value: unknown, context: TreeContext): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw notFinite(value, context);
  if (typeof value !== "object" || value === null) return value;
  if (context.seen.has(value)) return copyOf(value, context);
  context.seen.add(value);
  if (Array.isArray(value)) {
    const items = value as unknown[];
    items.forEach((item, index) => {
      items[index] = toTree(item, context);
    });
    return items;
  }
  const fields = value as Record<string, unknown>;
  for (const [key, field] of Object.entries(fields)) define(fields, key, toTree(field, context));
  return fields;
}

function copyOf(value: object, context: TreeContext): unknown {
  if (Array.isArray(value)) return value.map((item) => toTree(item, context));
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) define(copy, key, toTree(field, context));
  return copy;
}

// Plain assignment to `__proto__` would set the prototype.
function define(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  } else fields[key] = value;
}

function notFinite(value: number, { text, options }: TreeContext): YamlError {
  const place = positionAt(text, Math.max(text.search(NOT_FINITE), 0));
  return new YamlError(`${String(value)} has no JSON form`, { ...options, ...place });
}

function positionAt(text: string, offset: number): YamlPosition {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
