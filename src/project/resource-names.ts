import { resourceNameOf } from "@kubescaffold/k8s";

import { ResourceConflictError } from "./errors.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "./project-config.ts";

/** Every name that files and code derive from a resource. */
export interface ResourceNames {
  /** The group without the domain; empty for the core group. */
  readonly group: string;
  /** The group with the domain, such as `webapp.my.domain`. */
  readonly qualifiedGroup: string;
  /** The version, such as `v1`. */
  readonly version: string;
  /** The kind, such as `Guestbook`. */
  readonly kind: string;
  /** The kind in lower case, as file names use it. */
  readonly kindLower: string;
  /** The kind with a lower first letter, as variables use it: `guestbook`, `firstMate`, `httpRoute`, and `classObject` where it is a word of the language. */
  readonly kindVariable: string;
  /** The plural, such as `guestbooks`. */
  readonly plural: string;
  /** The plural differs from the one derived from the kind. */
  readonly isPluralIrregular: boolean;
  /** `v1`, or `webapp/v1` in a project with several groups. */
  readonly apiFolder: string;
  /** The folder of controllers: `internal/controller`, or a folder of the group in it. */
  readonly controllerFolder: string;
  /** The folder of webhooks, such as `internal/webhook/v1`. */
  readonly webhookFolder: string;
  /** Prefix of file names that share a folder with other groups: empty, or `webapp_`. */
  readonly groupPrefix: string;
  /** The file name of the CRD in `config/crd/bases`. */
  readonly crdBase: string;
  /** The file name of the sample in `config/samples`. */
  readonly sampleName: string;
}

/** Returns the name of the CRD of a resource, such as `guestbooks.webapp.my.domain`. */
export function crdNameOf(project: ProjectConfig, resource: ProjectResource): string {
  const { plural, qualifiedGroup } = namesOf(project, resource);
  return `${plural}.${qualifiedGroup}`;
}

/** Derives all names of a resource. */
export function namesOf(project: ProjectConfig, resource: ProjectResource): ResourceNames {
  const group = resource.group ?? "";
  const kindLower = resource.kind.toLowerCase();
  const derived = pluralOf(resource.kind);
  const plural = resource.plural ?? derived;
  const qualifiedGroup = qualifiedGroupOf(resource);
  const isMulti = project.multigroup === true && group !== "";
  const below = isMulti ? `${group}/` : "";
  return {
    group,
    qualifiedGroup,
    version: resource.version,
    kind: resource.kind,
    kindLower,
    kindVariable: variableOf(resource.kind),
    plural,
    isPluralIrregular: plural !== derived,
    apiFolder: `api/${below}${resource.version}`,
    controllerFolder: `internal/controller${isMulti ? `/${group}` : ""}`,
    webhookFolder: `internal/webhook/${below}${resource.version}`,
    groupPrefix: isMulti ? `${group}_` : "",
    crdBase: `${qualifiedGroup}_${plural}.yaml`,
    sampleName: `${group === "" ? "" : `${group}_`}${resource.version}_${kindLower}.yaml`,
  };
}

/** Returns the path of the types of a version. */
export function typesFile(project: ProjectConfig, resource: ProjectResource): string {
  const { apiFolder, kindLower } = namesOf(project, resource);
  return `${apiFolder}/${kindLower}_types.ts`;
}

/** Returns the versions of a resource's kind that have types in the project, in the order of PROJECT. */
export function versionsOfKind(project: ProjectConfig, resource: ProjectResource): readonly ProjectResource[] {
  const { crdBase } = namesOf(project, resource);
  return (project.resources ?? []).filter(
    (each) => each.api !== undefined && namesOf(project, each).crdBase === crdBase,
  );
}

/** Returns the plural that belongs to a kind when none is given: the one that the CRD generator gives it. */
export function pluralOf(kind: string): string {
  return resourceNameOf(kind);
}

/** Returns the name of a class for a name of words: `captain-backup` gives `CaptainBackup`, `3scale` gives `N3scale`. Guarantees: it is an identifier. */
export function pascalCase(name: string): string {
  const pascal = name
    .split(/[^A-Za-z0-9]+/u)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
  return /^[A-Za-z]/u.test(pascal) ? pascal : `N${pascal}`;
}

/** Returns an identifier for a group: `sea-creatures` gives `seaCreatures`, `foo.policy` gives `fooPolicy`, `3scale` gives `n3scale`. */
export function groupIdentifier(group: string): string {
  const pascal = pascalCase(group);
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}

function variableOf(kind: string): string {
  const capitals = /^[A-Z]+/u.exec(kind)?.[0] ?? "";
  // Of a run of capitals the last one begins the next word, unless the run is the whole name.
  const length = capitals.length > 1 && capitals.length < kind.length ? capitals.length - 1 : capitals.length;
  const variable = kind.slice(0, length).toLowerCase() + kind.slice(length);
  return RESERVED.has(variable) ? `${variable}Object` : variable;
}

// Words of the language that the name of a kind may be in lower case: Class, Package, Function.
const RESERVED = new Set(
  [
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends",
    "false finally for function if implements import in instanceof interface let new null package private protected",
    "public return static super switch this throw true try typeof undefined var void while with yield",
  ].flatMap((words) => words.split(" ")),
);

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
    hint: "delete the APIs of all groups except one first, or keep --multigroup",
  });
}

function isOwn(resource: ProjectResource): boolean {
  return resource.api !== undefined && resource.core !== true && resource.external !== true;
}
