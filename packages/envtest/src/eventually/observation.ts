import { type DeepReadonly, isNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { KindRef, ObjectKey, Reader, Stored } from "@kubescaffold/runtime";

/** The result of reading an object: the object, its absence, or an error. */
export type Observation<T> =
  | { readonly kind: "found"; readonly object: T }
  | { readonly kind: "absent"; readonly error: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

/** Reads an object. An unserved kind is an error instead of an absent object. */
export async function observe<T extends KubernetesObject>(
  reader: Pick<Reader, "get">,
  kind: KindRef<T>,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<Observation<DeepReadonly<Stored<T>>>> {
  try {
    return { kind: "found", object: await reader.get(kind, key, { signal }) };
  } catch (error) {
    return { kind: isNotFound(error) ? "absent" : "failed", error };
  }
}

/** Returns the kind, the namespace, and the name of an object for messages. */
export function describeObject({ kind }: { readonly kind: string }, { namespace = "", name }: ObjectKey): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}
