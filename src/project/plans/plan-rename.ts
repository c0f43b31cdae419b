import { InvalidNameError, MultipleGroupsError, ResourceConflictError, ResourceNotFoundError } from "../errors.ts";
import { isPluginOf, kubectlPluginsOf, pluginRecord, withKubectlPlugins } from "../kubectl-plugins.ts";
import { proposeResource } from "../near-resource.ts";
import { type ProjectConfig, type ProjectResource } from "../project-config.ts";
import { typesPathOf, groupIdentifier, pluralOf } from "../resource-names.ts";
import { validateGvk, validateOwnKind, validatePlural } from "../validate-names.ts";
import { withRenamedSource } from "../version-records.ts";
import { withFreeNames } from "../webhook-names.ts";
import { controllerNames } from "./plan-controllers.ts";

/** What is to be renamed, and how. */
export interface RenameRequest extends NewNames {
  readonly group: string;
  /** The version that is renamed; for the other names one that the kind must have, since all its versions are of one CRD. */
  readonly version?: string | undefined;
  /** The kind; without it all kinds of the group. */
  readonly kind?: string | undefined;
}

/** The new names; what is omitted stays. */
interface NewNames {
  readonly toKind?: string | undefined;
  /** The new plural, where it is irregular. */
  readonly toPlural?: string | undefined;
  readonly toGroup?: string | undefined;
  readonly toVersion?: string | undefined;
}

/** The project with the new names, and the entries of PROJECT that have them, by what they were. */
export interface PlannedRename {
  readonly project: ProjectConfig;
  readonly renamed: ReadonlyMap<ProjectResource, ProjectResource>;
}

/**
 * Decides what PROJECT records once kinds have another name, group or version.
 *
 * Fails: {@link ResourceNotFoundError}, {@link InvalidNameError}, {@link ResourceConflictError} when the kind is external or the name is taken,
 * {@link MultipleGroupsError} when a project of one group would have two.
 */
export function planRename(project: ProjectConfig, request: RenameRequest): PlannedRename {
  requireNewName(request);
  const stored = storedEntries(project, request);
  refuseForeign(stored);
  const next = new Map(
    stored.map((before) => [before, withPath(project, before, renamedEntry(before, request, stored))]),
  );
  for (const [before, after] of next) validateEntry(project, before, after);
  const planned = withRenamed(project, next);
  refuseTaken(project, planned, next);
  refuseSecondGroup(planned, next);
  const renamed = new Map(
    (project.resources ?? []).flatMap((before, index) => {
      const after = planned.resources?.[index];
      return next.has(before) && after !== undefined && !isSame(before, after) ? [[before, after] as const] : [];
    }),
  );
  return { project: withPluginData(planned, renamed), renamed };
}

// Names of webhooks are made from those of the kind.
function withRenamed(project: ProjectConfig, next: Renames): ProjectConfig {
  const resources = (project.resources ?? []).map((each) => next.get(each) ?? each);
  const hasOthers = (before: ProjectResource, after: ProjectResource): boolean =>
    before.kind !== after.kind || before.version !== after.version || before.group !== after.group;
  return [...next].reduce<ProjectConfig>(
    (planned, [before, after]) =>
      hasOthers(before, after)
        ? {
            ...planned,
            resources: (planned.resources ?? []).map((each) => (each === after ? withFreeNames(planned, each) : each)),
          }
        : planned,
    { ...project, resources },
  );
}

function requireNewName(request: RenameRequest): void {
  const { kind, version, toKind, toPlural, toGroup, toVersion } = request;
  if (toKind === undefined && toPlural === undefined && toGroup === undefined && toVersion === undefined) {
    throw new InvalidNameError("cannot rename without a new name", {
      hint: "pass --to-kind, --to-plural, --to-group, or --to-version",
    });
  }
  if (kind === undefined && (toKind !== undefined || toPlural !== undefined || toGroup === undefined)) {
    throw new InvalidNameError("cannot rename without the kind", {
      hint: "pass --kind; it is optional only with --to-group, which then renames the group of all its kinds",
    });
  }
  const same =
    toKind === kind && kind !== undefined
      ? kind
      : toGroup === request.group
        ? toGroup
        : toVersion === version
          ? version
          : undefined;
  if (same !== undefined) {
    throw new InvalidNameError(`cannot rename ${kind ?? request.group}: its name is already ${same}`, {
      hint: "choose another name",
    });
  }
}

