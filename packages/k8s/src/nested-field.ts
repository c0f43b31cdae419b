import { isRecord } from "@kubescaffold/platform";

/**
 * Returns a field of an object without a static type by its path; undefined where the path ends early. Lists have no named fields.
 *
 * apimachinery: pkg/apis/meta/v1/unstructured.NestedFieldNoCopy
 *
 * @example
 * const replicas = nestedField(object, ["spec", "replicas"]);
 * if (typeof replicas === "number") console.log(replicas);
 */
export function nestedField(object: object, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Returns a copy of an object with a field at a path; objects on the way are created, and replace values that are no objects.
 *
 * Guarantees: the object is not changed; the copy shares what is not on the path.
 *
 * apimachinery: pkg/apis/meta/v1/unstructured.SetNestedField
 */
export function withNestedField<T extends object>(object: T, path: readonly string[], value: unknown): T {
  return changed(object, path, (fields, name) => setField(fields, name, value)) as T;
}

/**
 * Returns a copy of an object without the field at a path; the object itself if it does not have that field.
 *
 * Guarantees: the object is not changed; the copy shares what is not on the path.
 *
 * apimachinery: pkg/apis/meta/v1/unstructured.RemoveNestedField
 */
export function withoutNestedField<T extends object>(object: T, path: readonly string[]): T {
  const last = path.at(-1);
  const parent = nestedField(object, path.slice(0, -1));
  if (last === undefined || !isRecord(parent) || !Object.hasOwn(parent, last)) return object;
  return changed(object, path, (fields, name) => Reflect.deleteProperty(fields, name)) as T;
}

type Fields = { [name: string]: unknown };

function changed(value: unknown, path: readonly string[], change: (fields: Fields, name: string) => void): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const fields: Fields = isRecord(value) ? { ...value } : {};
  if (rest.length === 0) change(fields, name);
  else setField(fields, name, changed(Object.hasOwn(fields, name) ? fields[name] : undefined, rest, change));
  return fields;
}

// As JSON means it, `__proto__` is a name like any other.
function setField(fields: Fields, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
}
