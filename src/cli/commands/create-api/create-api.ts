import type { Command, Invocation } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";
import { EXTERNAL_API_FLAGS, GVK_FLAGS, PLURAL_FLAG } from "../../flags/kind-flags.ts";
import type { CreateApiOptions } from "./run-create-api.ts";

/** `scaffold create api`: a kind, a controller for it, or both. */
export const createApiCommand: Command = defineCommand({
  path: ["create", "api"],
  pluginCommand: "create api",
  summary: "Add an API: its types, a controller, or both",
  description: [
    "Add an API: the types of a kind, its controller, or both. Without --resource and --controller, the command prompts for each if interactive;",
    "otherwise both are written. With --resource=false, the kind can be a built-in kind of Kubernetes.",
    "If a kind has a controller, another version gets none by default, and the version that was stored so far stays the storage version.",
    "With --from, the types and the sample are copies of those of an existing version; if the kind has a hub, the new version becomes another spoke of it.",
  ].join("\n"),
  examples: [
    "scaffold create api --group webapp --version v1 --kind Guestbook",
    "scaffold create api --group webapp --version v1 --kind Guestbook --ssa",
    "scaffold create api --group webapp --version v1 --kind Guestbook --from v1beta1",
    "scaffold create api --group apps --version v1 --kind Deployment --resource=false --controller",
    "scaffold create api --group webapp --version v1 --kind Guestbook --resource=false --controller-name guestbook-backup",
  ],
  flags: [
    ...GVK_FLAGS,
    PLURAL_FLAG,
    { name: "resource", kind: "boolean", help: "write the types of the kind", default: "true" },
    { name: "controller", kind: "boolean", help: "write a controller for the kind", default: "true" },
    { name: "from", kind: "string", help: "version whose fields a new one gets, or none (default: newest)" },
    { name: "controller-name", kind: "string", help: "name of the controller, to add another for the kind" },
    ...EXTERNAL_API_FLAGS,
    {
      name: "namespaced",
      kind: "boolean",
      help: "make the kind namespaced; false for cluster-scoped",
      default: "true",
    },
    {
      name: "ssa",
      kind: "boolean",
      help: "generate apply configurations for the kind",
      default: "false",
    },
    {
      name: "force",
      kind: "boolean",
      help: "overwrite existing files, with a prompt if interactive",
      default: "false",
    },
    YES_FLAG,
    { name: "make", kind: "boolean", help: "generate the manifests", default: "true" },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForApi } = await import("./prompt-for-api.ts");
    return askForApi({ ...asking, hasImage: hasImage(asking) });
  },
  parse: (flags, invocation): CreateApiOptions => ({
    request: {
      group: flags.group ?? "",
      version: flags.version,
      kind: flags.kind,
      plural: flags.plural,
      controllerName: flags["controller-name"],
      externalApiPath: flags["external-api-path"],
      externalApiDomain: flags["external-api-domain"],
      externalApiModule: flags["external-api-module"],
      namespaced: flags.namespaced,
      ssa: flags.ssa,
      force: flags.force === true,
    },
    resource: flags.resource,
    controller: flags.controller,
    from: flags.from,
    hasImage: hasImage(invocation),
    choosesPlugins: invocation.pluginKeys.length > 0,
    makesManifests: flags.make !== false,
  }),
  run: async (options, invocation) => {
    const { runCreateApi } = await import("./run-create-api.ts");
    return runCreateApi(options, invocation);
  },
});

// A flag of the plugin that makes operators of images: it writes the types and the controller.
function hasImage({ pluginFlags }: Pick<Invocation, "pluginFlags">): boolean {
  return pluginFlags["image"] !== undefined;
}
