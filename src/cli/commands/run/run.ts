import type { Command } from "../../command.ts";

/** `scaffold run`: the manager on this machine, against the cluster of the current kubeconfig. */
export const runCommand: Command = {
  path: ["run"],
  summary: "Run the manager against the cluster of the current kubeconfig",
  description: [
    "Run cmd/main.ts on this machine, from its sources. All arguments are passed to the manager; `scaffold run -- --help` lists its flags.",
    "Set ENABLE_WEBHOOKS=false to disable webhooks if the cluster cannot reach this machine.",
  ].join("\n"),
  usage: "[manager flags]",
  examples: ["scaffold run", "scaffold run --zap-log-level=debug", "ENABLE_WEBHOOKS=false scaffold run"],
  flags: [],
  takesWords: true,
  run: async (invocation) => {
    const { runManager } = await import("./run-manager.ts");
    return runManager(invocation);
  },
};
