import type { ResourceName } from "@kubescaffold/dashboard/cluster";

import type { ProjectConfig } from "../../../project/project-config.ts";
import { namesOf } from "../../../project/resource-names.ts";

/** Returns the resources that a project defines. Kinds of others, such as Deployments, are too many to be shown without an owner. */
export function ownResources(project: ProjectConfig): readonly ResourceName[] {
  const own = (project.resources ?? []).filter(({ api }) => api !== undefined);
  const names = own.map((resource) => namesOf(project, resource));
  const byKey = new Map(
    names.map(({ qualifiedGroup: group, plural: resource }) => [`${resource}.${group}`, { group, resource }]),
  );
  return [...byKey.values()];
}
