import type { FileTree } from "../machinery/file-tree.ts";
import { addTypeMarker } from "../machinery/type-markers.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";
import type { Finding } from "./project-files.ts";

const MARKER = "+kubebuilder:ac:generate=true";

/** Compares what PROJECT says of server-side apply with the markers above the types. */
export function diagnoseApply(tree: FileTree, project: ProjectConfig): readonly Finding[] {
  return (project.resources ?? [])
    .filter((each) => each.api !== undefined)
    .flatMap((resource) => diagnoseKind(tree, { project, resource }));
}

function diagnoseKind(
  tree: FileTree,
  { project, resource }: { readonly project: ProjectConfig; readonly resource: ProjectResource },
): readonly Finding[] {
  const { apiFolder, kindLower, kind } = namesOf(project, resource);
  const file = `${apiFolder}/${kindLower}_types.ts`;
  const text = tree.read(file);
  if (text === undefined) return [];
  const isAsked = [text, tree.read(`${apiFolder}/groupversion_info.ts`) ?? ""].some((each) => each.includes(MARKER));
  if (isAsked === (resource.api?.ssa === true)) return [];
  return [isAsked ? unrecorded(file, kind) : unmarked(file, kind)];
}

function unrecorded(path: string, kind: string): Finding {
  return {
    severity: "note",
    path,
    message: `${kind} is marked for server-side apply, which PROJECT does not say`,
    hint: "add `ssa: true` to its api in PROJECT, so that the project can be made again; or remove the marker",
  };
}

function unmarked(path: string, kind: string): Finding {
  return {
    severity: "error",
    path,
    message: `PROJECT says that ${kind} gets what server-side apply takes, but no marker asks for it`,
    hint: `put ${MARKER} above the type, or take \`ssa\` out of PROJECT, or --fix`,
    fix: (tree) => tree.update(path, (text) => addTypeMarker(text, { type: kind, marker: MARKER }) ?? text),
  };
}
