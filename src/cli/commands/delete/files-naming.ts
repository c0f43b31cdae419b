import path from "node:path";

import type { FileTree } from "../../../machinery/file-tree.ts";
import { PROJECT_FILE, type ProjectConfig, type ProjectResource } from "../../../project/project-config.ts";
import { namesOf } from "../../../project/resource-names.ts";

/**
 * Returns a note with the files of the user that still use a version of a kind whose other versions stay; none without such files.
 *
 * The version is removed or no longer served in `project`, the project as it is planned.
 */
export function noteNaming(
  tree: FileTree,
  {
    previous,
    project,
    gone,
  }: { readonly previous: ProjectConfig; readonly project: ProjectConfig; readonly gone: ProjectResource },
): readonly string[] {
  const { crdBase } = namesOf(previous, gone);
  const isLast = !(project.resources ?? []).some(
    (each) => each.api !== undefined && namesOf(project, each).crdBase === crdBase,
  );
  const files = isLast || gone.api === undefined ? [] : filesNaming(tree, previous, gone);
  if (files.length === 0) return [];
  const list = files.map((file) => `  ${file}`).join("\n");
  return [`Change these files, which use ${gone.version} of ${gone.kind}:\n${list}`];
}

function filesNaming(tree: FileTree, project: ProjectConfig, resource: ProjectResource): readonly string[] {
  const { apiFolder } = namesOf(project, resource);
  const uses = usesOf(project, resource);
  return tree
    .files()
    .filter((file) => READ.test(file) && !GENERATED.test(file) && file !== PROJECT_FILE)
    .filter((file) => !file.startsWith(`${apiFolder}/`) && uses(tree.read(file) ?? ""))
    .toSorted();
}

const READ = /\.(?:ts|ya?ml|json|md|sh)$/u;
const GENERATED = /^(?:config\/crd\/bases\/|dist\/)|\/zz_generated\./u;

// Other kinds may have the version, too.
function usesOf(project: ProjectConfig, resource: ProjectResource): (text: string) => boolean {
  const { apiFolder, kindLower, plural, qualifiedGroup, version, kind } = namesOf(project, resource);
  const imported = `${path.posix.basename(apiFolder)}/${kindLower}_`;
  const [requested, groupVersion] = [`${plural}.${version}.${qualifiedGroup}`, `${qualifiedGroup}/${version}`];
  return (text) =>
    text.includes(imported) || hasWord(text, requested) || (hasWord(text, groupVersion) && hasWord(text, kind));
}

// v1 is no word in v1beta1.
function hasWord(text: string, word: string): boolean {
  return text
    .split(word)
    .slice(1)
    .some((rest) => !/^[\w-]/u.test(rest));
}
