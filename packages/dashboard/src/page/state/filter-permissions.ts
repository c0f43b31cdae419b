import type { PermissionUse } from "../feed/protocol.ts";

/** The filters of permissions, as the URL has them. */
export interface PermissionFilter {
  readonly text: string;
  readonly state: "" | PermissionUse["state"];
}

const RANK: Readonly<Record<PermissionUse["state"], number>> = {
  denied: 0,
  missing: 1,
  unused: 2,
  used: 3,
  granted: 4,
};

/** Reads the filters from the parameters of a URL. */
export function permissionFilterOf(params: Readonly<Record<string, string>>): PermissionFilter {
  const { state = "" } = params;
  return { text: params["q"] ?? "", state: Object.hasOwn(RANK, state) ? (state as PermissionUse["state"]) : "" };
}

/** Returns the permissions that match: denied ones first, then missing and unused ones, by resource and verb. */
export function filterPermissions(
  permissions: Iterable<PermissionUse>,
  { text, state }: PermissionFilter,
): readonly PermissionUse[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  return [...permissions]
    .filter((use) => {
      if (state !== "" && use.state !== state) return false;
      const own = `${use.verb} ${resourceOf(use)} ${use.namespace}`.toLowerCase();
      return words.every((word) => own.includes(word));
    })
    .sort((left, right) => {
      if (left.state !== right.state) return RANK[left.state] - RANK[right.state];
      return `${resourceOf(left)} ${left.verb}` < `${resourceOf(right)} ${right.verb}` ? -1 : 1;
    });
}

/** Counts permissions by state. */
export function countPermissions(
  permissions: Iterable<PermissionUse>,
): Readonly<Record<PermissionUse["state"], number>> {
  const counts = { used: 0, unused: 0, denied: 0, granted: 0, missing: 0 };
  for (const { state } of permissions) counts[state] += 1;
  return counts;
}

/** Prints a resource as RBAC names it: `deployments.apps`, `pods/log`. */
export function resourceOf({ group, resource }: Pick<PermissionUse, "group" | "resource">): string {
  if (group === "") return resource;
  const [name = "", ...rest] = resource.split("/");
  return [`${name}.${group}`, ...rest].join("/");
}

/** Identifies a permission. */
export function permissionKey({
  verb,
  group,
  resource,
  namespace,
}: Pick<PermissionUse, "verb" | "group" | "resource" | "namespace">): string {
  return [verb, group, resource, namespace].join(" ");
}
