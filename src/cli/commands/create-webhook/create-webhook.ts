import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { CERTIFICATES_FLAG, WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";
import { EXTERNAL_API_FLAGS, GVK_FLAGS, PLURAL_FLAG } from "../../flags/kind-flags.ts";
import type { CreateWebhookOptions } from "./run-create-webhook.ts";

/** `scaffold create webhook`: defaulting, validation and conversion for a kind. */
export const createWebhookCommand: Command = defineCommand({
  path: ["create", "webhook"],
  pluginCommand: "create webhook",
  summary: "Add defaulting, validating, or conversion webhooks to an API",
  description: [
    "Add webhooks to an API of the project, a built-in kind of Kubernetes, or an external kind. Adding another type of webhook does not change existing code.",
    "With --conversion, the version becomes the hub and the storage version, and the versions of --spoke are converted to and from it. More spokes can be added later.",
    "--certificates sets the issuer of the certificates of all webhooks, as `edit --certificates` does.",
  ].join("\n"),
  examples: [
    "scaffold create webhook --group webapp --version v1 --kind Guestbook --defaulting --programmatic-validation",
    "scaffold create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2",
    "scaffold create webhook --group webapp --version v1 --kind Guestbook --defaulting --certificates self-managed",
    "scaffold create webhook --group core --version v1 --kind Pod --programmatic-validation",
    "scaffold create webhook --group cert-manager --version v1 --kind Issuer --external-api-path @acme/issuers/v1 --external-api-domain io --programmatic-validation",
  ],
  flags: [
    ...GVK_FLAGS,
    PLURAL_FLAG,
    ...EXTERNAL_API_FLAGS,
    { name: "defaulting", kind: "boolean", help: "write a defaulting webhook", default: "false" },
    { name: "programmatic-validation", kind: "boolean", help: "write a validating webhook", default: "false" },
    {
      name: "conversion",
      kind: "boolean",
      help: "write a conversion webhook with this version as hub",
      default: "false",
    },
    { name: "spoke", kind: "list", help: "versions to convert to and from the hub, such as v2,v3" },
    {
      name: "defaulting-path",
      kind: "string",
      help: "path of the defaulting webhook (default: derived from the kind)",
    },
    {
      name: "validation-path",
      kind: "string",
      help: "path of the validating webhook (default: derived from the kind)",
    },
    {
      name: "force",
      kind: "boolean",
      help: "overwrite existing files, with a prompt if interactive",
      default: "false",
    },
    YES_FLAG,
    CERTIFICATES_FLAG,
    { name: "make", kind: "boolean", help: "generate the manifests", default: "true" },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForWebhook } = await import("./prompt-for-webhook.ts");
    return askForWebhook(asking);
  },
  parse: (flags): CreateWebhookOptions => ({
    request: {
      group: flags.group ?? "",
      version: flags.version,
      kind: flags.kind,
      plural: flags.plural,
      externalApiPath: flags["external-api-path"],
      externalApiDomain: flags["external-api-domain"],
      externalApiModule: flags["external-api-module"],
      defaulting: flags.defaulting === true,
      validation: flags["programmatic-validation"] === true,
      conversion: flags.conversion === true,
      spokes: flags.spoke,
      defaultingPath: flags["defaulting-path"],
      validationPath: flags["validation-path"],
      force: flags.force === true,
    },
    certificates: flags.certificates,
    makesManifests: flags.make !== false,
  }),
  run: async (options, invocation) => {
    const { runCreateWebhook } = await import("./run-create-webhook.ts");
    return runCreateWebhook(options, invocation);
  },
});
