import type { DeepReadonly } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { type DeepCalls, runDeep } from "@kubescaffold/schema/values";

/**
 * Some fields of an object: records may lack fields, lists have all of their items. Values may be asymmetric matchers such as `expect.any(String)`.
 */
export type PartialObject<T> = T extends readonly (infer E)[]
  ? readonly PartialObject<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: PartialObject<T[K]> }
    : T;

/** The fields that an object must have, or a predicate; an error of a predicate counts as false. */
export type ExpectedObject<T> = PartialObject<T> | ((object: DeepReadonly<T>) => boolean);

/** Returns the fields of a value that the expected fields mention, so that a diff shows nothing else. */
export function mentionedFields(value: unknown, expected: unknown): unknown {
  return runDeep<Compared, unknown>({ value, expected }, { run: fieldsOf, placeholder: undefined });
}

interface Compared {
  readonly value: unknown;
  readonly expected: unknown;
}

function fieldsOf({ value, expected }: Compared, calls: DeepCalls<Compared, unknown>): unknown {
  if (Array.isArray(value) && Array.isArray(expected)) {
    return value.map((item: unknown, index) =>
      index < expected.length ? calls.call({ value: item, expected: expected[index] }) : item,
    );
  }
  if (!isRecord(value) || !isRecord(expected) || "asymmetricMatch" in expected) return value;
  const names = Object.keys(expected).filter((name) => name in value);
  return Object.fromEntries(names.map((name) => [name, calls.call({ value: value[name], expected: expected[name] })]));
}

/** Returns an object without managed fields, which only make messages longer. */
export function withoutManagedFields(object: unknown): unknown {
  if (!isRecord(object) || !isRecord(object["metadata"])) return object;
  const { managedFields: _managedFields, ...metadata } = object["metadata"];
  return { ...object, metadata };
}
