import type { ProjectConfig, ProjectResource } from "./project-config.ts";
import { type VersionRecord, versionRecords, withVersionFacts } from "./version-records.ts";

/** Marks the version of a kind that is stored. */
export const STORAGE_VERSION = "+kubebuilder:storageversion";

/** Marks a version of a kind that API servers do not serve. */
export const UNSERVED_VERSION = "+kubebuilder:unservedversion";

/** Returns the project with the record that clusters may store objects in a version, which is being removed. */
export function withStoredVersion(project: ProjectConfig, resource: ProjectResource): ProjectConfig {
  return withVersionFacts(project, resource, { stored: true });
}

/** Returns the records of versions in which objects may be stored. */
export function storedVersionRecords(project: ProjectConfig): readonly VersionRecord[] {
  return versionRecords(project).filter(({ stored }) => stored === true);
}
