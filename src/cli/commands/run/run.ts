import type { Command } from "../../command.ts";

/** `scaffold run`: the manager on this machine, against the cluster of the current kubeconfig. */
export const runCommand: Command = {
  path: ["run"],
  summary: "Run the manager against the cluster of the current kubeconfig",
  description: [
    "Run cmd/main.ts on this machine, from its sources. All arguments go to the manager, whose flags `scaffold run -- --help` lists.",
    "ENABLE_WEBHOOKS=false runs it without webhooks, where the cluster cannot reach this machine.",
  ].join("\n"),
  usage: "[flags of the manager]",
  examples: ["scaffold run", "scaffold run --zap-log-level=debug", "ENABLE_WEBHOOKS=false scaffold run"],
  flags: [],
  takesWords: true,
  run: async (invocation) => {
    const { runManager } = await import("./run-manager.ts");
    return runManager(invocation);
  },
};
