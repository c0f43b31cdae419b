import type { Command } from "../../command.ts";
import { EXTERNAL_API_FLAGS, GVK_FLAGS, WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold create webhook`: defaulting, validation and conversion for a kind. */
export const createWebhookCommand: Command = {
  path: ["create", "webhook"],
  pluginCommand: "create webhook",
  summary: "Add webhooks to an API: defaulting, validation, conversion between versions",
  description: [
    "Add webhooks to an API of the project, to a kind of Kubernetes itself, or to one of someone else. A type that is added later leaves the code of the earlier one alone.",
    "With --conversion the version becomes the hub: it is stored, and the versions of --spoke are converted to and from it. Further spokes may be added later.",
  ].join("\n"),
  examples: [
    "scaffold create webhook --group webapp --version v1 --kind Guestbook --defaulting --programmatic-validation",
    "scaffold create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2",
    "scaffold create webhook --group core --version v1 --kind Pod --programmatic-validation",
    "scaffold create webhook --group cert-manager --version v1 --kind Issuer --external-api-path @acme/issuers/v1 --external-api-domain io --programmatic-validation",
  ],
  flags: [
    ...GVK_FLAGS,
    ...EXTERNAL_API_FLAGS,
    { name: "defaulting", kind: "boolean", help: "write a defaulting webhook", default: "false" },
    { name: "programmatic-validation", kind: "boolean", help: "write a validating webhook", default: "false" },
    { name: "conversion", kind: "boolean", help: "convert other versions to and from this one", default: "false" },
    { name: "spoke", kind: "list", help: "versions that are converted to and from this one, such as v2,v3" },
    { name: "defaulting-path", kind: "string", help: "path of the defaulting webhook, in place of the derived one" },
    { name: "validation-path", kind: "string", help: "path of the validating webhook, in place of the derived one" },
    {
      name: "force",
      kind: "boolean",
      help: "write files that exist anew, and say which; at a terminal, after a question",
      default: "false",
    },
    YES_FLAG,
    { name: "make", kind: "boolean", help: "generate the manifests too; all is written or nothing", default: "true" },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForWebhook } = await import("./prompt-for-webhook.ts");
    return askForWebhook(asking);
  },
  run: async (invocation) => {
    const { runCreateWebhook } = await import("./run-create-webhook.ts");
    return runCreateWebhook(invocation);
  },
};
