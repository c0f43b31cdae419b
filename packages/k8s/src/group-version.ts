/** An API group and version; the core group is the empty string. */
export interface GroupVersion {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version, such as `v1`. */
  readonly version: string;
}

/** Names a kind of object: group, version and kind. */
export interface GroupVersionKind extends GroupVersion {
  /** The kind, such as `Deployment`. */
  readonly kind: string;
}

/** Names an endpoint: group, version and the plural resource name. */
export interface GroupVersionResource extends GroupVersion {
  /** The plural name of the resource, such as `deployments`. */
  readonly resource: string;
}

/** Names a kind regardless of its version. */
export interface GroupKind {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The kind, such as `Deployment`. */
  readonly kind: string;
}

/** Names a resource regardless of its version. */
export interface GroupResource {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The plural name of the resource, such as `deployments`. */
  readonly resource: string;
}

/** Returns the `apiVersion` of an object of this group and version: `v1` for the core group, `apps/v1` elsewhere. */
export function apiVersionOf(groupVersion: GroupVersion): string {
  return groupVersion.group === "" ? groupVersion.version : `${groupVersion.group}/${groupVersion.version}`;
}

/** Splits an `apiVersion` into group and version; without a slash the group is the core group. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf("/");
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Returns the group, version, and kind of an object. */
export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** Prints a gvk as upstream does: `apps/v1, Kind=Deployment`. */
export function gvkToString(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

/** Prints a group and kind as upstream does: `Deployment.apps`, or the kind alone for the core group. */
export function groupKindToString(groupKind: GroupKind): string {
  return groupKind.group === "" ? groupKind.kind : `${groupKind.kind}.${groupKind.group}`;
}

/** Prints a group and resource as upstream does: `deployments.apps`, or the resource alone for the core group. */
export function groupResourceToString(groupResource: GroupResource): string {
  return groupResource.group === "" ? groupResource.resource : `${groupResource.resource}.${groupResource.group}`;
}