function storedEntries(project: ProjectConfig, request: RenameRequest): readonly ProjectResource[] {
  const { group, version, kind, toVersion } = request;
  const found = (project.resources ?? []).filter(
    (each) => (each.group ?? "") === group && (kind === undefined ? isOwn(each) : each.kind === kind),
  );
  const isThere = version === undefined || found.some((each) => each.version === version);
  if (found.length > 0 && isThere) {
    if (toVersion !== undefined) requireVersion(found, request);
    return found;
  }
  const known = (project.resources ?? []).map((each) => `${each.group ?? ""}/${each.version}, Kind=${each.kind}`);
  const name = `${group}${version === undefined ? "" : `/${version}`}${kind === undefined ? "" : `, Kind=${kind}`}`;
  throw new ResourceNotFoundError(`cannot rename ${name}: the project has no such API`, {
    hint:
      known.length === 0
        ? "the project has no APIs"
        : [proposeResource(project, request) ?? [], `it has ${known.join("; ")}`].flat().join(" "),
  });
}

function requireVersion(found: readonly ProjectResource[], { version, kind = "" }: RenameRequest): void {
  if (version !== undefined || found.length === 1) return;
  throw new InvalidNameError(`cannot rename a version of ${kind}: it has several`, {
    hint: `pass --version with one of ${found.map((each) => each.version).join(", ")}`,
  });
}

function isOwn({ api, external, core }: ProjectResource): boolean {
  return api !== undefined && external !== true && core !== true;
}

function refuseForeign(stored: readonly ProjectResource[]): void {
  const foreign = stored.find((each) => !isOwn(each));
  if (foreign === undefined) return;
  throw new ResourceConflictError(`cannot rename ${foreign.kind}: its types are not defined in this project`, {
    hint: "rename only kinds whose types are defined in the project",
  });
}

function renamedEntry(
  before: ProjectResource,
  { kind, version, toKind = before.kind, toPlural, toGroup, toVersion }: RenameRequest,
  stored: readonly ProjectResource[],
): ProjectResource {
  const { plural, controllers, webhooks, ...others } = before;
  const [lower, toLower] = [before.kind.toLowerCase(), toKind.toLowerCase()];
  const old = version ?? stored.find((each) => each.kind === kind)?.version;
  const versionOf = (each: string): string => (each === old ? (toVersion ?? each) : each);
  const kept = toKind === before.kind ? plural : undefined;
  const next = toPlural === undefined ? kept : toPlural === pluralOf(toKind) ? undefined : toPlural;
  const group = toGroup ?? before.group;
  return {
    ...others,
    ...(controllers === undefined
      ? {}
      : { controllers: controllers.map((each) => (each.name === lower ? { ...each, name: toLower } : each)) }),
    ...(webhooks === undefined
      ? {}
      : { webhooks: webhooks.spoke === undefined ? webhooks : { ...webhooks, spoke: webhooks.spoke.map(versionOf) } }),
    ...(group === undefined ? {} : { group }),
    kind: toKind,
    version: versionOf(before.version),
    ...(next === undefined ? {} : { plural: next }),
  };
}

// A path that is not where commands put types stays.
function withPath(project: ProjectConfig, before: ProjectResource, after: ProjectResource): ProjectResource {
  if (before.path !== typesPathOf(project, before)) return after;
  return { ...after, path: typesPathOf(project, after) };
}

function validateEntry(project: ProjectConfig, before: ProjectResource, after: ProjectResource): void {
  const { group = "", domain = project.domain ?? "", version, kind, plural } = after;
  validateGvk({ group, domain, version, kind }, "to-group, to-version, to-kind");
  if (kind !== before.kind) validateOwnKind(kind);
  if (plural !== undefined && plural !== before.plural) validatePlural(plural);
}

type Renames = ReadonlyMap<ProjectResource, ProjectResource>;

function refuseTaken(project: ProjectConfig, planned: ProjectConfig, next: Renames): void {
  const others = (project.resources ?? []).filter((each) => !next.has(each));
  for (const [before, after] of next) {
    const twin = [...next].find(([each, other]) => each !== before && isSameVersion(other, after));
    if (twin !== undefined) throw taken(before, after, `version ${after.version} of the kind`);
    const clash = others.find((each) => isNear(each, after) && hasNamesOf(each, after));
    if (clash !== undefined) throw taken(before, after, `kind ${clash.kind} of the project`);
    if (hasControllerOf(planned, { before, after, others, next }))
      throw taken(before, after, "a controller of the project");
  }
}

function isSameVersion(one: ProjectResource, other: ProjectResource): boolean {
  return one.kind === other.kind && one.version === other.version && (one.group ?? "") === (other.group ?? "");
}

