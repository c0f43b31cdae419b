import type { Command } from "../../command.ts";
import { GVK_FLAGS, WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold delete webhook`: the inverse of `create webhook`. */
export const deleteWebhookCommand: Command = {
  path: ["delete", "webhook"],
  summary: "Take webhooks of an API out of the project",
  description: [
    "Take webhooks of an API out of the project, with what only they need: the inverse of `create webhook`. Without a type all of them go.",
    "Files that were changed since they were made are named, and nothing is deleted, unless --force is given; --dry-run shows everything as a diff.",
  ].join("\n"),
  examples: [
    "scaffold delete webhook --group webapp --version v1 --kind Guestbook",
    "scaffold delete webhook --group webapp --version v1 --kind Guestbook --programmatic-validation",
    "scaffold delete webhook --group webapp --version v1 --kind Guestbook --spoke v2",
  ],
  flags: [
    ...GVK_FLAGS.filter((flag) => flag.name !== "plural"),
    { name: "defaulting", kind: "boolean", help: "delete the defaulting webhook", default: "false" },
    { name: "programmatic-validation", kind: "boolean", help: "delete the validating webhook", default: "false" },
    { name: "conversion", kind: "boolean", help: "delete the conversion between versions", default: "false" },
    {
      name: "spoke",
      kind: "list",
      help: "versions that are no longer converted; with the last one the conversion goes",
    },
    {
      name: "force",
      kind: "boolean",
      help: "delete changed files too; at a terminal, after a question",
      default: "false",
    },
    YES_FLAG,
    { name: "make", kind: "boolean", help: "generate the manifests anew; all is written or nothing", default: "true" },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForWebhooksToDelete } = await import("./prompt-for-deletion.ts");
    return askForWebhooksToDelete(asking);
  },
  run: async (invocation) => {
    const { runDeleteWebhook } = await import("./run-delete.ts");
    return runDeleteWebhook(invocation);
  },
};
