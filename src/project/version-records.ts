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

/** Returns whether a value is an entry of a version. */
export function isVersionRecord(entry: unknown): entry is VersionRecord {
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
