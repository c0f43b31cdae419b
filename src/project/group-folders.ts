import { ResourceConflictError } from "./errors.ts";
import type { ProjectConfig, ProjectResource } from "./project-config.ts";

/** Returns the project with paths of types as the setting `multigroup` wants them. */
export function withTypesPaths(project: ProjectConfig): ProjectConfig {
  if (project.resources === undefined) return project;
  return {
    ...project,
    resources: project.resources.map((each) => (isOwn(each) ? { ...each, path: typesPathOf(project, each) } : each)),
  };
}

/** Returns where the types of a resource of the project's own are, as PROJECT records it. */
export function typesPathOf(
  project: ProjectConfig,
  { group = "", version }: Pick<ProjectResource, "group" | "version">,
): string {
  const below = project.multigroup === true && group !== "" ? `${group}/` : "";
  return `${project.repo ?? ""}/api/${below}${version}`;
}

/** Checks that the types of a project fit into folders without their group. Fails: {@link ResourceConflictError} when it has several groups. */
export function requireOneGroup(project: ProjectConfig): void {
  if (project.multigroup === true) return;
  const groups = new Set((project.resources ?? []).filter((each) => isOwn(each)).map((each) => each.group ?? ""));
  if (groups.size <= 1) return;
  throw new ResourceConflictError(`cannot disable multigroup: the project has the groups ${[...groups].join(", ")}`, {
    hint: "delete the APIs of all groups but one first, or keep --multigroup",
  });
}

function isOwn(resource: ProjectResource): boolean {
  return resource.api !== undefined && resource.core !== true && resource.external !== true;
}
