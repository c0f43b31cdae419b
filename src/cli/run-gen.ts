import type { Invocation } from "./command.ts";
import { planGenerated } from "./generate-manifests.ts";
import { commitFiles, recoverInterrupted } from "./project-session.ts";

/** Runs the generators that the words name, in the working folder. */
export async function runGen(invocation: Invocation): Promise<number> {
  const { cwd, words, terminal } = invocation;
  await recoverInterrupted(invocation, cwd);
  const { actions, result } = await planGenerated(invocation, cwd, words);
  await commitFiles(invocation, cwd, actions);
  if (result.stdout !== "") terminal.writeOut(result.stdout);
  return 0;
}
