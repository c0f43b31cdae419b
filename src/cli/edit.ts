import type { Command } from "./command.ts";
import { WRITING_FLAGS } from "./global-flags.ts";

/** `scaffold edit`: changes the settings of a project. */
export const editCommand: Command = {
  path: ["edit"],
  pluginCommand: "edit",
  summary: "Change the settings of the project",
  description:
    "Change the settings of the project. A setting that is not given stays as it is. --multigroup moves what is there into folders of its group, and imports follow.",
  examples: ["scaffold edit --multigroup", "scaffold edit --namespaced=false"],
  flags: [
    { name: "multigroup", kind: "boolean", help: "put APIs, controllers and webhooks into folders of their group" },
    { name: "namespaced", kind: "boolean", help: "scope the manager to namespaces" },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runEdit } = await import("./run-edit.ts");
    return runEdit(invocation);
  },
};
