import { nearestName } from "@kubescaffold/platform";

import type { ProjectConfig, ProjectResource } from "./project-config.ts";

/** What a request names a kind with. */
interface NamedKind {
  readonly group: string;
  readonly version?: string | undefined;
  readonly kind?: string | undefined;
}

/**
 * Returns the flags that name the resource of a project that a request most likely means, as a question; nothing if none is near.
 *
 * Flags that are right are not repeated.
 */
export function proposeResource(project: ProjectConfig, request: NamedKind): string | undefined {
  const resources = project.resources ?? [];
  const groups = resources.map((each) => each.group ?? "");
  const group = groups.includes(request.group) ? request.group : nearestName(request.group, groups);
  if (group === undefined) return undefined;
  const ofGroup = resources.filter((each) => (each.group ?? "") === group);
  const kinds = ofGroup.map((each) => each.kind);
  const kind = request.kind === undefined ? undefined : nearestName(request.kind, kinds);
  if (request.kind !== undefined && kind === undefined) return undefined;
  const version = versionOf(request, kind === undefined ? ofGroup : ofGroup.filter((each) => each.kind === kind));
  const flags = Object.entries({ group, kind, version }).filter(
    ([name, value]) => value !== undefined && value !== request[name as keyof NamedKind],
  );
  return flags.length === 0
    ? undefined
    : `did you mean ${flags.map(([name, value]) => `--${name} ${value}`).join(" ")}?`;
}

function versionOf({ version }: NamedKind, resources: readonly ProjectResource[]): string | undefined {
  const versions = resources.map((each) => each.version);
  return version === undefined || versions.includes(version) ? version : versions.at(-1);
}
