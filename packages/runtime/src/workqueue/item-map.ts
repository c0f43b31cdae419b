import { isNamespacedName, itemKey, type KeyFunction } from "./item-key.ts";

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
