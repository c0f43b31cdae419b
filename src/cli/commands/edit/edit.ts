import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import {
  CERTIFICATES_FLAG,
  LICENSE_FLAG,
  LICENSE_TEXT_FLAGS,
  WRITING_FLAGS,
  YES_FLAG,
} from "../../flags/global-flags.ts";
import { minorOf, PROJECT_KUBERNETES_FLAG } from "../../flags/kubernetes-flag.ts";
import { GENERATOR_OPTIONS_FLAG } from "../../generating/generating-flags.ts";
import type { EditOptions } from "./run-edit.ts";

/** `scaffold edit`: changes the settings of a project. */
export const editCommand: Command = defineCommand({
  path: ["edit"],
  pluginCommand: "edit",
  summary: "Change the settings of the project",
  description: [
    "Change the settings of the project. Flags that are not set leave their settings unchanged. --multigroup moves existing files to folders per group and updates imports;",
    "--namespaced changes the scope of the manager, its roles, and its RBAC markers; --license applies to new files. With --certificates self-managed, the manager makes the certificates of its webhooks, and cert-manager is not needed. --generator-options are recorded in PROJECT, and apply whenever manifests or code are generated.",
    "--kubernetes is recorded in PROJECT, too: tests and `scaffold dev` use this version of Kubernetes.",
  ].join("\n"),
  examples: [
    "scaffold edit --multigroup",
    "scaffold edit --namespaced=false",
    "scaffold edit --license copyright --owner Acme",
    "scaffold edit --generator-options crd:generateEmbeddedObjectMeta=true",
    "scaffold edit --kubernetes 1.37",
    "scaffold edit --certificates self-managed",
    "scaffold edit --show",
  ],
  flags: [
    { name: "multigroup", kind: "boolean", help: "place APIs, controllers, and webhooks in folders per group" },
    { name: "namespaced", kind: "boolean", help: "scope the manager and its RBAC to namespaces" },
    {
      name: "force",
      kind: "boolean",
      help: "overwrite changed files, with a prompt if interactive",
      default: "false",
    },
    YES_FLAG,
    PROJECT_KUBERNETES_FLAG,
    {
      name: "make",
      kind: "boolean",
      help: "regenerate the manifests when the scope changes",
      default: "true",
    },
    GENERATOR_OPTIONS_FLAG,
    CERTIFICATES_FLAG,
    { name: "show", kind: "boolean", help: "print the settings without changing them", default: "false" },
    LICENSE_FLAG,
    ...LICENSE_TEXT_FLAGS,
    ...WRITING_FLAGS,
  ],
  parse: async (
    { license, "license-file": file, owner, ...flags },
    { cwd, pluginKeys, terminal },
  ): Promise<EditOptions> => {
    const { flaggedOptions } = await import("../../generating/generator-options.ts");
    const { readBoilerplate } = await import("../../flags/boilerplate.ts");
    const keepsHeader = license === undefined && file === undefined && owner === undefined;
    return {
      shows: flags.show === true,
      multigroup: flags.multigroup,
      namespaced: flags.namespaced,
      kubernetes: flags.kubernetes === undefined ? undefined : minorOf(flags.kubernetes, terminal),
      certificates: flags.certificates,
      choosesPlugins: pluginKeys.length > 0,
      boilerplate: keepsHeader ? undefined : readBoilerplate({ license, "license-file": file, owner }, cwd),
      changes: flaggedOptions(flags["generator-options"]),
      force: flags.force === true,
      makesManifests: flags.make !== false,
    };
  },
  run: async (options, invocation) => {
    const { runEdit } = await import("./run-edit.ts");
    return runEdit(options, invocation);
  },
});
