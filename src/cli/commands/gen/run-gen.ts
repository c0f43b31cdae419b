import { createDiskReader } from "../../../machinery/disk.ts";
import { type FileAction, FileTree } from "../../../machinery/file-tree.ts";
import type { Invocation } from "../../command/command.ts";
import { planGenerated, type GenerateRequest } from "../../generating/generate-manifests.ts";
import { generatingOptions, splitFlags } from "../../generating/generating-flags.ts";
import { recoverInterrupted } from "../../session/interrupted-commands.ts";
import { commitGenerated } from "../../session/project-session.ts";

/** Runs the generators that the words name, in the working folder, or describes what could be named there. */
export async function runGen(invocation: Invocation): Promise<number> {
  const { cwd, terminal } = invocation;
  if (await describesArguments(invocation)) return 0;
  const { flags, words } = splitFlags(invocation.words, `${invocation.program.name} gen`);
  const { watches, ...options } = generatingOptions(flags, terminal);
  await recoverInterrupted(invocation, cwd);
  const generate = (more: Pick<GenerateRequest, "caches">): Promise<GeneratedOnce> =>
    generateOnce(invocation, { args: words, ...options, ...more });
  if (watches) {
    await watch(invocation, words, async (caches) => (await generate({ caches })).actions);
    return 0;
  }
  const { stdout } = await generate({});
  if (stdout !== "") terminal.writeOut(stdout);
  return 0;
}

interface GeneratedOnce {
  readonly actions: readonly FileAction[];
  readonly stdout: string;
}

async function generateOnce(
  invocation: Invocation,
  request: Omit<GenerateRequest, "root" | "tree">,
): Promise<GeneratedOnce> {
  const tree = new FileTree(createDiskReader(invocation.cwd));
  const { stdout } = await planGenerated(invocation, { ...request, root: invocation.cwd, tree });
  const actions = tree.actions();
  await commitGenerated(invocation, invocation.cwd, actions);
  return { actions, stdout };
}

async function watch(
  invocation: Invocation,
  words: readonly string[],
  generate: Parameters<typeof import("../../generating/watch-generated.ts").watchGenerated>[1]["generate"],
): Promise<void> {
  const [{ watchGenerated }, { sourceFolders }] = await Promise.all([
    import("../../generating/watch-generated.ts"),
    import("@kubescaffold/generators/arguments"),
  ]);
  await watchGenerated(invocation, { folders: sourceFolders(words), generate });
}

async function describesArguments({ words, terminal }: Invocation): Promise<boolean> {
  if (!words.some((word) => /^-(?:[wh]|-which-markers$|-detailed-help$)/u.test(word))) return false;
  const { describeArguments, readHelpRequest } = await import("@kubescaffold/generators/arguments");
  const asked = readHelpRequest(words);
  if (asked === undefined) return false;
  const { kind, content } = describeArguments(asked);
  if (kind === "json") terminal.writeOut(content);
  else terminal.writeError(content);
  return true;
}
