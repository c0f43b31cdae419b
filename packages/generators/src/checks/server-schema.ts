import { type JSONValue, serverInteger } from "@kubescaffold/k8s";
import type { JsonSchema } from "@kubescaffold/schema";

import type { SchemaNode } from "../crd/model/schema-node.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";

/**
 * Returns the part of a schema that a server could refuse, as the server reads it; undefined when all of it is plain by the way it is made.
 *
 * A built-in struct is looked at once, whatever the number of its uses.
 */
export function toServerSchema(root: SchemaNode, isSoundPattern: PatternTest = () => false): JsonSchema | undefined {
  const hasPlainRoot = Object.keys(root).every((key) => PLAIN_AT_ROOT.has(key)) && root.type === "object";
  return hasPlainRoot ? doubtfulPart(root, { isRoot: true, isSoundPattern }) : convert(root, "own");
}

/** Reports whether a pattern compiles. */
type PatternTest = (pattern: string) => boolean;

interface DoubtStep {
  readonly isRoot: boolean;
  readonly isSoundPattern: PatternTest;
}

const whole = new WeakMap<SchemaNode, JsonSchema>();

/** Returns all of a schema as the server reads it; a built-in struct is the same object at every use. */
export function toWholeServerSchema(root: SchemaNode): JsonSchema {
  return convertStruct(root);
}

const PLAIN_AT_ROOT = new Set(["type", "properties", "required", "description", "origin", "x-kubernetes-validations"]);
const META_TYPES: Readonly<Record<string, string>> = { apiVersion: "string", kind: "string", metadata: "object" };

function doubtfulPart(node: SchemaNode, { isRoot, isSoundPattern }: DoubtStep): JsonSchema | undefined {
  if (Object.isFrozen(node)) return isDoubtfulStruct(node) ? convertStruct(node) : undefined;
  if (isUnproven(node) || !hasProvenPattern(node, isSoundPattern)) return convert(node, "own");
  const below = { isRoot: false, isSoundPattern };
  const { properties, items, additionalProperties } = node;
  let kept: Record<string, JsonSchema> | undefined;
  for (const name in properties) {
    const child = properties[name] ?? {};
    const part =
      isRoot && (META_TYPES[name] ?? child.type) !== child.type ? convert(child, "own") : doubtfulPart(child, below);
    if (part !== undefined) (kept ??= {})[name] = part;
  }
  const keptItems = items === undefined ? undefined : doubtfulPart(items, below);
  const keptValues = typeof additionalProperties === "object" ? doubtfulPart(additionalProperties, below) : undefined;
  if (kept === undefined && keptItems === undefined && keptValues === undefined) return undefined;
  return {
    ...(node.type === undefined ? KEPT : { type: node.type }),
    ...(kept === undefined ? {} : { properties: kept }),
    ...(keptItems === undefined ? {} : { items: keptItems }),
    ...(keptValues === undefined ? {} : { additionalProperties: keptValues }),
  };
}

function hasProvenPattern(node: SchemaNode, isSoundPattern: PatternTest): boolean {
  const { pattern } = node;
  return pattern === undefined || node["x-kubernetes-int-or-string"] === true || isSoundPattern(pattern);
}

const doubts = new WeakMap<SchemaNode, boolean>();

// Some structs of Kubernetes are refused in a CRD as they are, such as those with an optional key of a list.
function isDoubtfulStruct(node: SchemaNode): boolean {
  const known = doubts.get(node);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties } = node;
  const children = [
    ...Object.values(properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  // The few patterns in structs are those of Kubernetes itself.
  const isDoubtful = isUnproven(node) || children.some((child) => isDoubtfulStruct(child));
  doubts.set(node, isDoubtful);
  return isDoubtful;
}

const TYPES: ReadonlySet<string | undefined> = new Set(["boolean", "integer", "number", "object", "string"]);

function isUnproven(node: SchemaNode): boolean {
  return (
    !isProvenDefault(node) ||
    node.allOf !== undefined ||
    node.oneOf !== undefined ||
    (node.anyOf !== undefined && node["x-kubernetes-int-or-string"] !== true) ||
    node.uniqueItems === true ||
    node["x-kubernetes-embedded-resource"] !== undefined ||
    !isProvenTopology(node) ||
    (node.additionalProperties !== undefined && node.properties !== undefined) ||
    hasDoubtfulType(node)
  );
}

function hasDoubtfulType(node: SchemaNode): boolean {
  if (TYPES.has(node.type)) return false;
  if (node.type === "array") return node.items === undefined;
  return (
    node.type !== undefined ||
    (node["x-kubernetes-int-or-string"] !== true && node["x-kubernetes-preserve-unknown-fields"] !== true)
  );
}

// How much of a built-in struct is written: everything, its own members, or only what it is.
type Depth = "all" | "own" | "outline";

const LEFT_OUT = new Set(["origin", "reference", "hasItemsOverlay", "description", "title", "example", "externalDocs"]);

// The items that these are about are not written in an outline.
const TOPOLOGY = new Set(["x-kubernetes-list-type", "x-kubernetes-list-map-keys"]);

function convert(node: SchemaNode, depth: Depth): JsonSchema {
  const hasDeepDefault = typeof node.default === "object" && Object.keys(node.default ?? {}).length > 0;
  const own = depth === "own" && hasDeepDefault ? "all" : depth;
  const below = (child: SchemaNode): JsonSchema => convertChild(child, own);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (LEFT_OUT.has(key) || value === undefined || value === "" || value === false) continue;
    if ((Array.isArray(value) && value.length === 0) || (depth === "outline" && TOPOLOGY.has(key))) continue;
    result[key] = convertKeyword(key, value, below);
  }
  if (node.default !== undefined && node.default !== null) result["default"] = toJson(node.default, serverNumber);
  return result;
}

