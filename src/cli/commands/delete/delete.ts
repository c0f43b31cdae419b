import type { Command } from "../../command/command.ts";
import { defineCommand, type FlagsOf } from "../../command/define-command.ts";
import { clusterIfSelected, STATE_FLAGS } from "../../flags/cluster-flags.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import { GVK_FLAGS, namedKind } from "../../flags/kind-flags.ts";
import type { DeletingOptions, DeleteApiOptions, DeleteWebhookOptions } from "./run-delete.ts";

const CHANGED_FILES =
  "If files were changed since they were scaffolded, the command lists them and deletes nothing, unless --force is set. --dry-run prints the changes as a diff.";

const DELETING_FLAGS = [
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
  { name: "make", kind: "boolean", help: "regenerate the manifests", default: "true" },
  ...WRITING_FLAGS,
] as const;

/** `scaffold delete api`: the inverse of `create api`. */
export const deleteApiCommand: Command = defineCommand({
  path: ["delete", "api"],
  summary: "Remove an API with its controllers, webhooks, and manifests",
  description: [
    "Remove an API from the project, with its types, controllers, webhooks, and manifests: the inverse of `create api` and `create webhook`.",
    "One of several versions of a kind is removed in three steps, of which each call does the one that is due: stop serving it, migrate the stored objects, and remove it with its conversion.",
    "--kubeconfig or --context read from the CRD of a cluster which versions are served and stored, and migrate its objects. Without them, the files of the project tell what is served.",
    "The storage version is not removed.",
    CHANGED_FILES,
  ].join("\n"),
  examples: [
    "scaffold delete api --group webapp --version v1 --kind Guestbook --dry-run",
    "scaffold delete api --group webapp --version v1alpha1 --kind Guestbook --context staging",
    "scaffold delete api --group webapp --version v1 --kind Guestbook --controller-name guestbook-backup",
  ],
  flags: [
    ...GVK_FLAGS,
    { name: "controller-name", kind: "string", help: "delete only the controller with this name" },
    {
      name: "not-stored",
      kind: "boolean",
      help: "remove the version at once: no cluster stores objects in it",
      default: "false",
    },
    ...STATE_FLAGS,
    ...DELETING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForApiToDelete } = await import("./prompt-for-deletion.ts");
    return askForApiToDelete(asking);
  },
  parse: (flags, { cwd }): DeleteApiOptions => ({
    ...deletingOptions(flags),
    controllerName: flags["controller-name"],
    cluster: clusterIfSelected(flags, cwd),
    isNotStored: flags["not-stored"] === true,
  }),
  run: async (options, invocation) => {
    const { runDeleteApi } = await import("./run-delete.ts");
    return runDeleteApi(options, invocation);
  },
});

/** `scaffold delete webhook`: the inverse of `create webhook`. */
export const deleteWebhookCommand: Command = defineCommand({
  path: ["delete", "webhook"],
  summary: "Remove webhooks of an API from the project",
  description: [
    "Remove webhooks of an API from the project, with the files that only they need: the inverse of `create webhook`. Without a type, all are removed.",
    CHANGED_FILES,
  ].join("\n"),
  examples: [
    "scaffold delete webhook --group webapp --version v1 --kind Guestbook",
    "scaffold delete webhook --group webapp --version v1 --kind Guestbook --programmatic-validation",
    "scaffold delete webhook --group webapp --version v1 --kind Guestbook --spoke v2",
  ],
  flags: [
    ...GVK_FLAGS,
    { name: "defaulting", kind: "boolean", help: "delete the defaulting webhook", default: "false" },
    { name: "programmatic-validation", kind: "boolean", help: "delete the validating webhook", default: "false" },
    {
      name: "conversion",
      kind: "boolean",
      help: "delete the conversion of all versions, or of --spoke",
      default: "false",
    },
    {
      name: "spoke",
      kind: "list",
      help: "versions to stop converting; the last one removes the conversion",
    },
    ...DELETING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForWebhooksToDelete } = await import("./prompt-for-deletion.ts");
    return askForWebhooksToDelete(asking);
  },
  parse: (flags): DeleteWebhookOptions => ({
    ...deletingOptions(flags),
    webhooks: {
      defaulting: flags.defaulting === true,
      validation: flags["programmatic-validation"] === true,
      conversion: flags.conversion === true,
      spokes: flags.spoke,
    },
  }),
  run: async (options, invocation) => {
    const { runDeleteWebhook } = await import("./run-delete.ts");
    return runDeleteWebhook(options, invocation);
  },
});

function deletingOptions(flags: FlagsOf<readonly [...typeof GVK_FLAGS, ...typeof DELETING_FLAGS]>): DeletingOptions {
  return { request: namedKind(flags), force: flags.force === true, makesManifests: flags.make !== false };
}