function isNear(one: ProjectResource, other: ProjectResource): boolean {
  const [left, right] = [one, other].map(({ group = "" }) => groupIdentifier(group).toLowerCase());
  return left === right;
}

function hasNamesOf(one: ProjectResource, other: ProjectResource): boolean {
  const pluralIn = ({ plural, kind }: ProjectResource): string => plural ?? pluralOf(kind);
  return one.kind.toLowerCase() === other.kind.toLowerCase() || pluralIn(one) === pluralIn(other);
}

interface Renaming {
  readonly before: ProjectResource;
  readonly after: ProjectResource;
  readonly others: readonly ProjectResource[];
  readonly next: Renames;
}

// Without folders of groups the files of all controllers are beside each other.
function hasControllerOf(project: ProjectConfig, { before, after, others, next }: Renaming): boolean {
  if (before.kind === after.kind && (project.multigroup !== true || before.group === after.group)) return false;
  const isNeighbor = (each: ProjectResource): boolean => project.multigroup !== true || each.group === after.group;
  const own = [...next.keys()].filter((each) => each.kind === before.kind);
  const names = [
    ...others.filter((each) => isNeighbor(each)).flatMap((each) => controllerNames(each)),
    ...own.flatMap((each) => controllerNames(each).filter((name) => name !== before.kind.toLowerCase())),
  ];
  return names.some((name) => name.replaceAll("-", "") === after.kind.toLowerCase());
}

function taken(before: ProjectResource, after: ProjectResource, by: string): ResourceConflictError {
  const nameOf = ({ group = "", version, kind }: ProjectResource): string => `${group}/${version}, Kind=${kind}`;
  return new ResourceConflictError(
    `cannot rename ${nameOf(before)} to ${nameOf(after)}: its names conflict with ${by}`,
    { hint: "choose another name" },
  );
}

function refuseSecondGroup(planned: ProjectConfig, next: Renames): void {
  if (planned.multigroup === true) return;
  const [wanted = ""] = [...next.values()].map(({ group }) => group);
  const known = (planned.resources ?? []).find((each) => isOwn(each) && (each.group ?? "") !== wanted);
  if (known !== undefined) throw new MultipleGroupsError({ known: known.group ?? "", wanted });
}

function isSame(one: ProjectResource, other: ProjectResource): boolean {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof ProjectResource)[];
  return keys.every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));
}

// Plugins keep data of single resources in a list of this name, each entry with the resource's identity.
function withPluginData(project: ProjectConfig, renamed: ReadonlyMap<ProjectResource, ProjectResource>): ProjectConfig {
  if (project.plugins === undefined) return project;
  const plugins = Object.entries(project.plugins).map(([key, data]): readonly [string, unknown] => {
    const { resources } = (data ?? {}) as { readonly resources?: unknown };
    if (!Array.isArray(resources)) return [key, data];
    return [key, { ...(data as object), resources: resources.map((entry: unknown) => renamedData(entry, renamed)) }];
  });
  return withRenamedPlugins({ ...project, plugins: Object.fromEntries(plugins) }, renamed);
}

// The sample commands of a kubectl plugin read a kind.
function withRenamedPlugins(
  project: ProjectConfig,
  renamed: ReadonlyMap<ProjectResource, ProjectResource>,
): ProjectConfig {
  const plugins = kubectlPluginsOf(project).map((record) => {
    const found = [...renamed].find(([before]) => isPluginOf(record, before));
    return found === undefined ? record : pluginRecord(record.name, found[1]);
  });
  return withKubectlPlugins(project, plugins);
}

function renamedData(entry: unknown, renamed: ReadonlyMap<ProjectResource, ProjectResource>): unknown {
  if (entry === null || typeof entry !== "object") return entry;
  const { group = "", version, kind } = entry as Partial<ProjectResource>;
  const found = [...renamed].find(
    ([before]) => (before.group ?? "") === group && before.version === version && before.kind === kind,
  );
  if (found === undefined) return renamedSource(entry, renamed);
  const { group: _, ...others } = renamedSource(entry, renamed) as Partial<ProjectResource>;
  const [, after] = found;
  return {
    ...others,
    ...(after.group === undefined ? {} : { group: after.group }),
    version: after.version,
    kind: after.kind,
  };
}

function renamedSource(entry: object, renamed: ReadonlyMap<ProjectResource, ProjectResource>): object {
  for (const [before, after] of renamed) {
    const changed = withRenamedSource(entry, before, after);
    if (changed !== entry) return changed;
  }
  return entry;
}
