import path from "node:path";

import { pathKindSync } from "../machinery/disk.ts";
import type { FileAction } from "../machinery/file-tree.ts";

const WORKFLOWS = ".github/workflows";

/** Says of workflows that a command writes into a project below the root of its repository that GitHub does not run them, and what does help. */
export function workflowNotes(root: string, actions: readonly FileAction[]): readonly string[] {
  const written = actions.filter((each) => each.kind !== "delete" && path.posix.dirname(each.path) === WORKFLOWS);
  const repository = repositoryAround(root);
  if (written.length === 0 || repository === undefined || repository === root) return [];
  const up = path.relative(root, repository).split(path.sep).join("/");
  const folder = path.relative(repository, root).split(path.sep).join("/");
  const names = written.map((each) => path.posix.basename(each.path)).join(", ");
  return [
    `GitHub runs the workflows at the root of a repository, and this project is its folder ${folder}: ${names} will not run where they are.
Move them from ${WORKFLOWS} to ${up}/${WORKFLOWS}, and let their commands run in the project, with these lines above \`jobs:\`:
  defaults:
    run:
      working-directory: ${folder}`,
  ];
}

function repositoryAround(folder: string): string | undefined {
  if (pathKindSync(path.join(folder, ".git")) !== "absent") return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : repositoryAround(parent);
}
