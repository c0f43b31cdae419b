import { InvalidNameError, ResourceConflictError, ResourceNotFoundError } from "./errors.ts";
import { controllerNames } from "./plan-controllers.ts";
import { type ProjectConfig, type ProjectResource } from "./project-config.ts";
import { groupIdentifier, pluralOf } from "./resource-names.ts";
import { validateGvk, validatePlural } from "./validate-names.ts";

/** What is to be renamed, and how. */
export interface RenameRequest {
  readonly group: string;
  /** One of the versions of the kind; all of them are renamed, since they are versions of one CRD. */
  readonly version?: string | undefined;
  readonly kind: string;
  readonly toKind: string;
  /** The new plural, where it is irregular. */
  readonly toPlural?: string | undefined;
}

/** The project with the new name, and the entries of PROJECT that have it, by what they were. */
export interface PlannedRename {
  readonly project: ProjectConfig;
  readonly renamed: ReadonlyMap<ProjectResource, ProjectResource>;
}

/**
 * Decides what PROJECT records once a kind has another name.
 *
 * Fails: {@link ResourceNotFoundError}, {@link InvalidNameError}, {@link ResourceConflictError} when the kind is someone else's or the name is taken.
 */
export function planRename(project: ProjectConfig, request: RenameRequest): PlannedRename {
  const stored = storedVersions(project, request);
  refuseForeign(stored, request);
  validateNames(project, stored, request);
  refuseTaken(project, stored, request);
  const renamed = new Map(stored.map((before) => [before, renamedEntry(before, request)]));
  const resources = (project.resources ?? []).map((each) => renamed.get(each) ?? each);
  return { project: withPluginData({ ...project, resources }, renamed), renamed };
}

function storedVersions(project: ProjectConfig, request: RenameRequest): readonly ProjectResource[] {
  const { group, version, kind } = request;
  const found = (project.resources ?? []).filter((each) => (each.group ?? "") === group && each.kind === kind);
  if (found.length > 0 && (version === undefined || found.some((each) => each.version === version))) return found;
  const known = (project.resources ?? []).map((each) => `${each.group ?? ""}/${each.version}, Kind=${each.kind}`);
  throw new ResourceNotFoundError(
    `cannot rename ${group}${version === undefined ? "" : `/${version}`}, Kind=${kind}: the project has no such API`,
    { hint: known.length === 0 ? "it has none at all" : `it has ${known.join("; ")}` },
  );
}

function refuseForeign(stored: readonly ProjectResource[], { kind }: RenameRequest): void {
  if (stored.every((each) => each.api !== undefined && each.external !== true && each.core !== true)) return;
  throw new ResourceConflictError(`cannot rename ${kind}: its types are not defined in this project`, {
    hint: "only kinds whose types the project holds can be renamed",
  });
}

function validateNames(
  project: ProjectConfig,
  stored: readonly ProjectResource[],
  { group, kind, toKind, toPlural }: RenameRequest,
): void {
  if (toKind === kind) {
    throw new InvalidNameError(`cannot rename ${kind}: it has this name already`, { hint: "choose another --to-kind" });
  }
  for (const { version, domain = project.domain ?? "" } of stored)
    validateGvk({ group, domain, version, kind: toKind });
  if (toPlural !== undefined) validatePlural(toPlural);
}

function refuseTaken(
  project: ProjectConfig,
  stored: readonly ProjectResource[],
  { group, kind, toKind, toPlural }: RenameRequest,
): void {
  const others = (project.resources ?? []).filter((each) => !stored.includes(each));
  const isNear = (each: ProjectResource): boolean =>
    groupIdentifier(each.group ?? "").toLowerCase() === groupIdentifier(group).toLowerCase();
  const plural = toPlural ?? pluralOf(toKind);
  const clash = others.find(
    (each) =>
      isNear(each) &&
      (each.kind.toLowerCase() === toKind.toLowerCase() || (each.plural ?? pluralOf(each.kind)) === plural),
  );
  if (clash !== undefined) throw taken(kind, toKind, `kind ${clash.kind} of the project`);
  // Without folders of groups the files of all controllers lie beside each other.
  const isNeighbour = (each: ProjectResource): boolean => project.multigroup !== true || each.group === group;
  const names = [
    ...others.filter((each) => isNeighbour(each)).flatMap((each) => controllerNames(each)),
    ...stored.flatMap((each) => controllerNames(each).filter((name) => name !== kind.toLowerCase())),
  ];
  const isSame = (name: string): boolean => name.replaceAll("-", "") === toKind.toLowerCase();
  if (names.some((name) => isSame(name))) throw taken(kind, toKind, "a controller of the project");
}

function taken(kind: string, toKind: string, by: string): ResourceConflictError {
  return new ResourceConflictError(`cannot rename ${kind} to ${toKind}: names of it would be those of ${by}`, {
    hint: "choose another --to-kind or --to-plural",
  });
}

function renamedEntry(before: ProjectResource, { kind, toKind, toPlural }: RenameRequest): ProjectResource {
  const { plural: _, controllers, ...others } = before;
  const [lower, toLower] = [kind.toLowerCase(), toKind.toLowerCase()];
  return {
    ...others,
    ...(controllers === undefined
      ? {}
      : { controllers: controllers.map((each) => (each.name === lower ? { ...each, name: toLower } : each)) }),
    kind: toKind,
    ...(toPlural === undefined || toPlural === pluralOf(toKind) ? {} : { plural: toPlural }),
  };
}

// Plugins keep data of single resources in a list of this name, each entry with the resource's identity.
function withPluginData(project: ProjectConfig, renamed: ReadonlyMap<ProjectResource, ProjectResource>): ProjectConfig {
  if (project.plugins === undefined) return project;
  const plugins = Object.entries(project.plugins).map(([key, data]): readonly [string, unknown] => {
    const { resources } = (data ?? {}) as { readonly resources?: unknown };
    if (!Array.isArray(resources)) return [key, data];
    return [key, { ...(data as object), resources: resources.map((entry: unknown) => renamedData(entry, renamed)) }];
  });
  return { ...project, plugins: Object.fromEntries(plugins) };
}

function renamedData(entry: unknown, renamed: ReadonlyMap<ProjectResource, ProjectResource>): unknown {
  if (entry === null || typeof entry !== "object") return entry;
  const { group = "", version, kind } = entry as Partial<ProjectResource>;
  const found = [...renamed].find(
    ([before]) => (before.group ?? "") === group && before.version === version && before.kind === kind,
  );
  return found === undefined ? entry : { ...entry, kind: found[1].kind };
}
