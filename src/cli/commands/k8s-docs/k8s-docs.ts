import type { Command } from "../../command/command.ts";
import { KUBECTL_FLAG } from "../deploy/kubectl.ts";

/** `scaffold k8s-docs`: descriptions of Kubernetes' fields on this machine. */
export const k8sDocsCommand: Command = {
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
  flags: [
    {
      name: "from",
      kind: "string",
      help: "source of the descriptions",
      default: "package, or cluster with --kubeconfig or --context",
      values: ["package", "cluster", "go"],
    },
    {
      name: "kubeconfig",
      kind: "string",
      isPath: true,
      help: "kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)",
    },
    { name: "context", kind: "string", help: "context of the kubeconfig (default: the current context)" },
    KUBECTL_FLAG,
    { name: "refresh", kind: "boolean", help: "read the source even if descriptions are cached", default: "false" },
    { name: "offline", kind: "boolean", help: "use cached descriptions only", default: "false" },
    { name: "types", kind: "boolean", help: "add the descriptions to the types in node_modules", default: "true" },
    {
      name: "output-file",
      kind: "string",
      isPath: true,
      help: "file of the project for the descriptions, for crd:descriptionsFile",
    },
    {
      name: "remove",
      kind: "boolean",
      help: "remove the descriptions from the types in node_modules",
      default: "false",
    },
    { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
  ],
  run: async (invocation) => {
    const { runK8sDocs } = await import("./run-k8s-docs.ts");
    return runK8sDocs(invocation);
  },
};
