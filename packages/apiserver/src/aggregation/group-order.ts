import { compareVersions } from "../resources/registry.ts";
import type { RegisteredVersion } from "./api-services.ts";

/** A group with its versions, the preferred one first. */
export interface OrderedGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

/** The versions of each group. */
export type GroupVersions = ReadonlyMap<string, readonly string[]>;

// The group of APIServices precedes all others, and has none itself.
const FIRST_GROUP = "apiregistration.k8s.io";
const FIRST_PRIORITY = 20_001;
// What custom resources have, whose APIServices may not exist yet.
const DEFAULT_GROUP_PRIORITY = 1000;
const DEFAULT_VERSION_PRIORITY = 100;

/** Orders the groups that a server itself serves and those of other servers by the priorities of their APIServices. */
export function orderedGroups(local: GroupVersions, registered: readonly RegisteredVersion[]): readonly OrderedGroup[] {
  const byName = new Map(registered.map((each) => [each.name, each]));
  const groups = new Map([...local].map(([group, versions]) => [group, new Set(versions)]));
  for (const { group, version, backend } of registered) {
    if (backend === undefined || group === "") continue;
    groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
  const priorityOf = (group: string, versions: ReadonlySet<string>): number =>
    group === FIRST_GROUP
      ? FIRST_PRIORITY
      : Math.max(
          ...[...versions].map((each) => byName.get(`${each}.${group}`)?.groupPriority ?? DEFAULT_GROUP_PRIORITY),
        );
  const rankOf = (group: string, version: string): number =>
    byName.get(`${version}.${group}`)?.versionPriority ?? DEFAULT_VERSION_PRIORITY;
  return [...groups]
    .map(([group, versions]) => ({
      group,
      priority: priorityOf(group, versions),
      versions: [...versions].sort(
        (left, right) => rankOf(group, right) - rankOf(group, left) || compareVersions(left, right),
      ),
    }))
    .sort((left, right) => right.priority - left.priority || (left.group < right.group ? -1 : 1));
}
