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

/**
 * Parses a key such as `namespace/name`; a text without a slash is a name without a namespace. Returns undefined if the text has more than one slash.
 *
 * client-go: tools/cache.ParseObjectName
 */
export function parseNamespacedName(text: string): NamespacedName | undefined {
  const [first = "", name, ...rest] = text.split("/");
  if (rest.length > 0) return undefined;
  return name === undefined ? { namespace: "", name: first } : { namespace: first, name };
}

/** Returns the namespace and name of an object. */
export function objectKey(object: {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}): NamespacedName {
  return { namespace: object.metadata.namespace ?? "", name: object.metadata.name ?? "" };
}
