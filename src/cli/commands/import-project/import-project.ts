import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { PACKAGE_MANAGER_FLAG, WRITING_FLAGS } from "../../flags/global-flags.ts";
import type { ImportProjectOptions } from "./run-import-project.ts";

/** `scaffold import project`: a project in TypeScript in the place of one in Go. */
export const importProjectCommand: Command = defineCommand({
  path: ["import", "project"],
  worksAnywhere: true,
  summary: "Create a TypeScript project from a kubebuilder project in Go",
  description: [
    "Create a TypeScript project from a kubebuilder project in Go: the same layout, names, APIs, controllers, and webhooks, types from",
    "its CRDs, and markers that generate the same CRDs, roles, and webhook configurations.",
    "",
    "The Go project is not changed. MIGRATION.md lists the TypeScript counterpart of each Go file, and everything that has no",
    "counterpart.",
    "",
    "At the end, the command builds config/default, installs the packages, type-checks the project, and runs its tests. It exits with",
    "status 1 if one of these fails; the project is written nevertheless.",
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
    {
      name: "project-name",
      kind: "string",
      help: "name of the new project (default: the Go project's name)",
    },
    {
      name: "crds",
      kind: "string",
      help: "folder of the CRDs in the Go project (default: config/crd/bases)",
    },
    { name: "repo", kind: "string", help: "name of the npm package (default: the project's name)" },
    PACKAGE_MANAGER_FLAG,
    { name: "skip-install", kind: "boolean", help: "do not install the packages", default: "false" },
    { name: "skip-tests", kind: "boolean", help: "do not run the tests of the new project", default: "false" },
    ...WRITING_FLAGS,
  ],
  takesInputs: "paths",
  ask: async (asking) => {
    const { askForGoProject } = await import("../../prompts/prompt-for-import.ts");
    return askForGoProject(asking);
  },
  parse: async (flags, { cwd }): Promise<ImportProjectOptions> => {
    const { outputFolder } = await import("../../flags/folder-flags.ts");
    return {
      output: outputFolder(cwd, flags["output-dir"]) ?? cwd,
      projectName: flags["project-name"],
      repo: flags.repo,
      crds: flags.crds,
      packageManager: flags["package-manager"],
      installs: flags["skip-install"] !== true,
      tests: flags["skip-tests"] !== true,
    };
  },
  run: async (options, invocation) => {
    const { runImportProject } = await import("./run-import-project.ts");
    return runImportProject(options, invocation);
  },
});
