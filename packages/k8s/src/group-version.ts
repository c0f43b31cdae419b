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

/**
 * Parses a group and kind such as `Deployment.apps`; a kind alone is of the core group. The inverse of {@link groupKindToString}.
 *
 * apimachinery: pkg/runtime/schema.ParseGroupKind
 */
export function parseGroupKind(text: string): GroupKind {
  const [kind, group] = splitAtDot(text);
  return { group, kind };
}

/**
 * Parses a group and resource such as `deployments.apps`; a resource alone is of the core group. The inverse of {@link groupResourceToString}.
 *
 * apimachinery: pkg/runtime/schema.ParseGroupResource
 */
export function parseGroupResource(text: string): GroupResource {
  const [resource, group] = splitAtDot(text);
  return { group, resource };
}

/** The readings of a kind with or without its version; a group such as `v1.example.com` could begin with a version. */
export interface KindArgument {
  /** The kind with its version; undefined if the text has fewer than two dots. */
  readonly gvk: GroupVersionKind | undefined;
  /** The kind if the text has no version. */
  readonly groupKind: GroupKind;
}

/**
 * Parses a kind of a command line, such as `Deployment.v1.apps` or `Deployment.apps`.
 *
 * apimachinery: pkg/runtime/schema.ParseKindArg
 */
export function parseKindArgument(text: string): KindArgument {
  const versioned = splitAtDots(text);
  return {
    gvk: versioned === undefined ? undefined : { group: versioned[2], version: versioned[1], kind: versioned[0] },
    groupKind: parseGroupKind(text),
  };
}

/** The readings of a resource with or without its version; a group such as `v1.example.com` could begin with a version. */
export interface ResourceArgument {
  /** The resource with its version; undefined if the text has fewer than two dots. */
  readonly gvr: GroupVersionResource | undefined;
  /** The resource if the text has no version. */
  readonly groupResource: GroupResource;
}

/**
 * Parses a resource of a command line, such as `deployments.v1.apps` or `deployments.apps`.
 *
 * apimachinery: pkg/runtime/schema.ParseResourceArg
 */
export function parseResourceArgument(text: string): ResourceArgument {
  const versioned = splitAtDots(text);
  return {
    gvr: versioned === undefined ? undefined : { group: versioned[2], version: versioned[1], resource: versioned[0] },
    groupResource: parseGroupResource(text),
  };
}

function splitAtDot(text: string): readonly [first: string, rest: string] {
  const dot = text.indexOf(".");
  return dot < 0 ? [text, ""] : [text.slice(0, dot), text.slice(dot + 1)];
}

function splitAtDots(text: string): readonly [first: string, second: string, rest: string] | undefined {
  const [first, others] = splitAtDot(text);
  const [second, rest] = splitAtDot(others);
  return others.includes(".") ? [first, second, rest] : undefined;
}
