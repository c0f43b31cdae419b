import { isRecord } from "@kubescaffold/platform";

import type { MarkedModel } from "../markers/read-markers.ts";
import type { JsonSchema, SchemaNode } from "./model/schema-node.ts";

/** The marker that states keywords of a schema as they are to be printed. */
export const OVERRIDE_MARKER = "kubescaffold:schema";

/** Reports whether a schema of a model is overridden anywhere. */
export function hasOverrides({ types, properties }: MarkedModel): boolean {
  return [...types.values(), ...properties.values()].some((uses) => uses.some(({ name }) => name === OVERRIDE_MARKER));
}

/**
 * Returns the schema with all overrides carried out.
 *
 * A keyword of an override takes the place of the keyword that the schema has, null removes it; only `properties`, `items` and `additionalProperties`
 * are gone into. Guarantees: the nodes given are not changed, and nodes without an override keep their identity.
 */
export function applyOverrides(node: SchemaNode): SchemaNode {
  return new Overrider().apply(node);
}

/** Merges two overrides into one with the effects of both. */
export function joinOverrides(lower: JsonSchema | undefined, upper: JsonSchema | undefined): JsonSchema {
  const joined: Record<string, unknown> = { ...lower };
  for (const [key, value] of Object.entries(upper ?? {})) {
    const known = joined[key];
    const isNested = NESTED.has(key) && isRecord(known) && isRecord(value);
    joined[key] = !isNested ? value : key === "properties" ? joinEach(known, value) : joinOverrides(known, value);
  }
  return joined;
}

const NESTED = new Set(["properties", "items", "additionalProperties"]);

function joinEach(lower: JsonSchema, upper: JsonSchema): JsonSchema {
  const names = new Set([...Object.keys(lower), ...Object.keys(upper)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [below, above] = [ownValue(lower, name), ownValue(upper, name)];
      if (above === undefined) return [name, below];
      return [name, isRecord(below) && isRecord(above) ? joinOverrides(below, above) : above];
    }),
  );
}

class Overrider {
  readonly #done = new WeakMap<SchemaNode, SchemaNode>();

  apply(node: SchemaNode): SchemaNode {
    const known = this.#done.get(node);
    if (known !== undefined) return known;
    const below = this.#applyBelow(node);
    const { override, ...rest } = below;
    const result = override === undefined ? below : replaceKeywords(rest, override);
    this.#done.set(node, result);
    return result;
  }

  #applyBelow(node: SchemaNode): SchemaNode {
    const changed: SchemaNode = {};
    if (node.items !== undefined) changed.items = this.apply(node.items);
    if (node.properties !== undefined) changed.properties = this.#applyEach(node.properties);
    if (node.additionalProperties !== undefined && node.additionalProperties !== true)
      changed.additionalProperties = this.apply(node.additionalProperties);
    const isSame = Object.entries(changed).every(([key, value]) => node[key as keyof SchemaNode] === value);
    return isSame ? node : { ...node, ...changed };
  }

  #applyEach(properties: Readonly<Record<string, SchemaNode>>): Readonly<Record<string, SchemaNode>> {
    const entries = Object.entries(properties).map(([name, each]) => [name, each, this.apply(each)] as const);
    const isSame = entries.every(([, before, after]) => before === after);
    return isSame ? properties : Object.fromEntries(entries.map(([name, , after]) => [name, after]));
  }
}

function replaceKeywords(node: SchemaNode, override: JsonSchema): SchemaNode {
  const result: Record<string, unknown> = { ...node };
  for (const [key, value] of Object.entries(override)) {
    const known = result[key];
    const isNested = NESTED.has(key) && isRecord(known) && isRecord(value);
    if (value === null) delete result[key];
    else if (!isNested) result[key] = value;
    else result[key] = key === "properties" ? replaceProperties(known, value) : replaceKeywords(known, value);
  }
  return result;
}

function replaceProperties(properties: JsonSchema, override: JsonSchema): JsonSchema {
  const names = new Set([...Object.keys(properties), ...Object.keys(override)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [below, above] = [ownValue(properties, name), ownValue(override, name)];
      if (above === null) return [];
      if (above === undefined) return [[name, below]];
      return [[name, isRecord(below) && isRecord(above) ? replaceKeywords(below, above) : above]];
    }),
  );
}

function ownValue(record: JsonSchema, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
