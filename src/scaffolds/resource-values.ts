import path from "node:path";

import {
  type FileTree,
  namesOf,
  type ProjectConfig,
  type ProjectResource,
  type ResourceNames,
} from "../plugin/index.ts";
import { boilerplateOf } from "./boilerplate.ts";

/** What the templates of APIs, controllers and webhooks know of a resource. */
export interface ResourceValues {
  readonly names: ResourceNames;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Puts together what the templates know of a resource, for files in a folder of the project. */
export function resourceValues(
  { tree, project }: { readonly tree: FileTree; readonly project: ProjectConfig },
  resource: ProjectResource,
  folder: string,
): ResourceValues {
  const names = namesOf(project, resource);
  const namespace = `${project.projectName ?? ""}-system`;
  return {
    names,
    values: {
      boilerplate: boilerplateOf(tree),
      version: names.version,
      kind: names.kind,
      kindLower: names.kindLower,
      kindVariable: names.kindVariable,
      plural: names.plural,
      qualifiedGroup: names.qualifiedGroup,
      // Markers write the core group as a pair of quotes.
      rbacGroup: names.qualifiedGroup === "" ? '""' : names.qualifiedGroup,
      rbacNamespace: project.namespaced === true ? `namespace=${namespace},` : "",
      rootPath: path.posix.relative(folder, "."),
      typesImport: typesImport(resource, names, folder),
      hasApi: (project.resources ?? []).some((each) => each.api !== undefined),
      hasOwnCrd: resource.api !== undefined,
      isNamespacedKind: resource.api === undefined || resource.api.namespaced === true,
    },
  };
}

function typesImport(resource: ProjectResource, names: ResourceNames, folder: string): string {
  const module = resource.path ?? "";
  if (resource.external === true && module.startsWith("./")) return path.posix.relative(folder, module);
  if (resource.core === true || resource.external === true) return module;
  return path.posix.relative(folder, `${names.apiFolder}/${names.kindLower}_types.ts`);
}

/** Returns the identifiers that a registration in `cmd/main.ts` uses, distinct for kinds of one name in several groups. */
export function importName(project: ProjectConfig, names: ResourceNames, own: string): string {
  if (project.multigroup !== true || names.group === "") return own;
  const pascal = names.group
    .split(/[^A-Za-z0-9]+/u)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
  return /^[a-z]/u.test(own) ? own.replace(/^[a-z]+/u, (verb) => verb + pascal) : pascal + own;
}
