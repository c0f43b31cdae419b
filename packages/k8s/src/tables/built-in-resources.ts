import type { GroupVersionKind, GroupVersionResource } from "../group-version.ts";
import { deepFreeze } from "../json/json-value.ts";
import { gatedResourceRows, resourceRows } from "./resource-rows.ts";

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

/** The resources that an API server 1.35 serves by default, by group, version and name. */
export const builtInResources: readonly BuiltInResource[] = deepFreeze(
  JSON.parse(resourceRows) as readonly BuiltInResource[],
);

let gated: readonly BuiltInResource[] | undefined;

/** Returns the resources that an API server 1.35 serves with a feature gate and `--runtime-config` alone. */
export function gatedResources(): readonly BuiltInResource[] {
  gated ??= deepFreeze(JSON.parse(gatedResourceRows) as readonly BuiltInResource[]);
  return gated;
}

/** The version that discovery recommends for each built-in group. */
export const preferredVersions: ReadonlyMap<string, string> = new Map(
  builtInResources.map(({ group, version }) => [group, version]),
);

/** The built-in groups in the order in which discovery lists them, the core group first. */
export const builtInGroups: readonly string[] = Object.freeze([
  "",
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
  "flowcontrol.apiserver.k8s.io",
]);

/** Finds a built-in resource by its plural name, or by its kind. */
export function builtInResource(wanted: GroupVersionResource | GroupVersionKind): BuiltInResource | undefined {
  return builtInResources.find(
    (resource) =>
      resource.group === wanted.group &&
      resource.version === wanted.version &&
      ("resource" in wanted ? resource.plural === wanted.resource : resource.kind === wanted.kind),
  );
}
