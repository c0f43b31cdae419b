import type { GroupKind, GroupResource, GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

/** One served resource, in one version. */
export interface ServedResource extends GroupVersionResource {
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly isNamespaced: boolean;
  readonly isCustom: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  /** Where its objects are stored; several served resources may share one place. */
  readonly storedAs: GroupResource;
}

/** Knows the resources that are served. */
export interface ResourceCatalog {
  /** Returns all served resources, the preferred version of each group first. */
  all(): readonly ServedResource[];
  find(gvr: GroupVersionResource): ServedResource | undefined;
  findByKind(gvk: GroupVersionKind): ServedResource | undefined;
  /** Returns the preferred version of a kind. */
  preferred(groupKind: GroupKind): ServedResource | undefined;
  /** Calls back when the set of served resources has changed; returns what ends that. */
  onChange(listener: () => void): () => void;
}
