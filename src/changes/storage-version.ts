import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { typesFile, versionsOfKind } from "../project/resource-names.ts";
import { STORAGE_VERSION } from "../project/storage-version.ts";

/** Returns the version of a resource's kind whose types are marked as the storage version. */
export function markedVersion(
  tree: Pick<FileTree, "read">,
  project: ProjectConfig,
  resource: ProjectResource,
): ProjectResource | undefined {
  return versionsOfKind(project, resource).find((each) => isMarked(tree, project, each));
}

/** Returns whether the types of a version are marked as the storage version. */
function isMarked(tree: Pick<FileTree, "read">, project: ProjectConfig, resource: ProjectResource): boolean {
  return tree.read(typesFile(project, resource))?.includes(STORAGE_VERSION) === true;
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

/** Removes the marks that are where commands put them, so that the types are as they were scaffolded. Returns the versions that had one. */
export async function liftStorageMarks(
  tree: FileTree,
  project: ProjectConfig,
  resources: readonly ProjectResource[],
): Promise<readonly ProjectResource[]> {
  const lifted: ProjectResource[] = [];
  for (const each of resources.filter((resource) => isMarked(tree, project, resource))) {
    const { addTypeMarker, removeTypeMarker } = await import("../machinery/type-markers.ts");
    const types = typesFile(project, each);
    const text = tree.readExisting(types);
    const mark = { type: each.kind, marker: STORAGE_VERSION };
    const without = removeTypeMarker(text, mark);
    if (without === undefined || addTypeMarker(without, mark) !== text) continue;
    tree.update(types, () => without);
    lifted.push(each);
  }
  return lifted;
}

/** Marks versions whose marks were lifted. */
export async function restoreStorageMarks(
  tree: FileTree,
  project: ProjectConfig,
  lifted: readonly ProjectResource[],
): Promise<void> {
  for (const each of lifted) {
    const { addTypeMarker } = await import("../machinery/type-markers.ts");
    const mark = { type: each.kind, marker: STORAGE_VERSION };
    tree.update(typesFile(project, each), (text) => addTypeMarker(text, mark) ?? text);
  }
}
