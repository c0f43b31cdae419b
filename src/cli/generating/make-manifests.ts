import type { FileTree } from "../../machinery/file-tree.ts";
import { PROJECT_FILE, type ProjectConfig, type ProjectResource } from "../../project/project-config.ts";
import { parseProject } from "../../project/project-file.ts";
import { namesOf, typesFile, versionsOfKind } from "../../project/resource-names.ts";
import { STORAGE_VERSION } from "../../project/storage-version.ts";
import type { Invocation } from "../command/command.ts";
import type { ProjectSession } from "../session/project-session.ts";

/**
 * Plans what is generated in the project as it is planned, so that one commit writes all of it.
 *
 * Returns notes for the user: nothing can be generated for a kind of several versions without a storage version.
 */
export async function makeManifests(
  invocation: Invocation,
  { root, tree }: ProjectSession,
  planned?: ProjectConfig,
): Promise<readonly string[]> {
  const project = planned ?? parseProject(tree.read(PROJECT_FILE) ?? "");
  const unstored = unstoredKinds(project, (path) => tree.read(path));
  if (unstored.length > 0) return unstored.map((each) => describeUnstored(each));
  const { planGenerated } = await import("./generate-manifests.ts");
  const { allArguments } = await import("./project-arguments.ts");
  const hint = "fix the errors above, or pass --make=false to skip generation; nothing was written";
  await planGenerated(invocation, { root, tree, args: allArguments(tree), hint });
  return [];
}

function describeUnstored({ kind, versions, types }: UnstoredKind): string {
  return `${kind} has the versions ${versions.join(", ")}, and none is the storage version: nothing was generated.
Add ${STORAGE_VERSION} to the comment of ${kind} in one of these files, and run \`npm run manifests\` and \`npm run generate\`:
${types.map((file) => `  ${file}`).join("\n")}`;
}

/** A kind of which no version is marked as the storage version. */
interface UnstoredKind {
  readonly kind: string;
  readonly versions: readonly string[];
  /** The files of their types. */
  readonly types: readonly string[];
}

/**
 * Returns the kinds of a project that have several versions, none of which is marked as the storage version: they have no CRD yet.
 *
 * `read` returns the text of a file of the project.
 */
export function unstoredKinds(
  project: ProjectConfig,
  read: (path: string) => string | undefined,
): readonly UnstoredKind[] {
  const byCrd = new Map<string, readonly ProjectResource[]>();
  for (const resource of project.resources ?? [])
    if (resource.api !== undefined) byCrd.set(namesOf(project, resource).crdBase, versionsOfKind(project, resource));
  return [...byCrd.values()]
    .filter((versions) => versions.length > 1 && !versions.some((each) => mayBeMarked(read(typesFile(project, each)))))
    .map((versions) => ({
      kind: versions[0]?.kind ?? "",
      versions: versions.map(({ version }) => version),
      types: versions.map((each) => typesFile(project, each)),
    }));
}

// A file that is not where it is expected may contain anything.
function mayBeMarked(types: string | undefined): boolean {
  return types === undefined || types.includes(STORAGE_VERSION);
}

/** The file of a folder of types with what server-side apply takes. */
const APPLY_FILE = "zz_generated.apply.ts";

/** Removes what was generated for server-side apply beside the types of a resource, when no kind there asks for it any more. */
export function forgetApply(tree: FileTree, project: ProjectConfig, resource: ProjectResource): void {
  const { apiFolder } = namesOf(project, resource);
  const isWanted = (project.resources ?? []).some(
    (each) => each.api?.ssa === true && namesOf(project, each).apiFolder === apiFolder,
  );
  const file = `${apiFolder}/${APPLY_FILE}`;
  if (!isWanted && tree.exists(file)) tree.delete(file);
}
