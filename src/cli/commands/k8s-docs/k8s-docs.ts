import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { KUBECTL_FLAG } from "../deploy/kubectl.ts";
import { readK8sDocsOptions, SOURCE_FLAGS, TARGET_FLAGS } from "./k8s-docs-options.ts";

/** `scaffold k8s-docs`: descriptions of Kubernetes' fields on this machine. */
export const k8sDocsCommand: Command = defineCommand({
  path: ["k8s-docs"],
  summary: "Add descriptions of Kubernetes' fields to explain, editors, and CRDs",
  description: [
    "Download the descriptions of the built-in types of Kubernetes into the user's cache, unless they are cached, and add them as comments to the types of",
    "@kubescaffold/k8s in node_modules. `scaffold explain`, and `kubectl explain` against `scaffold dev` and `scaffold apiserver`, print them.",
    "They are read from an npm package, through the registry that npm is configured for, or from the API server of a cluster.",
    "",
    "--output-file writes them to a file of the project, from which the generator option crd:descriptionsFile adds them to CRDs. With --from=go,",
    "these are the comments of Kubernetes' Go modules, as controller-gen writes them; Go downloads the modules.",
  ].join("\n"),
  examples: [
    "scaffold k8s-docs",
    "scaffold k8s-docs --from cluster --context staging",
    "scaffold k8s-docs --from go --output-file hack/k8s-docs.json",
    "scaffold k8s-docs --remove",
  ],
  flags: [...SOURCE_FLAGS, KUBECTL_FLAG, ...TARGET_FLAGS],
  parse: (flags) => readK8sDocsOptions(flags),
  run: async (options, invocation) => {
    const { runK8sDocs } = await import("./run-k8s-docs.ts");
    return runK8sDocs(options, invocation);
  },
});
