import type { ProjectConfig, ProjectResource } from "./project-config.ts";
import { isRecordOf, isVersionRecord, versionRecords, withVersionFacts } from "./version-records.ts";

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
