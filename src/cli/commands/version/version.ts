import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";

// As many letters as tell the commits of a large repository apart.
const SHORT_COMMIT = 12;

/** `scaffold version`: what this program is. */
export const versionCommand: Command = defineCommand({
  path: ["version"],
  worksAnywhere: true,
  summary: "Print the version",
  description:
    "Print the version, the version of Kubernetes whose API the types come from, and the commit and time of the build, or unknown if not built from a clone.",
  flags: [{ name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] }],
  parse: () => undefined,
  run: async (_options, { terminal, printsJson, program }) => {
    const facts = {
      version: program.version,
      kubernetes: KUBERNETES_MINOR,
      ...BUILD_FACTS,
      node: process.versions.node,
      platform: `${process.platform}/${process.arch}`,
    };
    if (printsJson) terminal.writeOut(`${JSON.stringify(facts, undefined, 2)}\n`);
    else {
      const parts = [`Kubernetes ${facts.kubernetes}`, commitText(facts), `Node ${facts.node}`, facts.platform];
      terminal.writeOut(`kubescaffold ${facts.version} (${parts.join(", ")})\n`);
    }
    return 0;
  },
});

/** Returns a commit as people read it: cut short, with its time where there is one. */
export function commitText({ commit, date }: BuildFacts): string {
  const [hash = "", ...state] = commit.split("-");
  const short = [hash.slice(0, SHORT_COMMIT), ...state].join("-");
  return commit === "unknown" ? "commit unknown" : `commit ${short} of ${date}`;
}

/** The commit that the program was built from. */
interface BuildFacts {
  /** The hash of a commit, with the suffix `-dirty` where sources differed from it. */
  readonly commit: string;
  /** The time of the commit, in UTC. */
  readonly date: string;
}

// The build defines it; it is missing where the sources run directly.
declare const __BUILD_FACTS__: BuildFacts | undefined;

/** The facts of this program; `unknown` without a build in a clone. */
const BUILD_FACTS: BuildFacts =
  typeof __BUILD_FACTS__ === "undefined" ? { commit: "unknown", date: "unknown" } : __BUILD_FACTS__;
