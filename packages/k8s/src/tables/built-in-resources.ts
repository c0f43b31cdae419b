import type { GroupVersionKind } from "../group-version.ts";

/** A subresource; its kind may belong to another group. */
export interface BuiltInSubresource extends GroupVersionKind {
  /** The last segment of the path: `status`, `scale`, `exec`. */
  readonly name: string;
  /** The verbs that the server serves. */
  readonly verbs: readonly string[];
}

/** A resource that every API server serves. */
export interface BuiltInResource extends GroupVersionKind {
  /** The plural name, as in paths. */
  readonly plural: string;
  /** The singular name. */
  readonly singular: string;
  /** Whether objects belong to a namespace. */
  readonly namespaced: boolean;
  /** The verbs that the server serves. */
  readonly verbs: readonly string[];
  /** Short names for kubectl. */
  readonly shortNames: readonly string[];
  /** Categories for kubectl, such as `all`. */
  readonly categories: readonly string[];
  /** The subresources, sorted by name. */
  readonly subresources: readonly BuiltInSubresource[];
}
