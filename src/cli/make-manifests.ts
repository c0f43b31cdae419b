import type { Invocation } from "./command.ts";
import { switchFlag } from "./flag-values.ts";
import type { ProjectSession } from "./project-session.ts";

/** Plans what is generated in the project as it is planned, unless `--make=false`, so that one commit writes all of it. */
export async function makeManifests(invocation: Invocation, { root, tree }: ProjectSession): Promise<void> {
  if (switchFlag(invocation.flags, "make") === false) return;
  const { planGenerated } = await import("./generate-manifests.ts");
  const { allArguments } = await import("./project-arguments.ts");
  const hint =
    "correct what is listed above, or pass --make=false to leave what is generated as it is; nothing was written";
  await planGenerated(invocation, { root, tree, args: allArguments(tree), hint });
}
