import type { GroupKind, GroupResource, GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

/** Whether objects live in namespaces. */
export type Scope = "namespaced" | "cluster";

/** Where the objects of a kind are found on a server. */
export interface RestMapping {
  readonly gvk: GroupVersionKind;
  readonly gvr: GroupVersionResource;
  readonly scope: Scope;
}

/**
 * Finds endpoints for kinds and kinds for endpoints.
 *
 * Fails: `NoMatchError` when the server, asked again, does not know the kind.
 */
export interface RestMapper {
  /** Finds the endpoint of exactly this version of a kind. */
  restMapping(gvk: GroupVersionKind): Promise<RestMapping>;
  /** Finds the endpoints of a kind in all versions, the server's preferred one first. */
  restMappings(groupKind: GroupKind): Promise<readonly RestMapping[]>;
  /** Finds the kind behind a resource, in the server's preferred version. */
  kindFor(resource: GroupResource | GroupVersionResource): Promise<GroupVersionKind>;
  /** Forgets what was learned, so that the next question asks the server. */
  reset(): void;
}
