import type { GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

/** A resource as users name it; `GroupResource` and `GroupVersionResource` are partial resources, too. */
export interface PartialResource {
  /** The plural or singular name, in any case. */
  readonly resource: string;
  /** The group, or its start; empty for the core group. Default: any group. */
  readonly group?: string;
  /** The version. Default: any version. */
  readonly version?: string;
}

/** A resource of a mapper. */
export interface NamedMapping {
  /** The kind of the objects. */
  readonly gvk: GroupVersionKind;
  /** The group, version, and plural name. */
  readonly gvr: GroupVersionResource;
  /** The singular name; may be empty. */
  readonly singular: string;
}

/** Returns the mappings that a resource matches, in their order. A group that matches none exactly matches those that start with it, as in kubectl. */
export function matchingResources<T extends NamedMapping>(
  mappings: readonly T[],
  { resource, group, version }: PartialResource,
): readonly T[] {
  const name = resource.toLowerCase();
  const isAnyVersion = version === undefined || version === "" || version === "__internal";
  const named = mappings.filter(
    ({ gvr, singular }) =>
      name !== "" && (gvr.resource === name || singular === name) && (isAnyVersion || gvr.version === version),
  );
  if (group === undefined) {
    return named;
  }
  const exact = named.filter(({ gvr }) => gvr.group === group);
  return exact.length > 0 || group === "" || !isAnyVersion
    ? exact
    : named.filter(({ gvr }) => gvr.group.startsWith(group));
}

/** Prints a resource as kubectl's users write it: `deployments.v1.apps`. */
export function partialResourceToString({ resource, version = "", group = "" }: PartialResource): string {
  return [resource, version, group].filter((part) => part !== "").join(".");
}
