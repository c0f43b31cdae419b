import { kubectlPluginsOf } from "../../../project/kubectl-plugins.ts";
import { validateKubectlPluginName } from "../../../project/plans/plan-kubectl-plugin.ts";
import type { Answers, Asking } from "../../command/command.ts";
import { CancelledError } from "../../command/errors.ts";
import { projectIn } from "../../prompts/prompt-for-resource.ts";

/** Prompts for the name of a new kubectl plugin. */
export async function askForPluginName({ words, cwd, ask }: Asking): Promise<Answers> {
  projectIn(cwd);
  if (words.length > 0) return {};
  const message = "Name of the plugin, which users type after kubectl";
  return { words: [await ask.text({ message, check: validateKubectlPluginName })] };
}

interface DeletionAsking extends Asking {
  readonly flags: { readonly [Name in "dry-run" | "yes"]?: boolean | undefined };
}

/** Prompts for the kubectl plugin to delete, and for confirmation. */
export async function askForPluginToDelete({ words, cwd, ask, flags }: DeletionAsking): Promise<Answers> {
  const names = kubectlPluginsOf(projectIn(cwd)).map(({ name }) => name);
  if (words.length > 0 || names.length === 0) return {};
  const choices = names.map((value) => ({ value, label: value }));
  const name = await ask.one("kubectl plugin to delete", choices);
  // A name that was typed is not confirmed again.
  const isMeant =
    flags["dry-run"] === true ||
    flags.yes === true ||
    (await ask.yesNo(`Delete the kubectl plugin ${name} with its sources?`, false));
  if (!isMeant) throw new CancelledError();
  return { words: [name] };
}

/** Returns the names of the kubectl plugins of the project in a folder; none where there is no project. */
export function pluginNamesIn(folder: string): readonly string[] {
  try {
    return kubectlPluginsOf(projectIn(folder)).map(({ name }) => name);
  } catch {
    // A word is completed in any folder.
    return [];
  }
}
