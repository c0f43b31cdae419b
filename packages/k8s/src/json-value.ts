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

/**
 * Freezes plain data and everything in it, and returns it; a part that is already frozen is taken to be frozen throughout.
 *
 * Guarantees: any number of levels, of which API servers accept more than fit on the stack.
 */
export function deepFreeze<T>(value: T): T {
  try {
    freezeParts(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    freezeManyLevels(value);
  }
  return value;
}

function freezeParts(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) {
    return;
  }
  for (const name in value) {
    const part: unknown = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof part === "object" && part !== null) {
      freezeParts(part);
    }
  }
  Object.freeze(value);
}

// Without recursion, and slower. Parts come after what they are in, and are frozen before it.
function freezeManyLevels(value: unknown): void {
  const found: unknown[] = [value];
  for (let index = 0; index < found.length; index += 1) {
    for (const part of Object.values(found[index] as object)) {
      if (typeof part === "object" && part !== null && !Object.isFrozen(part)) found.push(part);
    }
  }
  for (const each of found.toReversed()) Object.freeze(each);
}
