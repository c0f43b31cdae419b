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
function isNamespacedName(item: unknown): item is { readonly namespace: string; readonly name: string } {
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

/**
 * Maps the items of a queue to values, comparing items by their fields, or by a key function.
 *
 * Requests need no key of their own: they are stored by namespace and name. {@link ItemMap.find} remembers the place of the item, so that
 * {@link ItemMap.putFound} and {@link ItemMap.removeFound} do not search it again.
 */
export class ItemMap<T, V> {
  readonly #keyOf: KeyFunction<T> | undefined;
  readonly #others = new Map<unknown, V>();
  readonly #namespaces = new Map<string, Map<string, V>>();
  #namespace = "";
  #names: Map<string, V> = new Map();
  #found: Map<unknown, V> = this.#others;
  #key: unknown;

  constructor(keyOf?: KeyFunction<T>) {
    this.#keyOf = keyOf;
    this.#namespaces.set("", this.#names);
  }

  /** Returns the value of an item, and remembers its place. */
  find(item: T): V | undefined {
    if (this.#keyOf !== undefined) {
      this.#key = this.#keyOf(item);
      this.#found = this.#others;
    } else if (isNamespacedName(item)) {
      if (item.namespace !== this.#namespace) {
        this.#enter(item.namespace);
      }
      this.#key = item.name;
      this.#found = this.#names;
    } else {
      this.#key = itemKey(item);
      this.#found = this.#others;
    }
    return this.#found.get(this.#key);
  }

  /** Stores the value of the item that was searched last. */
  putFound(value: V): void {
    this.#found.set(this.#key, value);
  }

  /** Removes the item that was searched last. */
  removeFound(): void {
    this.#found.delete(this.#key);
  }

  clear(): void {
    this.#others.clear();
    this.#namespaces.clear();
    this.#names = new Map();
    this.#namespaces.set(this.#namespace, this.#names);
  }

  // At most one namespace without items is stored, so that deleted namespaces need no memory.
  #enter(namespace: string): void {
    if (this.#names.size === 0) {
      this.#namespaces.delete(this.#namespace);
    }
    let names = this.#namespaces.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#namespaces.set(namespace, names);
    }
    this.#namespace = namespace;
    this.#names = names;
  }
}
