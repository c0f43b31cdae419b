import { type CrdFacts, FolderTakenError } from "@kubescaffold/generators/importer";

import type { FileTree } from "../../../machinery/file-tree.ts";
import { type ProjectConfig, qualifiedGroupOf } from "../../../project/project-config.ts";

/** Says in which folder, relative to the root of the tree, the types of a group and version go. */
export type ImportFolders = (group: string, version: string) => string;

/** Puts imported types where a project has its own: kinds of its domain as `create api` would, those of others below their whole group. */
export function foldersInProject(project: ProjectConfig, tree: FileTree): ImportFolders {
  const domain = project.domain ?? "";
  const own = new Set((project.resources ?? []).filter((each) => each.api !== undefined).map(qualifiedGroupOf));
  return (group, version) => {
    const isOwn = own.has(group) || (domain !== "" && (group === domain || group.endsWith(`.${domain}`)));
    if (!isOwn) return `api/${group}/${version}`;
    if (project.multigroup === true) return `api/${shortGroup(group, domain)}/${version}`;
    const holds = groupIn(tree, `api/${version}`);
    return holds === undefined || holds === group ? `api/${version}` : `api/${group}/${version}`;
  };
}

/** Puts imported types below one folder: by version, and by group too when there are several. */
export function foldersBelow(base: string, crds: readonly CrdFacts[]): ImportFolders {
  const isSingle = new Set(crds.map(({ group }) => group)).size === 1;
  return (group, version) => [base, isSingle ? "" : group, version].filter((part) => part !== "").join("/");
}

/** Makes sure that the folders do not hold other groups. Fails: `FolderTakenError`. */
export function requireOwnFolders(folderOf: ImportFolders, crds: readonly CrdFacts[], tree: FileTree): void {
  for (const { group, versions } of crds) {
    for (const { name } of versions) {
      const folder = folderOf(group, name);
      const holds = groupIn(tree, folder);
      if (holds !== undefined && holds !== group) throw new FolderTakenError({ folder, holds, group });
    }
  }
}

function groupIn(tree: FileTree, folder: string): string | undefined {
  return /\+groupName=(?<group>\S+)/u.exec(tree.read(`${folder}/groupversion_info.ts`) ?? "")?.groups?.["group"];
}

function shortGroup(group: string, domain: string): string {
  return group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group;
}
