import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";

/** The file of a folder of types with what server-side apply takes. */
const APPLY_FILE = "zz_generated.apply.ts";

/** Takes away what was generated for server-side apply beside the types of a resource, when no kind there asks for it any more. */
export function forgetApply(tree: FileTree, project: ProjectConfig, resource: ProjectResource): void {
  const { apiFolder } = namesOf(project, resource);
  const isWanted = (project.resources ?? []).some(
    (each) => each.api?.ssa === true && namesOf(project, each).apiFolder === apiFolder,
  );
  const file = `${apiFolder}/${APPLY_FILE}`;
  if (!isWanted && tree.exists(file)) tree.delete(file);
}