function convertChild(child: SchemaNode, depth: Depth): JsonSchema {
  if (!Object.isFrozen(child)) return convert(child, depth);
  if (depth === "all" || isDoubtfulStruct(child)) return convertStruct(child);
  return depth === "own" ? convert(child, "outline") : outlineOf(child);
}

function convertStruct(node: SchemaNode): JsonSchema {
  const known = whole.get(node) ?? convert(node, "all");
  whole.set(node, known);
  return known;
}

function outlineOf(node: SchemaNode): JsonSchema {
  const { type, nullable, format } = node;
  if (type === undefined || type === "object" || type === "array")
    return { ...(type === "array" ? { type, items: ANYTHING } : { type: type ?? "object" }), ...KEPT };
  return {
    type,
    ...(nullable === true ? { nullable } : {}),
    ...(format === undefined ? {} : { format }),
    ...(node.default === undefined ? {} : { default: node.default }),
  };
}

const KEPT = { "x-kubernetes-preserve-unknown-fields": true } as const;
const ANYTHING: JsonSchema = { type: "object", ...KEPT };

function convertKeyword(key: string, value: unknown, below: (child: SchemaNode) => JsonSchema): unknown {
  switch (key) {
    case "items":
    case "additionalProperties":
      return value === true ? true : below(value as SchemaNode);
    case "allOf":
    case "oneOf":
    case "anyOf":
      return (value as readonly SchemaNode[]).map((each) => below(each));
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, SchemaNode>).map(([name, each]) => [name, below(each)]),
      );
    default:
      return toJson(value as MarkerValue, towardsZero);
  }
}

function toJson(value: MarkerValue, toNumber: (value: number | bigint) => number | bigint): JSONValue {
  // The type of JSON values does not name the bigints of a server.
  if (typeof value === "bigint" || typeof value === "number") return toNumber(value) as number;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: MarkerValue) => toJson(each, toNumber));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each, toNumber)]));
}

// A server reads each integer of 64 bits exactly, also one that a marker in JSON has as a number.
function serverNumber(value: number | bigint): number | bigint {
  return typeof value === "number" && !Number.isInteger(value) ? value : serverInteger(BigInt(value));
}

const EXACT_BITS = 53;

// Bounds are numbers, and one of 64 bits must not be rounded beyond itself.
function towardsZero(value: number | bigint): number {
  if (typeof value === "number") return value;
  const size = value < 0n ? -value : value;
  const surplus = BigInt(Math.max(0, size.toString(2).length - EXACT_BITS));
  const kept = Number((size >> surplus) << surplus);
  return value < 0n ? -kept : kept;
}

/** Reports whether a default obviously fits its schema; one that does not may fit anyway. */
function isProvenDefault(node: SchemaNode): boolean {
  const { default: value, type } = node;
  if (value === undefined) return true;
  if (node.pattern !== undefined || node.multipleOf !== undefined) return false;
  if (type === "boolean") return typeof value === "boolean" && node.enum === undefined;
  if (type === "string") return typeof value === "string" && isPlainText(node, value);
  return type === "integer" && typeof value === "number" && isPlainNumber(node, value);
}

function isPlainText({ enum: allowed, format, minLength, maxLength }: SchemaNode, value: string): boolean {
  if (format !== undefined || minLength !== undefined || maxLength !== undefined) return false;
  return allowed === undefined || allowed.includes(value);
}

const INT32 = 2 ** 31;

function isPlainNumber(node: SchemaNode, value: number): boolean {
  const { minimum, maximum, format = "int64", exclusiveMinimum, exclusiveMaximum } = node;
  if (node.enum !== undefined || exclusiveMinimum === true || exclusiveMaximum === true) return false;
  if (!Number.isSafeInteger(value) || (format !== "int32" && format !== "int64")) return false;
  if (format === "int32" && (value < -INT32 || value >= INT32)) return false;
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

/** Reports whether what a schema says of merging lists and maps obviously holds. */
function isProvenTopology(node: SchemaNode): boolean {
  const { "x-kubernetes-list-type": listType, "x-kubernetes-map-type": mapType } = node;
  if (mapType !== undefined && (node.type !== "object" || (mapType !== "atomic" && mapType !== "granular")))
    return false;
  const keys = node["x-kubernetes-list-map-keys"] ?? [];
  if (listType === undefined) return keys.length === 0;
  if (node.type !== "array" || node.items === undefined || node.items.nullable === true) return false;
  if (listType === "map") return hasProvenKeys(keys, node.items);
  return keys.length === 0 && (listType === "atomic" || (listType === "set" && SCALARS.has(node.items.type)));
}

const SCALARS: ReadonlySet<string | undefined> = new Set(["string", "integer", "boolean", "number"]);

function hasProvenKeys(keys: readonly string[], items: SchemaNode): boolean {
  if (keys.length === 0 || new Set(keys).size < keys.length || items.type !== "object") return false;
  return keys.every((key) => {
    const property = items.properties?.[key];
    const isThere = items.required?.includes(key) === true || property?.default !== undefined;
    return property !== undefined && SCALARS.has(property.type) && property.nullable !== true && isThere;
  });
}
