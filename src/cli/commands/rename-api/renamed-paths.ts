import path from "node:path";

import type { PlannedRename } from "../../../project/plans/plan-rename.ts";
import type { ProjectConfig, ProjectResource } from "../../../project/project-config.ts";
import { namesOf, type ResourceNames } from "../../../project/resource-names.ts";

/** A project, and what it becomes with other names. */
interface Renaming extends PlannedRename {
  readonly previous: ProjectConfig;
}

/** Returns what gives files of a resource their new paths; those of a hub lie in folders of its spokes too. */
export function renamedPaths(
  { previous, project, renamed }: Renaming,
  resource: ProjectResource,
): (file: string) => string {
  const pairs = [...renamed]
    .filter(([before]) => before.kind === resource.kind && before.group === resource.group)
    .map(([before, after]) => [namesOf(previous, before), namesOf(project, after)] as const);
  return (file) => {
    const folder = path.posix.dirname(file);
    const name = path.posix.basename(file);
    const own = pairs.find(([old]) => old.version === resource.version) ?? pairs[0];
    if (own === undefined) return file;
    const folders = pairs.flatMap(([old, next]) => [
      [old.apiFolder, next.apiFolder] as const,
      [old.webhookFolder, next.webhookFolder] as const,
      [old.controllerFolder, next.controllerFolder] as const,
    ]);
    const moved = folders.find(([old]) => old === folder)?.[1] ?? folder;
    return `${moved}/${renamedName(name, own, pairs)}`;
  };
}

type NamePair = readonly [old: ResourceNames, next: ResourceNames];

function renamedName(name: string, [old, next]: NamePair, pairs: readonly NamePair[]): string {
  if (name === old.sampleName) return next.sampleName;
  if (name === `webhook_in_${old.groupPrefix}${old.plural}.yaml`)
    return `webhook_in_${next.groupPrefix}${next.plural}.yaml`;
  const spoke = pairs.find(([each]) => name === `${each.kindLower}_${each.version}_conversion.test.ts`)?.[1];
  if (spoke !== undefined) return `${spoke.kindLower}_${spoke.version}_conversion.test.ts`;
  for (const [start, end] of [
    [`${old.groupPrefix}${old.kindLower}_`, `${next.groupPrefix}${next.kindLower}_`],
    [`${old.kindLower}_`, `${next.kindLower}_`],
  ] as const)
    if (name.startsWith(start)) return end + name.slice(start.length);
  return name;
}
