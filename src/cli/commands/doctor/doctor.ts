import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { clusterIfSelected, STATE_FLAGS } from "../../flags/cluster-flags.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold doctor`: compares a project with what PROJECT says of it. */
export const doctorCommand: Command = defineCommand({
  path: ["doctor"],
  summary: "Check the project, its generated files, and tools",
  description: [
    "Check the project in this folder: whether PROJECT, files, insertion markers, and generated files are consistent, whether the required tools are installed, whether config/default can be built, and whether config/samples is valid against the CRDs.",
    "With --kubeconfig or --context, it also compares the versions of CRDs with those of a cluster, and with the versions in which objects are stored there.",
    "Each finding includes its fix. The exit status is 1 if any finding is an error; --fix applies the fixes that are safe to automate.",
  ].join("\n"),
  examples: ["scaffold doctor", "scaffold doctor --fix --dry-run", "scaffold doctor --context staging"],
  flags: [
    { name: "fix", kind: "boolean", help: "apply fixes that are safe to automate", default: "false" },
    ...STATE_FLAGS,
    ...WRITING_FLAGS,
  ],
  parse: ({ fix = false, ...flags }, { cwd }) => ({ fixes: fix, cluster: clusterIfSelected(flags, cwd) }),
  run: async (options, invocation) => {
    const { runDoctor } = await import("./run-doctor.ts");
    return runDoctor(options, invocation);
  },
});
