import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { GENERATOR_OPTIONS_FLAG } from "../../generating/generating-flags.ts";
import type { CompatOptions } from "./run-compat.ts";

/** `scaffold compat`: compares the CRDs of the sources with those of an earlier version. */
export const compatCommand: Command = defineCommand({
  path: ["compat"],
  summary: "Report changes of CRDs that break stored objects or clients",
  description: [
    "Compare the CRDs that the sources define with those of an earlier version, and report changes that break stored objects or clients.",
    "Nothing is written. The exit status is 1 if a change breaks something.",
    "Options of generators in PROJECT apply; crd:relax accepts a finding.",
    "Equivalent to: gen crd:compat=HEAD:config/crd/bases paths=./... output:none",
  ].join("\n"),
  examples: ["scaffold compat", "scaffold compat --from origin/main", "scaffold compat --from v1.4.0"],
  flags: [
    {
      name: "from",
      kind: "string",
      help: "commit, branch, or tag to compare with, or a folder with CRDs",
      default: "HEAD",
    },
    { name: "strict", kind: "boolean", help: "treat warnings as errors", default: "false" },
    GENERATOR_OPTIONS_FLAG,
  ],
  parse: async ({ from = "HEAD", strict = false, "generator-options": words }): Promise<CompatOptions> => {
    const { flaggedOptions } = await import("../../generating/generator-options.ts");
    return { from, isStrict: strict, options: flaggedOptions(words) };
  },
  run: async (options, invocation) => {
    const { runCompat } = await import("./run-compat.ts");
    return runCompat(options, invocation);
  },
});
