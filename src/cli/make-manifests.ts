import type { FileAction } from "../machinery/file-tree.ts";
import type { Invocation } from "./command.ts";
import { switchFlag } from "./flag-values.ts";
import type { ProjectSession } from "./project-session.ts";

/** Generates the manifests after a scaffold, unless `--make=false`, and returns what changed by it. */
export async function makeManifests(invocation: Invocation, session: ProjectSession): Promise<readonly FileAction[]> {
  if (switchFlag(invocation.flags, "make") === false) return [];
  const { MANIFEST_ARGUMENTS, planGenerated } = await import("./generate-manifests.ts");
  const { actions } = await planGenerated(invocation, session.root, MANIFEST_ARGUMENTS);
  await session.commit(actions);
  return actions;
}
