import type { Command, Invocation } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";

/** `scaffold run`: the manager on this machine, against the cluster of the current kubeconfig. */
export const runCommand: Command = defineCommand({
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
  parse: () => undefined,
  run: (_options, invocation) => runManager(invocation),
});

async function runManager(invocation: Invocation): Promise<number> {
  const { runProgram } = await import("../../programs/run-program.ts");
  const { readProject } = await import("../../session/project-session.ts");
  const { requireDependencies } = await import("../../programs/require-dependencies.ts");
  await readProject(invocation);
  requireDependencies(invocation.cwd);
  const words = invocation.words[0] === "--" ? invocation.words.slice(1) : invocation.words;
  const node = { name: process.execPath, hint: "install Node" };
  return (await runProgram(node, ["--import", "tsx", "cmd/main.ts", ...words], { invocation })) ?? 1;
}
