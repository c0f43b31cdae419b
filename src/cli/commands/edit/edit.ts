import type { Command } from "../../command.ts";
import { LICENSE_FLAGS, WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold edit`: changes the settings of a project. */
export const editCommand: Command = {
  path: ["edit"],
  pluginCommand: "edit",
  summary: "Change the settings of the project",
  description: [
    "Change the settings of the project. A setting that is not given stays as it is. --multigroup moves what is there into folders of its group, and imports follow;",
    "--namespaced makes of the manager, its roles and the markers of permissions what they would be if the project had been scoped so from the start; --license is for",
    "files that come later.",
  ].join("\n"),
  examples: [
    "scaffold edit --multigroup",
    "scaffold edit --namespaced=false",
    "scaffold edit --license copyright --owner Acme",
  ],
  flags: [
    { name: "multigroup", kind: "boolean", help: "put APIs, controllers and webhooks into folders of their group" },
    { name: "namespaced", kind: "boolean", help: "scope the manager to namespaces" },
    {
      name: "force",
      kind: "boolean",
      help: "write files anew that were changed where a setting belongs; at a terminal, after a question",
      default: "false",
    },
    YES_FLAG,
    {
      name: "make",
      kind: "boolean",
      help: "generate the manifests anew when the scope changes; all is written or nothing",
      default: "true",
    },
    ...LICENSE_FLAGS.map(({ default: _default, ...flag }) => flag),
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runEdit } = await import("./run-edit.ts");
    return runEdit(invocation);
  },
};
