import type { Command } from "../../command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold doctor`: compares a project with what PROJECT says of it. */
export const doctorCommand: Command = {
  path: ["doctor"],
  summary: "Check the project: PROJECT, files, insertion markers, generated files and tools",
  description: [
    "Check the project in this folder: whether PROJECT, the files, the insertion markers and what is generated agree, whether the tools are there, and whether an API server would take config/samples by the CRDs.",
    "Each finding says how it is mended. The exit status is 1 when there is one that breaks the project; --fix mends what can be mended without a person.",
  ].join("\n"),
  examples: ["scaffold doctor", "scaffold doctor --fix --dry-run"],
  flags: [
    { name: "fix", kind: "boolean", help: "mend what can be mended without losing anything", default: "false" },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runDoctor } = await import("./run-doctor.ts");
    return runDoctor(invocation);
  },
};
