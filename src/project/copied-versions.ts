import { isRecord } from "@kubescaffold/platform";

import { baseSection, type ProjectConfig, type ProjectResource, withBaseSection } from "./project-config.ts";

/** The value of `--from` for a version that starts with an example, as the first one of a kind does; no version has this name. */
export const NO_SOURCE = "none";

/** An entry of `resources` in that section. */
interface CopiedVersion {
  readonly domain?: string;
  readonly group?: string;
  readonly kind: string;
  readonly version: string;
  /** The version whose types and sample were copied. */
  readonly from: string;
}

/** Returns the version of the kind that `create api --from` copied to a version; undefined if it copied none, or PROJECT no longer has it. */
export function copiedFrom(project: ProjectConfig, resource: ProjectResource): ProjectResource | undefined {
  const entry = copiesIn(project).find((each) => isEntryOf(each, resource));
  return (project.resources ?? []).find(
    (each) => entry !== undefined && each.api !== undefined && isEntryOf({ ...entry, version: entry.from }, each),
  );
}

/** Returns the project with the version that a resource was copied from; undefined removes the record. */
export function withCopiedFrom(
  project: ProjectConfig,
  { domain, group, kind, version }: ProjectResource,
  from: string | undefined,
): ProjectConfig {
  const identity = {
    ...(domain === undefined ? {} : { domain }),
    ...(group === undefined ? {} : { group }),
    kind,
    version,
  };
  const copies = copiesIn(project);
  const others = copies.filter((each) => !isEntryOf(each, identity));
  if (from === undefined && others.length === copies.length) return project;
  const resources = from === undefined ? others : [...others, { ...identity, from }];
  const { resources: _, ...data } = baseSection(project);
  return withBaseSection(project, resources.length === 0 ? data : { ...data, resources });
}

/** Returns the data of a section with the new name of a version from which others were copied. */
export function withRenamedSource(entry: object, before: ProjectResource, after: ProjectResource): object {
  if (!isCopy(entry) || !isEntryOf({ ...entry, version: entry.from }, before)) return entry;
  return { ...entry, from: after.version };
}

function copiesIn(project: ProjectConfig): readonly CopiedVersion[] {
  const { resources } = baseSection(project);
  return Array.isArray(resources) ? resources.filter((each) => isCopy(each)) : [];
}

function isCopy(entry: unknown): entry is CopiedVersion {
  return isRecord(entry) && [entry["kind"], entry["version"], entry["from"]].every((each) => typeof each === "string");
}

function isEntryOf(
  entry: Omit<CopiedVersion, "from">,
  { domain = "", group = "", kind, version }: Pick<ProjectResource, "domain" | "group" | "kind" | "version">,
): boolean {
  return (
    (entry.domain ?? "") === domain && (entry.group ?? "") === group && entry.kind === kind && entry.version === version
  );
}
