import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold alpha restore-project`: PROJECT from the other files of a project. */
export const alphaRestoreProjectCommand: Command = defineCommand({
  path: ["alpha", "restore-project"],
  summary: "Restore a deleted PROJECT file from the other files",
  description: [
    "Restore the PROJECT file of the project in this folder from its other files: names and layout, APIs, controllers, webhooks, and plugins.",
    "The output lists what the files do not show. If PROJECT is in git, restore it with git instead: that restores everything.",
  ].join("\n"),
  examples: ["scaffold alpha restore-project --dry-run", "scaffold alpha restore-project"],
  flags: [
    { name: "force", kind: "boolean", help: "overwrite an existing PROJECT file", default: "false" },
    YES_FLAG,
    ...WRITING_FLAGS,
  ],
  parse: ({ force = false }) => ({ force }),
  run: async (options, invocation) => {
    const { runAlphaRestoreProject } = await import("./run-alpha-restore-project.ts");
    return runAlphaRestoreProject(options, invocation);
  },
});
