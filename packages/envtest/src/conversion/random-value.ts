import type { JSONValue } from "@kubescaffold/k8s";
import { itemsOf, type JsonSchema } from "@kubescaffold/schema";

/** Returns a random number from 0 up to, but not including, 1. */
export type Random = () => number;

/** Returns a random number generator that is deterministic for a seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A field whose value is generated. */
export interface RandomField {
  /** The path of the field, joined by dots: `spec.target`; the items of an array are `spec.ports[]`. */
  readonly path: string;
  /** The random number generator. */
  readonly random: Random;
}

/** Returns the value of a field with additional rules; undefined generates a value from the schema. */
export type MakeValue = (field: RandomField) => JSONValue | undefined;

/**
 * Returns a random value for a structural schema, within its enums and numeric bounds; patterns and formats are ignored
 * and require `make`.
 */
export function randomValue(schema: JsonSchema, random: Random, make: MakeValue = () => undefined): JSONValue {
  return valueAt(schema, { path: "", random }, make);
}

function valueAt(schema: JsonSchema, field: RandomField, make: MakeValue): JSONValue {
  const { random } = field;
  const made = make(field);
  if (made !== undefined) return made;
  if (schema.enum !== undefined && schema.enum.length > 0) return pick(schema.enum, random);
  if (schema["x-kubernetes-int-or-string"] === true)
    return random() < 0.5 ? integer(schema, random) : randomText(random);
  switch (schema.type) {
    case "object":
      return randomObject(schema, field, make);
    case "array":
      return randomArray(schema, field, make);
    case "integer":
      return integer(schema, random);
    case "number":
      return integer(schema, random) + (schema.maximum === undefined ? 0.5 : 0);
    case "boolean":
      return random() < 0.5;
    default:
      return randomText(random);
  }
}

function randomObject(schema: JsonSchema, { path, random }: RandomField, make: MakeValue): JSONValue {
  const { properties = {}, required = [], additionalProperties } = schema;
  const below = (name: string): RandomField => ({ path: path === "" ? name : `${path}.${name}`, random });
  const known = Object.entries(properties).flatMap(([name, property]) =>
    required.includes(name) || random() < 0.7 ? [[name, valueAt(property, below(name), make)] as const] : [],
  );
  const entries = typeof additionalProperties === "object" ? Math.floor(random() * 3) : 0;
  const others = Array.from({ length: entries }, () => {
    const name = randomText(random);
    return [name, valueAt(additionalProperties as JsonSchema, below(name), make)] as const;
  });
  return Object.fromEntries([...known, ...others]);
}

function randomArray(schema: JsonSchema, { path, random }: RandomField, make: MakeValue): JSONValue {
  const items = itemsOf(schema);
  const length = Math.max(schema.minItems ?? 0, Math.floor(random() * 3));
  if (items === undefined) return [];
  return Array.from({ length }, () => valueAt(items, { path: `${path}[]`, random }, make));
}

function integer({ minimum = 0, maximum = minimum + 1000 }: JsonSchema, random: Random): number {
  return Math.floor(minimum + random() * (maximum - minimum + 1));
}

function randomText(random: Random): string {
  return Math.floor(random() * 36 ** 6).toString(36);
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T;
}
