import type { Command } from "./command.ts";
import { GVK_FLAGS, WRITING_FLAGS } from "./global-flags.ts";

/** `scaffold delete webhook`: the inverse of `create webhook`. */
export const deleteWebhookCommand: Command = {
  path: ["delete", "webhook"],
  summary: "Take the webhooks of an API out of the project",
  description: [
    "Take the webhooks of an API out of the project, with what only they need: the inverse of `create webhook`.",
    "Files that were changed since they were made are named, and nothing is deleted, unless --force is given; --dry-run shows everything as a diff.",
  ].join("\n"),
  examples: ["scaffold delete webhook --group webapp --version v1 --kind Guestbook"],
  flags: [
    ...GVK_FLAGS.filter((flag) => flag.name !== "plural"),
    { name: "force", kind: "boolean", help: "delete changed files too, and show what was in them", default: "false" },
    { name: "make", kind: "boolean", help: "generate the manifests anew; all is written or nothing", default: "true" },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runDeleteWebhook } = await import("./run-delete.ts");
    return runDeleteWebhook(invocation);
  },
};
