import type { GroupResource } from "@kubescaffold/k8s";

/** Returns the key under which an object is stored: `namespace/name`, or the name alone without a namespace. */
export function keyOf(key: { readonly namespace: string; readonly name: string }): string {
  return key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** Splits what {@link keyOf} returned. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { namespace: "", name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Returns the name of the table of a resource, `resource.group`. */
export function tableName(groupResource: GroupResource): string {
  return `${groupResource.resource}.${groupResource.group}`;
}
