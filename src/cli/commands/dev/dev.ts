import type { Command } from "../../command.ts";
import { GENERATOR_OPTIONS_FLAG } from "../../generating/generating-flags.ts";

/** `scaffold dev`: the manager against an embedded API server, restarted on change. */
export const devCommand: Command = {
  path: ["dev"],
  summary: "Run the manager against an embedded API server, with live reload",
  description: [
    "Start an API server in this process, with TLS and RBAC, install the project's CRDs, roles, and webhook configurations,",
    "and run cmd/main.ts as the service account of the manager. Deployments and Jobs get simulated Pods.",
    "A change in api, internal, or cmd regenerates the manifests, installs them, and restarts the manager.",
  ].join("\n"),
  examples: ["scaffold dev", "KUBECONFIG=.kubescaffold/dev/kubeconfig kubectl apply -k config/samples"],
  flags: [
    { name: "port", kind: "string", help: "port of the API server on 127.0.0.1; 0 picks a free port", default: "0" },
    {
      name: "workloads",
      kind: "boolean",
      help: "simulate Pods, so that Deployments become available and Jobs complete",
      default: "true",
    },
    { name: "watch", kind: "boolean", help: "restart the manager when a source changes", default: "true" },
    GENERATOR_OPTIONS_FLAG,
  ],
  run: async (invocation) => {
    const { runDev } = await import("./run-dev.ts");
    return runDev(invocation);
  },
};
