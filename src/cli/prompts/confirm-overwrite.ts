import type { FileAction } from "../../machinery/file-tree.ts";
import type { Invocation } from "../command.ts";
import { CancelledError } from "../errors.ts";
import { switchFlag } from "../flags/flag-values.ts";
import { diffOf, isDryRun } from "../output/report-outcome.ts";
import { canAsk } from "../output/terminal.ts";

/** What a forced command would remove. */
export interface Loss {
  readonly actions: readonly FileAction[];
  /** The paths of the files whose text would be lost. */
  readonly paths: readonly string[];
  readonly verb: "Replace" | "Delete";
}

/**
 * Shows the user what a forced command would remove, and asks whether it is meant. Nothing is asked where nobody can answer,
 * with `--yes`, and on a dry run.
 *
 * Fails: {@link CancelledError} when it is not meant.
 */
export async function confirmReplacing(invocation: Invocation, { actions, paths, verb }: Loss): Promise<void> {
  const { flags, terminal } = invocation;
  const lost = actions.filter((action) => paths.includes(action.path) && action.kind !== "create");
  if (lost.length === 0 || isDryRun(invocation) || switchFlag(flags, "yes") === true) return;
  if (!canAsk(terminal, flags)) return;
  for (const action of lost) terminal.writeOut(`${diffOf(action)}\n`);
  const { createAsker } = await import("./prompter.ts");
  const files = lost.length === 1 ? (lost[0]?.path ?? "") : `these ${lost.length} files`;
  if (!(await createAsker(terminal).yesNo(`${verb} ${files} as shown above?`, false))) throw new CancelledError();
}
