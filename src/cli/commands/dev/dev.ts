import type { Command } from "../../command.ts";

/** `scaffold dev`: the manager against an embedded API server, restarted on change. */
export const devCommand: Command = {
  path: ["dev"],
  summary: "Run the manager against an embedded API server, and again on every change",
  description: [
    "Start an API server inside this process, over TLS and with RBAC enforced, install the project's CRDs, roles and webhook configurations,",
    "and run cmd/main.ts as the service account of the manager. Deployments get simulated Pods that become ready.",
    "A change below api, internal or cmd writes the manifests, installs them and restarts the manager.",
  ].join("\n"),
  examples: ["scaffold dev", "KUBECONFIG=.kubescaffold/dev/kubeconfig kubectl apply -k config/samples"],
  flags: [
    { name: "port", kind: "string", help: "port of the API server on 127.0.0.1; 0 takes a free one", default: "0" },
    {
      name: "workloads",
      kind: "boolean",
      help: "simulate Pods, so that Deployments become available",
      default: "true",
    },
    { name: "watch", kind: "boolean", help: "restart the manager when a source changes", default: "true" },
  ],
  run: async (invocation) => {
    const { runDev } = await import("./run-dev.ts");
    return runDev(invocation);
  },
};
