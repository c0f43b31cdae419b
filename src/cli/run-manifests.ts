import type { Invocation } from "./command.ts";
import { MANIFEST_ARGUMENTS, planGenerated } from "./generate-manifests.ts";
import { loadProject, withProjectSession } from "./project-session.ts";
import { isDryRun, reportOutcome } from "./report-outcome.ts";

/** Generates the manifests of the project in the working folder. */
export function runManifests(invocation: Invocation): Promise<number> {
  const dry = isDryRun(invocation);
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    await planGenerated(invocation, { root, tree, args: MANIFEST_ARGUMENTS });
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    reportOutcome(invocation, { actions });
    return 0;
  });
}
