import type { Invocation } from "../../command/command.ts";
import { compareDefinitions, findFormerDefinitions } from "../../generating/compare-definitions.ts";
import type { OptionChanges } from "../../generating/generator-options.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";

/** What is compared, and how. */
export interface CompatOptions {
  /** A commit, branch, or tag, or a folder with CRDs. */
  readonly from: string;
  /** Whether warnings are errors. */
  readonly isStrict: boolean;
  /** Changes of the options of generators. */
  readonly options: OptionChanges;
}

/** Compares the CRDs of the project in the working folder with those of an earlier version. Fails: `GenerateFailedError` after the findings. */
export async function runCompat({ from, isStrict, options }: CompatOptions, invocation: Invocation): Promise<number> {
  return await withProjectSession(invocation, { isDryRun: true }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    const former = await findFormerDefinitions(root, from);
    if (former === undefined) {
      invocation.terminal.writeOut(`nothing to compare: ${from} has no CRDs in config/crd/bases\n`);
      return 0;
    }
    await compareDefinitions(invocation, { root, tree, former, options, isStrict });
    invocation.terminal.writeOut(`no change since ${from} breaks stored objects or clients\n`);
    return 0;
  });
}
