import path from "node:path";

import {
  type FileTree,
  namesOf,
  type ProjectConfig,
  type ProjectResource,
  type ResourceNames,
  BOILERPLATE_FILE,
  headerOf,
  membersOf,
  packageOfModule,
  pascalCase,
  type ScaffoldContext,
  updatePackageManifest,
} from "../plugin/index.ts";
import { coreSampleOf } from "./core-samples.ts";

/** What the templates of APIs, controllers and webhooks know of a resource. */
export interface ResourceValues {
  readonly names: ResourceNames;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Assembles what the templates know of a resource, for files in a folder of the project. */
export function resourceValues(
  { tree, project }: { readonly tree: FileTree; readonly project: ProjectConfig },
  resource: ProjectResource,
  folder: string,
): ResourceValues {
  const names = namesOf(project, resource);
  const namespace = `${project.projectName ?? ""}-system`;
  const core = resource.core === true ? coreSampleOf(names.qualifiedGroup, names.kind) : undefined;
  return {
    names,
    values: {
      boilerplate: boilerplateOf(tree),
      version: names.version,
      kind: names.kind,
      kindName: codeName(names.kind),
      kindImport: codeName(names.kind) === names.kind ? names.kind : `${names.kind} as ${codeName(names.kind)}`,
      kindLower: names.kindLower,
      kindVariable: names.kindVariable,
      plural: names.plural,
      qualifiedGroup: names.qualifiedGroup,
      // Markers write the core group as a pair of quotes.
      rbacGroup: names.qualifiedGroup === "" ? '""' : names.qualifiedGroup,
      rbacNamespace: project.namespaced === true ? `namespace=${namespace},` : "",
      rootPath: path.posix.relative(folder, "."),
      typesImport: typesImport(resource, names, folder),
      hasOwnCrd: resource.api !== undefined,
      isCore: core !== undefined,
      isExternal: core === undefined && resource.api === undefined,
      // Of the kinds of others it is not known.
      isNamespacedKind: core?.isNamespaced ?? (resource.api === undefined || resource.api.namespaced === true),
      sampleName: core?.name ?? "test-resource",
      sampleFields: core?.fields.join("\n") ?? "",
    },
  };
}

// What controllers, webhooks and their tests import beside the kind, or take from the language.
const TAKEN_NAMES = new Set(
  [
    "AbortController AdmissionContext Client Defaulter Manager Promise ReconcileContext Request Result Suite",
    "Validator Warnings WebhookHost WebhookSuite",
  ].flatMap((names) => names.split(" ")),
);

// The name that code knows a kind by.
function codeName(kind: string): string {
  return TAKEN_NAMES.has(kind) ? `${kind}Object` : kind;
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
  const pascal = pascalCase(names.group);
  return /^[a-z]/u.test(own) ? own.replace(/^[a-z]+/u, (verb) => verb + pascal) : pascal + own;
}

/** Returns the comment at the top of new source files, with an empty line after it, or nothing. Fails: `BoilerplateError`. */
export function boilerplateOf(tree: FileTree): string {
  return headerOf(tree.read(BOILERPLATE_FILE) ?? "");
}

/** Returns the text of a comment block without its comment signs. */
export function commentText(comment: string): string {
  return comment
    .split("\n")
    .map((line) => withoutEnd(line.replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/)?\s?/u, "")))
    .join("\n")
    .trim();
}

function withoutEnd(line: string): string {
  const text = line.trimEnd();
  return text.endsWith("*/")
    ? text
        .slice(0, -1)
        .replace(/(?<!\*)\*+$/u, "")
        .trimEnd()
    : line;
}

/** Adds the npm package of an external API to the dependencies of the project, unless it is there already. */
export function addModule({ tree }: ScaffoldContext, { module }: ProjectResource): void {
  if (module === undefined) return;
  const { name, version } = packageOfModule(module);
  updatePackageManifest(tree, (manifest) => {
    const present = membersOf(manifest, "dependencies");
    if (present[name] !== undefined) return {};
    const dependencies = Object.entries({ ...present, [name]: version });
    dependencies.sort(([left], [right]) => (left < right ? -1 : 1));
    return { dependencies: Object.fromEntries(dependencies) };
  });
}
