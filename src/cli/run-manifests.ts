import type { FileAction } from "../machinery/file-tree.ts";
import type { Invocation } from "./command.ts";
import { type GenerateRequest, MANIFEST_ARGUMENTS, planGenerated } from "./generate-manifests.ts";
import { generatingOptions } from "./generating-flags.ts";
import { loadProject, withProjectSession } from "./project-session.ts";
import { isDryRun, reportOutcome } from "./report-outcome.ts";

/** Generates the manifests of the project in the working folder. */
export async function runManifests(invocation: Invocation): Promise<number> {
  const { watches, ...options } = generatingOptions(invocation.flags);
  if (watches) {
    const { watchGenerated } = await import("./watch-generated.ts");
    const generate = (memory: NonNullable<GenerateRequest["memory"]>): Promise<readonly FileAction[]> =>
      generateOnce(invocation, { ...options, memory });
    await watchGenerated(invocation, { folders: ["."], generate });
    return 0;
  }
  reportOutcome(invocation, { actions: await generateOnce(invocation, options) });
  return 0;
}

function generateOnce(
  invocation: Invocation,
  options: Omit<GenerateRequest, "root" | "tree" | "args">,
): Promise<readonly FileAction[]> {
  const dry = isDryRun(invocation);
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    await planGenerated(invocation, { ...options, root, tree, args: MANIFEST_ARGUMENTS });
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    return actions;
  });
}
