import { checkLevel, RECURSIVE_LEVELS } from "./levels.ts";

/**
 * Returns a deep copy of a JSON value, which belongs to the caller; a `Date`, `Map`, or binary value in it is copied like by `structuredClone`.
 *
 * Guarantees: any number of levels, of which API servers store more than fit on the stack.
 * Fails: `EndlessValueError` for a value that contains itself.
 */
export function deepClone<T>(value: T): T {
  const later: Copy[] = [];
  const copy = copyOf(value, 0, later);
  for (let next = later.pop(); next !== undefined; next = later.pop()) {
    checkLevel(next.level);
    fill(next.target, next.source, next.level, later);
  }
  return copy as T;
}

/** A copy without parts, as its source is too deep in the value. */
interface Copy {
  readonly target: object;
  readonly source: object;
  readonly level: number;
}

function copyOf(value: unknown, level: number, later: Copy[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value) && !isPlain(value)) return structuredClone(value);
  const target: object = Array.isArray(value) ? [] : {};
  if (level % RECURSIVE_LEVELS === RECURSIVE_LEVELS - 1) later.push({ target, source: value, level: level + 1 });
  else fill(target, value, level + 1, later);
  return target;
}

function fill(target: object, source: object, level: number, later: Copy[]): void {
  if (Array.isArray(source)) {
    for (let index = 0; index < source.length; index += 1) {
      (target as unknown[])[index] = copyOf(source[index], level, later);
    }
    return;
  }
  for (const key of Object.keys(source)) {
    const part = (source as Readonly<Record<string, unknown>>)[key];
    // Most parts are texts and numbers.
    const value = typeof part === "object" && part !== null ? copyOf(part, level, later) : part;
    if (key === "__proto__") {
      Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    } else {
      (target as Record<string, unknown>)[key] = value;
    }
  }
}

// Objects of another realm, such as a worker of a test runner, have another `Object.prototype`.
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** A field's value that cannot be changed; unknown values stay unknown. */
export type ReadonlyValue<T> = T extends Primitive ? T : unknown extends T ? T : DeepReadonly<T>;

/**
 * Plain data whose fields, lists, and maps cannot be changed, at any depth: the type of a frozen object.
 *
 * Every `T` is assignable to it. TypeScript ignores `readonly` fields, but not lists, when it compares types: a part without a list is also assignable
 * to its type `T`.
 */
export type DeepReadonly<T> = { readonly [K in keyof T]: ReadonlyValue<T[K]> };

/**
 * The fields of a value to create: also parts of objects from a cache, whose lists are readonly, and `undefined` for fields that are optional.
 *
 * Every `T` is assignable to it, and so is its `DeepReadonly`.
 */
export type FieldsOf<T> = { readonly [K in keyof T]: FieldValue<T[K]> | MissingField<T, K> };

type FieldValue<T> = T extends Primitive
  ? T
  : unknown extends T
    ? T
    : T extends readonly (infer E)[]
      ? readonly FieldValue<E>[]
      : FieldsOf<T>;

// The entries of a map have values.
type MissingField<T, K extends keyof T> = string extends K ? never : object extends Pick<T, K> ? undefined : never;

/**
 * Freezes plain data and everything in it, and returns it; a part that is already frozen is taken to be frozen throughout.
 *
 * Guarantees: any number of levels, of which API servers store more than fit on the stack; parts are frozen before what contains them.
 */
export function deepFreeze<T>(value: T): T {
  freezeParts(value, 0);
  return value;
}

function freezeParts(value: unknown, level: number): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) {
    return;
  }
  if (level === RECURSIVE_LEVELS) {
    freezeManyLevels(value);
    return;
  }
  for (const name in value) {
    const part: unknown = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof part === "object" && part !== null) {
      freezeParts(part, level + 1);
    }
  }
  Object.freeze(value);
}

// Without recursion, and slower. Parts come after what they are in, and are frozen before it.
function freezeManyLevels(value: object): void {
  const found = new Set([value]);
  for (const each of found) {
    for (const part of Object.values(each)) {
      if (typeof part === "object" && part !== null && !Object.isFrozen(part)) found.add(part as object);
    }
  }
  for (const each of [...found].toReversed()) Object.freeze(each);
}
