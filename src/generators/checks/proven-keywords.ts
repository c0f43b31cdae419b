import type { SchemaNode } from "../crd/schema-node.ts";

/** Says whether a default obviously fits its schema; one that does not may fit all the same. */
export function isProvenDefault(node: SchemaNode): boolean {
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

/** Says whether what a schema says of merging lists and maps obviously holds. */
export function isProvenTopology(node: SchemaNode): boolean {
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
