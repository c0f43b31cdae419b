import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { VERIFY_FLAGS } from "./verify-flags.ts";

/** `scaffold verify`: whether an operator converges after crashes and lost answers. */
export const verifyCommand: Command = defineCommand({
  path: ["verify"],
  worksAnywhere: true,
  hasOwnStatus: true,
  summary: "Verify that an operator converges, also after crashes",
  description: [
    "Run an operator against embedded clusters: kill it after each of its writes, lose and delay answers and events, change and revert fields of its samples,",
    "delete and recreate them, and compare the states that it reaches. Nothing has to be asserted.",
    "In a project, the manager, CRDs, samples, roles, and webhooks are those of the project. --command, --crds, and --samples verify an operator in any language,",
    "which finds the cluster with the variable KUBECONFIG, and gets no credentials of the user.",
    "Findings are printed as they come, and written to a folder; --replay repeats one, and --baseline excludes known ones. The exit status is 0 without findings, 1 with findings,",
    "2 for invalid usage, and 3 if the operator does not come to rest, or its samples not to their state, without any fault; then the reason is printed.",
  ].join("\n"),
  usage: "[flags]",
  examples: [
    "scaffold verify",
    "scaffold verify --time 15m --report verify.md",
    "scaffold verify --command './manager --leader-elect=false' --crds config/crd --samples samples/",
    "scaffold verify --baseline verify-baseline.json --update-baseline",
    "scaffold verify --replay findings/1.json",
  ],
  flags: VERIFY_FLAGS,
  parse: async (flags, invocation) => {
    const { readVerifyOptions } = await import("./verify-options.ts");
    return readVerifyOptions(flags, invocation);
  },
  run: async (options, invocation) => {
    const { runVerify } = await import("./run-verify.ts");
    return runVerify(options, invocation);
  },
});
