import { UnsupportedItemError } from "./errors.ts";

/** Returns a value that is equal for equal items; by default {@link itemKey}. */
export type KeyFunction<T> = (item: T) => unknown;

/**
 * Returns a value that is equal for equal items: the item itself if it is no object, otherwise a text of its fields.
 *
 * Two requests with the same fields are one item, regardless of identity and field order.
 * Fails: {@link UnsupportedItemError} for objects whose fields do not tell them apart, such as a `Date` and objects of classes.
 */
export function itemKey(item: unknown): unknown {
  if (isNamespacedName(item)) {
    return `\u0000${item.namespace}\u0000${item.name}`;
  }
  return typeof item === "object" && item !== null ? `\u0000${canonicalText(item, "", 0)}` : item;
}

/** Reports whether an item is a plain object with a namespace, a name, and nothing else. */
export function isNamespacedName(item: unknown): item is { readonly namespace: string; readonly name: string } {
  if (typeof item !== "object" || item === null || !isPlain(item)) {
    return false;
  }
  // Nearly all items are requests, and every step of a queue takes this path.
  for (const field in item) {
    if (field !== "namespace" && field !== "name") {
      return false;
    }
  }
  const { namespace, name } = item as { readonly namespace?: unknown; readonly name?: unknown };
  return typeof namespace === "string" && typeof name === "string";
}

// Objects of another realm, such as a worker of a test runner, have another `Object.prototype`.
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

const DEEPEST = 100;

function canonicalText(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case "object":
      return value === null ? "null" : canonicalObject(value, path, depth + 1);
    case "function":
    case "symbol":
      throw new UnsupportedItemError(`a ${typeof value}`, path);
    case "bigint":
      return `${String(value)}n`;
    case "string":
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

function canonicalObject(value: object, path: string, depth: number): string {
  if (depth > DEEPEST) {
    throw new UnsupportedItemError(`nested more than ${String(DEEPEST)} levels deep`, "the item");
  }
  if (Array.isArray(value)) {
    return `[${value.map((element, index) => canonicalText(element, `${path}[${String(index)}]`, depth)).join(",")}]`;
  }
  if (!isPlain(value)) {
    throw new UnsupportedItemError(`an object of class ${classOf(value)}`, path);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new UnsupportedItemError("an object with symbols as keys", path);
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field, `${path}.${name}`, depth)}`);
  return `{${fields.join(",")}}`;
}

function classOf(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : "without a name";
}
