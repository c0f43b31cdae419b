import type { JSONValue } from "@kubescaffold/k8s";
import type { JsonSchema } from "@kubescaffold/schema";

import type { MarkerValue } from "../../markers/marker-definition.ts";
import type { SchemaNode } from "../crd/schema-node.ts";

/**
 * Says whether a schema has anything that a server could refuse; what is left is plain by the way it is made.
 *
 * Built-in structs count as sound: a test takes all of them through the same checks.
 */
export function needsServerCheck(root: SchemaNode): boolean {
  return Object.keys(root).some((key) => !PLAIN_AT_ROOT.has(key)) || hasUnproven(root);
}

/** Returns the schema as a server reads it, with what lies deep inside built-in structs left out where no finding depends on it. */
export function toServerSchema(node: SchemaNode): JsonSchema {
  return convert(node, "own");
}

const PLAIN_AT_ROOT = new Set(["type", "properties", "required", "description", "origin", "x-kubernetes-validations"]);

function hasUnproven(node: SchemaNode): boolean {
  if (Object.isFrozen(node)) return false;
  if (isUnproven(node)) return true;
  const { properties, items, additionalProperties } = node;
  if (items !== undefined && hasUnproven(items)) return true;
  if (typeof additionalProperties === "object" && hasUnproven(additionalProperties)) return true;
  for (const name in properties) if (hasUnproven(properties[name] ?? {})) return true;
  return false;
}

const TYPES: ReadonlySet<string | undefined> = new Set(["boolean", "integer", "number", "object", "string"]);

function isUnproven(node: SchemaNode): boolean {
  return (
    node.default !== undefined ||
    (node.pattern !== undefined && node["x-kubernetes-int-or-string"] !== true) ||
    node.allOf !== undefined ||
    node.oneOf !== undefined ||
    (node.anyOf !== undefined && node["x-kubernetes-int-or-string"] !== true) ||
    node.uniqueItems === true ||
    node["x-kubernetes-embedded-resource"] !== undefined ||
    node["x-kubernetes-list-type"] !== undefined ||
    node["x-kubernetes-list-map-keys"] !== undefined ||
    node["x-kubernetes-map-type"] !== undefined ||
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
  if (node.default !== undefined && node.default !== null) result["default"] = toJson(node.default);
  return result;
}

function convertChild(child: SchemaNode, depth: Depth): JsonSchema {
  if (depth === "all" || !Object.isFrozen(child)) return convert(child, depth);
  return depth === "own" ? convert(child, "outline") : outlineOf(child);
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
      return toJson(value as MarkerValue);
  }
}

function toJson(value: MarkerValue): JSONValue {
  if (typeof value === "bigint") return towardsZero(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: MarkerValue) => toJson(each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each)]));
}

const EXACT_BITS = 53;

// What is checked here depends on no last digit, but a bound of 64 bits must not be rounded beyond itself.
function towardsZero(value: bigint): number {
  const size = value < 0n ? -value : value;
  const surplus = BigInt(Math.max(0, size.toString(2).length - EXACT_BITS));
  const kept = Number((size >> surplus) << surplus);
  return value < 0n ? -kept : kept;
}
