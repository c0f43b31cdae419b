import type { Command } from "../../command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold import project`: a project in TypeScript in the place of one in Go. */
export const importProjectCommand: Command = {
  path: ["import", "project"],
  summary: "Start a project from one that kubebuilder made in Go",
  description: [
    "Start a project in TypeScript from one that kubebuilder made in Go: the same layout, names, APIs, controllers and webhooks, types made of",
    "the definitions, and markers from which the same definitions, roles and webhook configurations are generated.",
    "",
    "The code in Go stays where it is. MIGRATION.md lists each file with the file in TypeScript that it corresponds to, and all that has no",
    "counterpart.",
  ].join("\n"),
  usage: "<folder> [flags]",
  examples: [
    "scaffold import project ../guestbook-go",
    "scaffold import project ../guestbook-go --output-dir guestbook --dry-run",
  ],
  flags: [
    {
      name: "output-dir",
      kind: "string",
      isPath: true,
      help: "empty folder of the new project (default: this folder)",
    },
    { name: "repo", kind: "string", help: "name of the npm package (default: the name of the project)" },
    ...WRITING_FLAGS,
  ],
  takesInputs: true,
  ask: async (asking) => {
    const { askForGoProject } = await import("../../prompts/prompt-for-import.ts");
    return askForGoProject(asking);
  },
  run: async (invocation) => {
    const { runImportProject } = await import("./run-import-project.ts");
    return runImportProject(invocation);
  },
};
