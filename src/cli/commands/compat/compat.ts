import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { clusterIfSelected, STATE_FLAGS } from "../../flags/cluster-flags.ts";
import { GENERATOR_OPTIONS_FLAG } from "../../generating/generating-flags.ts";
import type { CompatOptions } from "./run-compat.ts";

/** `scaffold compat`: compares the CRDs of the sources with those of an earlier version. */
export const compatCommand: Command = defineCommand({
  path: ["compat"],
  summary: "Report changes of CRDs that break stored objects or clients",
  description: [
    "Compare the CRDs that the sources define with those of an earlier version, and report changes that break stored objects or clients.",
    "With --kubeconfig or --context, compare them with the CRDs of a cluster, and report versions that were removed while objects are stored in them.",
    "Nothing is written. The exit status is 1 if a change breaks something.",
    "Options of generators in PROJECT apply; crd:relax accepts a finding.",
    "Equivalent to: gen crd:compat=HEAD:config/crd/bases paths=./... output:none",
  ].join("\n"),
  examples: [
    "scaffold compat",
    "scaffold compat --from origin/main",
    "scaffold compat --from v1.4.0",
    "scaffold compat --context production",
  ],
  flags: [
    {
      name: "from",
      kind: "string",
      help: "commit, branch, or tag to compare with, or a folder with CRDs",
      default: "HEAD",
    },
    ...STATE_FLAGS,
    { name: "strict", kind: "boolean", help: "treat warnings as errors", default: "false" },
    GENERATOR_OPTIONS_FLAG,
  ],
  parse: async ({ from, strict = false, "generator-options": words, ...flags }, { cwd }): Promise<CompatOptions> => {
    const cluster = clusterIfSelected(flags, cwd);
    if (from !== undefined && cluster !== undefined) {
      throw new InvalidFlagError("cannot use --from with --kubeconfig or --context: both select the earlier version", {
        hint: "run the command once for each",
      });
    }
    const { flaggedOptions } = await import("../../generating/generator-options.ts");
    return { former: cluster ?? from ?? "HEAD", isStrict: strict, options: flaggedOptions(words) };
  },
  run: async (options, invocation) => {
    const { runCompat } = await import("./run-compat.ts");
    return runCompat(options, invocation);
  },
});
