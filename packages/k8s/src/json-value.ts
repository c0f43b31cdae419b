/** Reports whether a value is an object with named members: neither `null` nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a deep copy of a JSON value, which belongs to the caller. */
export function deepClone<T>(value: T): T {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => deepClone(item)) as T;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = deepClone((value as Record<string, unknown>)[key]);
    if (key === "__proto__") {
      Object.defineProperty(copy, key, { value: field, enumerable: true, configurable: true, writable: true });
    } else {
      copy[key] = field;
    }
  }
  return copy as T;
}

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** A field's value that cannot be changed; unknown values stay unknown. */
type ReadonlyValue<T> = T extends Primitive ? T : unknown extends T ? T : DeepReadonly<T>;

/**
 * Plain data whose fields, lists, and maps cannot be changed, at any depth: the type of a frozen object.
 *
 * Every `T` is assignable to it. TypeScript ignores `readonly` fields, but not lists, when it compares types: a part without a list is also assignable
 * to its type `T`.
 */
export type DeepReadonly<T> = { readonly [K in keyof T]: ReadonlyValue<T[K]> };

/** Freezes plain data and everything in it, and returns it; a part that is already frozen is taken to be frozen throughout. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) {
    return value;
  }
  for (const name in value) {
    const part: unknown = value[name];
    if (typeof part === "object" && part !== null) {
      deepFreeze(part);
    }
  }
  return Object.freeze(value);
}
