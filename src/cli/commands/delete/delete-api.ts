import type { Command } from "../../command.ts";
import { GVK_FLAGS, WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold delete api`: the inverse of `create api`. */
export const deleteApiCommand: Command = {
  path: ["delete", "api"],
  summary: "Take an API out of the project: its types, controllers, webhooks and manifests",
  description: [
    "Take an API out of the project, with its types, controllers, webhooks and manifests: the inverse of `create api` and `create webhook`.",
    "Files that were changed since they were made are named, and nothing is deleted, unless --force is given; --dry-run shows everything as a diff.",
  ].join("\n"),
  examples: [
    "scaffold delete api --group webapp --version v1 --kind Guestbook --dry-run",
    "scaffold delete api --group webapp --version v1 --kind Guestbook --controller-name guestbook-backup",
  ],
  flags: [
    ...GVK_FLAGS.filter((flag) => flag.name !== "plural"),
    { name: "controller-name", kind: "string", help: "delete only the controller of this name" },
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
    const { askForApiToDelete } = await import("./prompt-for-deletion.ts");
    return askForApiToDelete(asking);
  },
  run: async (invocation) => {
    const { runDeleteApi } = await import("./run-delete.ts");
    return runDeleteApi(invocation);
  },
};
