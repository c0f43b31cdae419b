import type { GroupKind, GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

import type { PartialResource } from "./partial-resource.ts";

/** The scope of a kind. */
export type Scope = "namespaced" | "cluster";

/**
 * The endpoint of a kind.
 *
 * apimachinery: pkg/api/meta.RESTMapping
 */
export interface RestMapping {
  /** The group, version, and kind. */
  readonly gvk: GroupVersionKind;
  /** The group, version, and resource. */
  readonly gvr: GroupVersionResource;
  /** Whether the objects are namespaced. */
  readonly scope: Scope;
}

/**
 * Maps kinds to resources and resources to kinds.
 *
 * A resource may be incomplete, as users type it: without version or group, in the singular, or with the start of its group.
 *
 * Fails: `NoMatchError` when the server does not serve the kind, after a repeated discovery.
 *
 * apimachinery: pkg/api/meta.RESTMapper
 */
export interface RestMapper {
  /** Returns the endpoint of exactly this version of a kind. */
  restMapping(gvk: GroupVersionKind): Promise<RestMapping>;
  /** Returns the endpoints of a kind in all versions, the server's preferred version first. */
  restMappings(groupKind: GroupKind): Promise<readonly RestMapping[]>;
  /** Returns the kind of a resource, in the server's preferred version. Fails: `AmbiguousResourceError` of mappers without preferences. */
  kindFor(resource: PartialResource): Promise<GroupVersionKind>;
  /** Returns the kinds that a resource matches, the preferred one first. */
  kindsFor(resource: PartialResource): Promise<readonly GroupVersionKind[]>;
  /** Returns the complete resource, in the preferred version. Fails: `AmbiguousResourceError` of mappers without preferences. */
  resourceFor(resource: PartialResource): Promise<GroupVersionResource>;
  /** Returns all resources that match, the preferred one first. */
  resourcesFor(resource: PartialResource): Promise<readonly GroupVersionResource[]>;
  /** Returns the singular name of a resource: `pod` for `pods`. */
  singularOf(resource: string): Promise<string>;
  /** Clears the cached discovery. */
  reset(): void;
}
