import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";
import type { ImportCrdOptions } from "./run-import-crd.ts";

/** `scaffold import crd`: TypeScript types for kinds that others define. */
export const importCrdCommand: Command = defineCommand({
  path: ["import", "crd"],
  summary: "Write TypeScript types for CustomResourceDefinitions",
  description: [
    "Write TypeScript types with markers for every version of CustomResourceDefinitions. Generating CRDs from these types gives the same",
    "definitions. Inputs are files, folders, http(s) URLs, and - for standard input; each can contain several documents and lists.",
    "",
    "In a project, the types are written to api/[group/]<version>; elsewhere, to the folder of --output-dir.",
  ].join("\n"),
  usage: "<file|folder|url|->... [flags]",
  examples: [
    "scaffold import crd config/crd/bases --output-dir src/api",
    "kubectl get crd certificates.cert-manager.io -o yaml | scaffold import crd - --external",
    "scaffold import crd crds.yaml --kind Certificate,Issuer --dry-run",
  ],
  flags: [
    {
      name: "output-dir",
      kind: "string",
      isPath: true,
      help: "folder for the types, in subfolders by group and version",
    },
    { name: "kind", kind: "list", help: "import only these kinds" },
    {
      name: "external",
      kind: "boolean",
      help: "mark the kinds as external: generators write no manifests for them",
      default: "false",
    },
    {
      name: "well-known",
      kind: "boolean",
      help: "use matching types of @kubescaffold/k8s, dropping property descriptions",
      default: "false",
    },
    { name: "force", kind: "boolean", help: "overwrite existing files and print what changes", default: "false" },
    YES_FLAG,
    ...WRITING_FLAGS,
  ],
  takesInputs: "paths",
  ask: async (asking) => {
    const { askForCrds } = await import("../../prompts/prompt-for-import.ts");
    return askForCrds(asking);
  },
  parse: async (flags, { cwd }): Promise<ImportCrdOptions> => {
    const { outputFolder } = await import("../../flags/folder-flags.ts");
    return {
      output: outputFolder(cwd, flags["output-dir"]),
      kinds: flags.kind,
      isExternal: flags.external === true,
      losesTexts: flags["well-known"] === true,
      force: flags.force === true,
    };
  },
  run: async (options, invocation) => {
    const { runImportCrd } = await import("./run-import-crd.ts");
    return runImportCrd(options, invocation);
  },
});
