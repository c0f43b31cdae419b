import { describeArguments, readHelpRequest } from "../generators/describe-arguments.ts";
import { createDiskReader } from "../machinery/disk.ts";
import { FileTree } from "../machinery/file-tree.ts";
import type { Invocation } from "./command.ts";
import { planGenerated } from "./generate-manifests.ts";
import { commitFiles, recoverInterrupted } from "./project-session.ts";

/** Runs the generators that the words name, in the working folder, or describes what could be named there. */
export async function runGen(invocation: Invocation): Promise<number> {
  const { cwd, words, terminal } = invocation;
  const asked = readHelpRequest(words);
  if (asked !== undefined) {
    const { kind, content } = describeArguments(asked);
    if (kind === "json") terminal.writeOut(content);
    else terminal.writeError(content);
    return 0;
  }
  await recoverInterrupted(invocation, cwd);
  const tree = new FileTree(createDiskReader(cwd));
  const { stdout } = await planGenerated(invocation, { root: cwd, args: words, tree });
  await commitFiles(invocation, cwd, tree.actions());
  if (stdout !== "") terminal.writeOut(stdout);
  return 0;
}
