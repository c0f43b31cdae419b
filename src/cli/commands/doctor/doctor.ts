import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold doctor`: compares a project with what PROJECT says of it. */
export const doctorCommand: Command = defineCommand({
  path: ["doctor"],
  summary: "Check the project, its generated files, and tools",
  description: [
    "Check the project in this folder: whether PROJECT, files, insertion markers, and generated files are consistent, whether the required tools are installed, whether config/default can be built, and whether config/samples is valid against the CRDs.",
    "Each finding includes its fix. The exit status is 1 if any finding is an error; --fix applies the fixes that are safe to automate.",
  ].join("\n"),
  examples: ["scaffold doctor", "scaffold doctor --fix --dry-run"],
  flags: [
    { name: "fix", kind: "boolean", help: "apply fixes that are safe to automate", default: "false" },
    ...WRITING_FLAGS,
  ],
  parse: ({ fix = false }) => ({ fixes: fix }),
  run: async (options, invocation) => {
    const { runDoctor } = await import("./run-doctor.ts");
    return runDoctor(options, invocation);
  },
});
