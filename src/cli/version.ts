import type { Command } from "./command.ts";

/** The version of Kubernetes whose API the types are made from. */
const KUBERNETES_VERSION = "1.35";

/** `scaffold version`: what this program is. */
export const versionCommand: Command = {
  path: ["version"],
  summary: "Print the version",
  flags: [{ name: "output", kind: "string", help: "form of the output", default: "text", values: ["text", "json"] }],
  run: async ({ terminal, flags, program }) => {
    const facts = {
      version: program.version,
      kubernetes: KUBERNETES_VERSION,
      node: process.versions.node,
      platform: `${process.platform}/${process.arch}`,
    };
    if (flags["output"] === "json") terminal.writeOut(`${JSON.stringify(facts, undefined, 2)}\n`);
    else {
      terminal.writeOut(
        `kubescaffold ${facts.version} (Kubernetes ${facts.kubernetes}, Node ${facts.node}, ${facts.platform})\n`,
      );
    }
    return 0;
  },
};
