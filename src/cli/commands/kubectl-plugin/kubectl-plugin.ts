import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { InvalidFlagError, MissingFlagError } from "../../command/errors.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import type { CreateKubectlPluginOptions } from "./run-create-kubectl-plugin.ts";
import type { DeleteKubectlPluginOptions } from "./run-delete-kubectl-plugin.ts";

/** `scaffold create kubectl-plugin`: a program that `kubectl <name>` runs. */
export const createKubectlPluginCommand: Command = defineCommand({
  path: ["create", "kubectl-plugin"],
  summary: "Add a kubectl plugin to the project",
  description: [
    "Add a kubectl plugin to the project: a program in cmd/kubectl-<name> that users run as `kubectl <name>`, with kubectl's flags, output formats, completion, and errors.",
    "It has two sample commands, `list` and `status`, and a test with the embedded API server. They read the first kind of the project, or the one that --group, --version, and --kind name.",
    "`npm run build:kubectl-<name>` bundles it into one file, and packs it for krew.",
  ].join("\n"),
  usage: "<name> [flags]",
  examples: [
    "scaffold create kubectl-plugin guestbook",
    "scaffold create kubectl-plugin guestbook --group webapp --version v1 --kind Guestbook --dry-run",
  ],
  flags: [
    { name: "group", kind: "string", mayBeEmpty: true, help: "group of the kind that the sample commands read" },
    { name: "version", kind: "string", help: "version of the kind that the sample commands read" },
    { name: "kind", kind: "string", help: "kind that the sample commands read" },
    ...WRITING_FLAGS,
  ],
  takesInputs: "topics",
  topics: async () => [],
  ask: async (asking) => {
    const { askForPluginName } = await import("./prompt-for-kubectl-plugin.ts");
    return askForPluginName(asking);
  },
  parse: (flags, { words }): CreateKubectlPluginOptions => ({
    request: { name: nameIn(words, "create"), group: flags.group, version: flags.version, kind: flags.kind },
  }),
  run: async (options, invocation) => {
    const { runCreateKubectlPlugin } = await import("./run-create-kubectl-plugin.ts");
    return runCreateKubectlPlugin(options, invocation);
  },
});

/** `scaffold delete kubectl-plugin`: the inverse of `create kubectl-plugin`. */
export const deleteKubectlPluginCommand: Command = defineCommand({
  path: ["delete", "kubectl-plugin"],
  summary: "Remove a kubectl plugin from the project",
  description: [
    "Remove a kubectl plugin from the project, with its sources and its build script: the inverse of `create kubectl-plugin`.",
    "If files were changed since they were scaffolded, the command lists them and deletes nothing, unless --force is set. --dry-run prints the changes as a diff.",
  ].join("\n"),
  usage: "<name> [flags]",
  examples: ["scaffold delete kubectl-plugin guestbook --dry-run"],
  flags: [
    {
      name: "force",
      kind: "boolean",
      help: "delete changed files too, with a prompt if interactive",
      default: "false",
    },
    {
      name: "yes",
      kind: "boolean",
      help: "delete without prompting; changed files also need --force",
      default: "false",
    },
    ...WRITING_FLAGS,
  ],
  takesInputs: "topics",
  topics: async (word, folder) => {
    const { pluginNamesIn } = await import("./prompt-for-kubectl-plugin.ts");
    return pluginNamesIn(folder).filter((name) => name.startsWith(word));
  },
  ask: async (asking) => {
    const { askForPluginToDelete } = await import("./prompt-for-kubectl-plugin.ts");
    return askForPluginToDelete(asking);
  },
  parse: (flags, { words }): DeleteKubectlPluginOptions => ({
    name: nameIn(words, "delete"),
    force: flags.force === true,
  }),
  run: async (options, invocation) => {
    const { runDeleteKubectlPlugin } = await import("./run-delete-kubectl-plugin.ts");
    return runDeleteKubectlPlugin(options, invocation);
  },
});

function nameIn([name, ...others]: readonly string[], verb: string): string {
  const usage = `scaffold ${verb} kubectl-plugin <name>`;
  if (name === undefined) throw new MissingFlagError(["<name>"], usage.replace(" <name>", ""));
  if (others.length > 0) {
    throw new InvalidFlagError(`unexpected argument ${JSON.stringify(others[0])}`, { hint: `use \`${usage}\`` });
  }
  return name;
}
