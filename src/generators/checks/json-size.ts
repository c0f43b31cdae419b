import { toJsonSchema, type SchemaNode } from "../crd/schema-node.ts";

/**
 * Returns the bytes of a value as kubectl and servers write it: JSON with the characters escaped that HTML knows.
 */
export function jsonSize(value: unknown): number {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each)) ?? "";
  return Buffer.byteLength(text) + 5 * countOf(text, /[<>&]/gu) + 3 * countOf(text, /[\u2028\u2029]/gu);
}

const sizes = new WeakMap<SchemaNode, number>();

/** Returns the same for a schema; parts that stem from built-in structs are measured once. */
export function schemaSize(node: SchemaNode): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties, ...own } = node;
  let size = jsonSize(toJsonSchema(own));
  if (size === 2) size -= 1;
  const names = Object.keys(properties ?? {});
  if (names.length > 0) {
    size += '"properties":{},'.length - 1;
    for (const name of names) size += jsonSize(name) + 2 + schemaSize(properties?.[name] ?? {});
  }
  if (items !== undefined) size += '"items":,'.length + schemaSize(items);
  if (additionalProperties !== undefined)
    size += '"additionalProperties":,'.length + (additionalProperties === true ? 4 : schemaSize(additionalProperties));
  if (Object.isFrozen(node)) sizes.set(node, size);
  return size;
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}
