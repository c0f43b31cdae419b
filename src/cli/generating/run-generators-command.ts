import type { FileAction, FileTree } from "../../machinery/file-tree.ts";
import type { Invocation } from "../command/command.ts";
import { reportOutcome } from "../output/report-outcome.ts";
import { loadProject, type ProjectSession, withProjectSession } from "../session/project-session.ts";
import { type GenerateRequest, planGenerated } from "./generate-manifests.ts";
import type { GeneratingOptions } from "./generating-flags.ts";

/** Runs generators over the project in the working folder, once or on every change, and reports what became of its files; `review` sees the plan before it is written. */
export async function runGeneratorsCommand(
  invocation: Invocation,
  { watches, ...options }: GeneratingOptions,
  argumentsFor: (tree: FileTree) => readonly string[],
  review: (session: ProjectSession) => Promise<void> = async () => {},
): Promise<number> {
  const generate = (more: Partial<GenerateRequest>): Promise<readonly FileAction[]> =>
    generateOnce(invocation, { argumentsFor, review, options: { ...options, ...more } });
  if (watches) {
    const { watchGenerated } = await import("./watch-generated.ts");
    await watchGenerated(invocation, { folders: ["."], generate: (caches) => generate({ caches }) });
    return 0;
  }
  reportOutcome(invocation, { actions: await generate({}) });
  return 0;
}

function generateOnce(
  invocation: Invocation,
  {
    argumentsFor,
    review,
    options,
  }: {
    readonly argumentsFor: (tree: FileTree) => readonly string[];
    readonly review: (session: ProjectSession) => Promise<void>;
    readonly options: Partial<GenerateRequest>;
  },
): Promise<readonly FileAction[]> {
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    await planGenerated(invocation, { ...options, root, tree, args: argumentsFor(tree) });
    await review(session);
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    return actions;
  });
}
