import type { NamespacedName } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

type ObjectName = Partial<NamespacedName>;

/** Stores objects by namespace and name; the objects of one namespace are found without looking at others. */
export class ObjectMap<T extends KubernetesObject> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ namespace = "", name = "" }: ObjectName): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Stores an object and returns the previous object of its name. */
  set(object: T): T | undefined {
    const { namespace = "", name = "" } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    const old = objects.get(name);
    objects.set(name, object);
    this.#size += old === undefined ? 1 : 0;
    return old;
  }

  /** Removes the object of a name and returns it. */
  delete({ namespace = "", name = "" }: ObjectName): T | undefined {
    const objects = this.#namespaces.get(namespace);
    const old = objects?.get(name);
    if (objects === undefined || old === undefined) {
      return undefined;
    }
    objects.delete(name);
    this.#size -= 1;
    if (objects.size === 0) {
      this.#namespaces.delete(namespace);
    }
    return old;
  }

  /** Iterates over the objects of a namespace, or over all objects. */
  *values(namespace?: string): Generator<T, void, undefined> {
    if (namespace !== undefined) {
      yield* this.#namespaces.get(namespace)?.values() ?? [];
      return;
    }
    for (const objects of this.#namespaces.values()) {
      yield* objects.values();
    }
  }

  /** Returns the objects of a namespace, or all objects. */
  list(namespace?: string): T[] {
    if (namespace !== undefined) {
      return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    }
    const all: T[] = [];
    for (const objects of this.#namespaces.values()) {
      for (const object of objects.values()) {
        all.push(object);
      }
    }
    return all;
  }
}
