import type { Invocation } from "./command.ts";
import { switchFlag } from "./flag-values.ts";
import type { ProjectSession } from "./project-session.ts";

/** Plans the manifests of the project as it is planned, unless `--make=false`, so that one commit writes both. */
export async function makeManifests(invocation: Invocation, { root, tree }: ProjectSession): Promise<void> {
  if (switchFlag(invocation.flags, "make") === false) return;
  const { MANIFEST_ARGUMENTS, planGenerated } = await import("./generate-manifests.ts");
  const hint =
    "correct what is listed above, or pass --make=false to leave the manifests as they are; nothing was written";
  await planGenerated(invocation, { root, tree, args: MANIFEST_ARGUMENTS, hint });
}
