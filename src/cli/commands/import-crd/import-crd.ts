import type { Command } from "../../command.ts";
import { WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold import crd`: TypeScript types for kinds that others define. */
export const importCrdCommand: Command = {
  path: ["import", "crd"],
  summary: "Write TypeScript types for CustomResourceDefinitions",
  description: [
    "Write TypeScript types with markers for CustomResourceDefinitions, all their versions, so that generating from them gives the same",
    "definitions back. Inputs are files, folders, http(s) addresses and - for standard input; each may hold several documents and lists.",
    "",
    "In a project the types go to api/[group/]<version>, elsewhere to the folder of --output-dir.",
  ].join("\n"),
  usage: "<file|folder|url|->... [flags]",
  examples: [
    "scaffold import crd config/crd/bases --output-dir src/api",
    "kubectl get crd certificates.cert-manager.io -o yaml | scaffold import crd - --external",
    "scaffold import crd crds.yaml --kind Certificate,Issuer --dry-run",
  ],
  flags: [
    { name: "output-dir", kind: "string", isPath: true, help: "folder that the folders of groups and versions go to" },
    { name: "kind", kind: "list", help: "import only these kinds" },
    {
      name: "external",
      kind: "boolean",
      help: "the definitions are another project's: generators make no manifests for the kinds",
      default: "false",
    },
    {
      name: "well-known",
      kind: "boolean",
      help: "use types of @kubescaffold/k8s for what has their shape, at the cost of the texts of their properties",
      default: "false",
    },
    { name: "force", kind: "boolean", help: "write files that exist anew, and show what changes", default: "false" },
    YES_FLAG,
    ...WRITING_FLAGS,
  ],
  takesInputs: true,
  ask: async (asking) => {
    const { askForCrds } = await import("../../prompts/prompt-for-import.ts");
    return askForCrds(asking);
  },
  run: async (invocation) => {
    const { runImportCrd } = await import("./run-import-crd.ts");
    return runImportCrd(invocation);
  },
};
