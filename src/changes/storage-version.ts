import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { typesFile, versionsOfKind } from "../project/resource-names.ts";
import { storedVersionRecords, STORAGE_VERSION, UNSERVED_VERSION } from "../project/storage-version.ts";
import { isRecordOf, type VersionRecord } from "../project/version-records.ts";

/** Returns the version of a resource's kind whose types are marked as the storage version. */
export function markedVersion(
  tree: Pick<FileTree, "read">,
  project: ProjectConfig,
  resource: ProjectResource,
): ProjectResource | undefined {
  return versionsOfKind(project, resource).find((each) => isMarked(tree, project, each));
}

function isMarked(
  tree: Pick<FileTree, "read">,
  project: ProjectConfig,
  resource: ProjectResource,
  marker: string = STORAGE_VERSION,
): boolean {
  return tree.read(typesFile(project, resource))?.includes(marker) === true;
}

/**
 * Marks the storage version of a kind that has several versions, none of which is marked: a CRD needs exactly one.
 *
 * It is the version that was marked before the command; else the hub; else the first of PROJECT, in which all objects are stored. Returns notes for
 * the user.
 */
export async function markStorageVersion(
  tree: FileTree,
  project: ProjectConfig,
  { resource, before }: { readonly resource: ProjectResource; readonly before: ProjectResource | undefined },
): Promise<readonly string[]> {
  const versions = versionsOfKind(project, resource);
  // A file that is not where it is expected may be marked.
  const isKnown = versions.some((each) => !tree.exists(typesFile(project, each)) || isMarked(tree, project, each));
  if (versions.length < 2 || isKnown) return [];
  const known = versions.find(({ version }) => version === before?.version);
  const stored = known ?? versions.find(({ webhooks }) => webhooks?.conversion === true) ?? versions[0];
  if (stored === undefined) return [];
  const types = typesFile(project, stored);
  const text = tree.readExisting(types);
  // The syntax of TypeScript is loaded for this alone.
  const { addTypeMarker } = await import("../machinery/type-markers.ts");
  const marked = addTypeMarker(text, { type: stored.kind, marker: STORAGE_VERSION });
  if (marked === undefined) return [`Add "${STORAGE_VERSION}" to the comment of ${stored.kind} in ${types}.`];
  tree.update(types, () => marked);
  return [`${stored.version} stays the storage version: "${STORAGE_VERSION}" was added to ${types}.`];
}

/** Removes the mark of the storage version from the types of a version. Returns whether it was there. */
export async function unmarkStorageVersion(
  tree: FileTree,
  project: ProjectConfig,
  resource: ProjectResource,
): Promise<boolean> {
  if (!isMarked(tree, project, resource)) return false;
  const types = typesFile(project, resource);
  const { removeTypeMarker } = await import("../machinery/type-markers.ts");
  const changed = removeTypeMarker(tree.readExisting(types), { type: resource.kind, marker: STORAGE_VERSION });
  if (changed !== undefined) tree.update(types, () => changed);
  return changed !== undefined;
}

/** The marks that a user or a command adds to the types of a version, and that are no change of them. */
const VERSION_MARKS = [STORAGE_VERSION, UNSERVED_VERSION] as const;

/** A mark that was removed from the types of a version. */
export interface LiftedMark {
  readonly resource: ProjectResource;
  readonly marker: string;
}

/** Removes the marks that are where commands put them, so that the types are as they were scaffolded. Returns what was removed. */
export async function liftVersionMarks(
  tree: FileTree,
  project: ProjectConfig,
  resources: readonly ProjectResource[],
): Promise<readonly LiftedMark[]> {
  const lifted: LiftedMark[] = [];
  for (const resource of resources) {
    const types = typesFile(project, resource);
    for (const marker of VERSION_MARKS.toReversed()) {
      const text = tree.read(types);
      if (text?.includes(marker) !== true) continue;
      const { addTypeMarker, removeTypeMarker } = await import("../machinery/type-markers.ts");
      const mark = { type: resource.kind, marker };
      const without = removeTypeMarker(text, mark);
      if (without === undefined || addTypeMarker(without, mark) !== text) continue;
      tree.update(types, () => without);
      lifted.push({ resource, marker });
    }
  }
  return lifted.toReversed();
}

/** Adds marks that were lifted, to types that may have another name now. */
export async function restoreVersionMarks(
  tree: FileTree,
  project: ProjectConfig,
  lifted: readonly LiftedMark[],
): Promise<void> {
  for (const { resource, marker } of lifted) {
    const { addTypeMarker } = await import("../machinery/type-markers.ts");
    const mark = { type: resource.kind, marker };
    tree.update(typesFile(project, resource), (text) => addTypeMarker(text, mark) ?? text);
  }
}

/** Returns the versions that PROJECT records as possibly stored, and that have no entry or no types any more. */
export function removedStoredVersions(
  tree: Pick<FileTree, "exists">,
  project: ProjectConfig,
): readonly VersionRecord[] {
  const own = (project.resources ?? []).filter(({ api }) => api !== undefined);
  return storedVersionRecords(project).filter((entry) => {
    const resource = own.find((each) => isRecordOf(entry, each));
    return resource === undefined || !tree.exists(typesFile(project, resource));
  });
}

/** Returns whether the types of a version are marked as not served. */
export function isMarkedUnserved(
  tree: Pick<FileTree, "read">,
  project: ProjectConfig,
  resource: ProjectResource,
): boolean {
  return isMarked(tree, project, resource, UNSERVED_VERSION);
}

/** Marks the types of a version as not served. Returns false if the mark has no place: the file has no such type with a comment. */
export async function markUnserved(
  tree: FileTree,
  project: ProjectConfig,
  resource: ProjectResource,
): Promise<boolean> {
  const types = typesFile(project, resource);
  const { addTypeMarker } = await import("../machinery/type-markers.ts");
  const marked = addTypeMarker(tree.read(types) ?? "", { type: resource.kind, marker: UNSERVED_VERSION });
  if (marked !== undefined) tree.update(types, () => marked);
  return marked !== undefined;
}
