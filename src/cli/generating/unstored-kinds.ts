import type { ProjectConfig, ProjectResource } from "../../project/project-config.ts";
import { namesOf } from "../../project/resource-names.ts";
import { STORAGE_VERSION } from "../../project/storage-version.ts";

/** A kind of which no version says that it is stored. */
export interface UnstoredKind {
  readonly kind: string;
  readonly versions: readonly string[];
}

/**
 * Returns the kinds of a project that have several versions, none of which is marked as the one that is stored: they have no CRD yet.
 *
 * `read` returns the text of a file of the project.
 */
export function unstoredKinds(
  project: ProjectConfig,
  read: (path: string) => string | undefined,
): readonly UnstoredKind[] {
  const byCrd = new Map<string, ProjectResource[]>();
  for (const resource of project.resources ?? []) {
    if (resource.api === undefined) continue;
    const { crdBase } = namesOf(project, resource);
    byCrd.set(crdBase, [...(byCrd.get(crdBase) ?? []), resource]);
  }
  return [...byCrd.values()]
    .filter((versions) => versions.length > 1 && !versions.some((each) => isMarked(project, each, read)))
    .map((versions) => ({ kind: versions[0]?.kind ?? "", versions: versions.map(({ version }) => version) }));
}

// A file that is not where it is expected may say anything: the generators look for themselves.
function isMarked(
  project: ProjectConfig,
  resource: ProjectResource,
  read: (path: string) => string | undefined,
): boolean {
  const { apiFolder, kindLower } = namesOf(project, resource);
  const text = read(`${apiFolder}/${kindLower}_types.ts`);
  return text === undefined || text.includes(STORAGE_VERSION);
}
