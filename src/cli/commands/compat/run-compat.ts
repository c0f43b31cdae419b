import type { Invocation } from "../../command/command.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";
import { compareDefinitions, findFormerDefinitions } from "../../generating/compare-definitions.ts";
import { flaggedOptions } from "../../generating/generator-options.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";

/** Compares the CRDs of the project in the working folder with those of an earlier version. Fails: `GenerateFailedError` after the findings. */
export async function runCompat(invocation: Invocation): Promise<number> {
  const from = textFlag(invocation.flags, "from") ?? "HEAD";
  return await withProjectSession(invocation, { isDryRun: true }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    const former = await findFormerDefinitions(root, from);
    if (former === undefined) {
      invocation.terminal.writeOut(`nothing to compare: ${from} has no CRDs in config/crd/bases\n`);
      return 0;
    }
    const isStrict = switchFlag(invocation.flags, "strict") === true;
    const options = flaggedOptions(invocation.flags);
    await compareDefinitions(invocation, { root, tree, former, options, isStrict });
    invocation.terminal.writeOut(`no change since ${from} breaks stored objects or clients\n`);
    return 0;
  });
}
