import { PROJECT_FILE, type ProjectConfig } from "../../project/project-config.ts";
import { parseProject } from "../../project/project-file.ts";
import { STORAGE_VERSION } from "../../project/storage-version.ts";
import type { Invocation } from "../command.ts";
import { switchFlag } from "../flags/flag-values.ts";
import type { ProjectSession } from "../session/project-session.ts";
import { unstoredKinds, type UnstoredKind } from "./unstored-kinds.ts";

/**
 * Plans what is generated in the project as it is planned, unless `--make=false`, so that one commit writes all of it.
 *
 * Returns notes for the user: nothing can be generated between the second version of a kind and the word which of them is stored.
 */
export async function makeManifests(
  invocation: Invocation,
  { root, tree }: ProjectSession,
  planned?: ProjectConfig,
): Promise<readonly string[]> {
  if (switchFlag(invocation.flags, "make") === false) return [];
  const project = planned ?? parseProject(tree.read(PROJECT_FILE) ?? "");
  const unstored = unstoredKinds(project, (path) => tree.read(path));
  if (unstored.length > 0) return unstored.map((each) => describeUnstored(each));
  const { planGenerated } = await import("./generate-manifests.ts");
  const { allArguments } = await import("./project-arguments.ts");
  const hint =
    "correct what is listed above, or pass --make=false to leave what is generated as it is; nothing was written";
  await planGenerated(invocation, { root, tree, args: allArguments(tree), hint });
  return [];
}

function describeUnstored({ kind, versions }: UnstoredKind): string {
  return `${kind} has the versions ${versions.join(", ")}, and none is marked as the one that is stored: nothing was generated.
Let one convert the others with \`create webhook --conversion --spoke\`, or put ${STORAGE_VERSION} above the type of one; then run
\`npm run manifests\` and \`npm run generate\`.`;
}
