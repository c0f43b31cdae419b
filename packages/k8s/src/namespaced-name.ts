/** Names an object within its kind; the namespace is the empty string for cluster-scoped objects. */
export interface NamespacedName {
  /** The namespace; empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
}

/** Prints a key as upstream does: `namespace/name`, and `/name` where there is no namespace. */
export function namespacedNameToString(key: NamespacedName): string {
  return `${key.namespace}/${key.name}`;
}

/** Returns the namespace and name of an object. */
export function objectKey(object: {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}): NamespacedName {
  return { namespace: object.metadata.namespace ?? "", name: object.metadata.name ?? "" };
}
