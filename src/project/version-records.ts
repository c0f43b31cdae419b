import { isRecord } from "@kubescaffold/platform";

import { baseSection, type ProjectConfig, type ProjectResource, withBaseSection } from "./project-config.ts";

/** An entry of `resources` in the section of the default plugin: what PROJECT records of a version beside the keys of kubebuilder. */
export interface VersionRecord extends VersionFacts {
  readonly domain?: string;
  readonly group?: string;
  readonly kind: string;
  readonly version: string;
}

/** The facts of an entry; one without facts is removed. */
export interface VersionFacts {
  /** The version whose types and sample were copied. */
  readonly from?: string;
  /** Whether clusters may store objects in the version, which is being removed. */
  readonly stored?: boolean;
}

type Identity = Pick<ProjectResource, "domain" | "group" | "kind" | "version">;

/** Returns what PROJECT records of versions; entries that are malformed are left out. */
export function versionRecords(project: ProjectConfig): readonly VersionRecord[] {
  const { resources } = baseSection(project);
  return Array.isArray(resources) ? resources.filter((each) => isVersionRecord(each)) : [];
}

function isVersionRecord(entry: unknown): entry is VersionRecord {
  if (!isRecord(entry)) return false;
  const { kind, version, from = "", stored = false } = entry;
  return [kind, version, from].every((each) => typeof each === "string") && typeof stored === "boolean";
}

/** Returns whether an entry is about a version. */
export function isRecordOf(entry: Identity, { domain = "", group = "", kind, version }: Identity): boolean {
  return (
    (entry.domain ?? "") === domain && (entry.group ?? "") === group && entry.kind === kind && entry.version === version
  );
}

/** Returns the project with facts of a version changed; undefined removes a fact. */
export function withVersionFacts(
  project: ProjectConfig,
  { domain, group, kind, version }: ProjectResource,
  changes: { readonly [Key in keyof VersionFacts]: VersionFacts[Key] | undefined },
): ProjectConfig {
  const identity = {
    ...(domain === undefined ? {} : { domain }),
    ...(group === undefined ? {} : { group }),
    kind,
    version,
  };
  const records = versionRecords(project);
  const { from, stored } = { ...records.find((each) => isRecordOf(each, identity)), ...changes };
  const others = records.filter((each) => !isRecordOf(each, identity));
  const hasFacts = from !== undefined || stored !== undefined;
  if (!hasFacts && others.length === records.length) return project;
  const entry = {
    ...identity,
    ...(from === undefined ? {} : { from }),
    ...(stored === undefined ? {} : { stored }),
  };
  const resources = hasFacts ? [...others, entry] : others;
  const { resources: _, ...data } = baseSection(project);
  return withBaseSection(project, resources.length === 0 ? data : { ...data, resources });
}

/** The value of `--from` for a version that starts with an example, as the first one of a kind does; no version has this name. */
export const NO_SOURCE = "none";

/** Returns the version of the kind that `create api --from` copied to a version; undefined if it copied none, or PROJECT no longer has it. */
export function copiedFrom(project: ProjectConfig, resource: ProjectResource): ProjectResource | undefined {
  const entry = versionRecords(project).find((each) => isRecordOf(each, resource));
  const from = entry?.from;
  if (entry === undefined || from === undefined) return undefined;
  return (project.resources ?? []).find(
    (each) => each.api !== undefined && isRecordOf({ ...entry, version: from }, each),
  );
}

/** Returns the project with the version that a resource was copied from; undefined removes the record. */
export function withCopiedFrom(
  project: ProjectConfig,
  resource: ProjectResource,
  from: string | undefined,
): ProjectConfig {
  return withVersionFacts(project, resource, { from });
}

/** Returns the data of a section with the new name of a version from which others were copied. */
export function withRenamedSource(entry: object, before: ProjectResource, after: ProjectResource): object {
  if (!isVersionRecord(entry) || entry.from === undefined) return entry;
  if (!isRecordOf({ ...entry, version: entry.from }, before)) return entry;
  return { ...entry, from: after.version };
}
