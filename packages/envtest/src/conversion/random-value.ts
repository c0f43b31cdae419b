import type { JSONValue } from "@kubescaffold/k8s";
import { itemsOf, type JsonSchema } from "@kubescaffold/schema";

/** Returns a number from 0 up to, and without, 1. */
export type Random = () => number;

/** Returns a source of numbers that is the same for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a value of the types that a structural schema asks for, within its enums and numeric bounds; patterns and formats are not kept to. */
export function randomValue(schema: JsonSchema, random: Random): JSONValue {
  if (schema.enum !== undefined && schema.enum.length > 0) return pick(schema.enum, random);
  if (schema["x-kubernetes-int-or-string"] === true) return random() < 0.5 ? integer(schema, random) : text(random);
  switch (schema.type) {
    case "object":
      return randomObject(schema, random);
    case "array":
      return randomArray(schema, random);
    case "integer":
      return integer(schema, random);
    case "number":
      return integer(schema, random) + (schema.maximum === undefined ? 0.5 : 0);
    case "boolean":
      return random() < 0.5;
    default:
      return text(random);
  }
}

function randomObject(schema: JsonSchema, random: Random): JSONValue {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.entries(properties).flatMap(([name, property]) =>
    required.includes(name) || random() < 0.7 ? [[name, randomValue(property, random)] as const] : [],
  );
  const entries = typeof additionalProperties === "object" ? Math.floor(random() * 3) : 0;
  const others = Array.from(
    { length: entries },
    () => [text(random), randomValue(additionalProperties as JsonSchema, random)] as const,
  );
  return Object.fromEntries([...known, ...others]);
}

function randomArray(schema: JsonSchema, random: Random): JSONValue {
  const items = itemsOf(schema);
  const length = Math.max(schema.minItems ?? 0, Math.floor(random() * 3));
  return items === undefined ? [] : Array.from({ length }, () => randomValue(items, random));
}

function integer({ minimum = 0, maximum = minimum + 1000 }: JsonSchema, random: Random): number {
  return Math.floor(minimum + random() * (maximum - minimum + 1));
}

function text(random: Random): string {
  return Math.floor(random() * 36 ** 6).toString(36);
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T;
}
