import type { Command } from "../../command/command.ts";
import { GENERATOR_OPTIONS_FLAG } from "../../generating/generating-flags.ts";

/** `scaffold dev`: the manager against an embedded API server, restarted on change. */
export const devCommand: Command = {
  path: ["dev"],
  summary: "Run the manager against an embedded API server, with live reload",
  usage: "[flags] [-- manager flags]",
  takesProgramWords: true,
  description: [
    "Start an API server in this process, with TLS and RBAC, install the project's CRDs, roles, and webhook configurations,",
    "and run cmd/main.ts as the service account of the manager. Deployments and Jobs get simulated Pods.",
    "With --kubeconfig, the manager runs against an existing cluster instead, as the user of the kubeconfig: the CRDs are installed after a question.",
    "A change in api, internal, or cmd regenerates the manifests, installs them, and restarts the manager.",
    "Words after `--` are flags of the manager: `scaffold dev -- --help` lists them.",
  ].join("\n"),
  examples: [
    "scaffold dev",
    "scaffold dev --keep",
    "scaffold dev --inspect",
    "scaffold dev -- --leader-elect",
    "scaffold dev --kubeconfig ~/.kube/config --context kind-test --webhook-url https://guestbook.tunnel.example.com",
    "KUBECONFIG=.kubescaffold/dev/kubeconfig kubectl apply -k config/samples",
  ],
  flags: [
    {
      name: "kubeconfig",
      kind: "string",
      isPath: true,
      help: "kubeconfig of a cluster to use instead of the embedded one",
    },
    { name: "context", kind: "string", help: "context of the kubeconfig (default: the current context)" },
    {
      name: "webhook-url",
      kind: "string",
      help: "address at which the cluster reaches the webhooks of this machine, such as a tunnel; without it, webhooks are not installed",
    },
    { name: "yes", kind: "boolean", help: "install in the cluster without prompting", default: "false" },
    {
      name: "clean-up",
      kind: "boolean",
      help: "delete the webhook configurations from the cluster at the end",
      default: "false",
    },
    { name: "port", kind: "string", help: "port of the API server on 127.0.0.1; 0 picks a free port", default: "0" },
    {
      name: "simulate",
      kind: "boolean",
      help: "simulate Pods, so that Deployments become available and Jobs complete",
      default: "true",
    },
    {
      name: "keep",
      kind: "boolean",
      help: "keep the objects of the cluster for the next run",
      default: "false",
    },
    { name: "watch", kind: "boolean", help: "restart the manager when a source changes", default: "true" },
    {
      name: "inspect",
      kind: "string",
      impliedValue: "9229",
      help: "port of 127.0.0.1 on which the manager accepts debuggers; 0 picks a free port",
    },
    {
      name: "namespace",
      kind: "string",
      help: "namespace of the operator, the only one that it watches; only for projects with namespaced: true",
    },
    {
      name: "dashboard",
      kind: "boolean",
      help: "serve a page that shows the cluster and the manager",
      default: "true",
    },
    {
      name: "dashboard-port",
      kind: "string",
      help: "port of the dashboard on 127.0.0.1; 0 picks a free port",
      default: "0",
    },
    {
      name: "type-check",
      kind: "boolean",
      help: "check types after each change, on a terminal and with --output json",
      default: "true",
    },
    {
      name: "output",
      kind: "string",
      help: "output format; json prints one event per line",
      default: "text",
      values: ["text", "json"],
    },
    {
      name: "verbose",
      kind: "boolean",
      help: "print all fields of log lines, and the frames of libraries",
      default: "false",
    },
    GENERATOR_OPTIONS_FLAG,
  ],
  run: async (invocation) => {
    const { runDev } = await import("./run-dev.ts");
    return runDev(invocation);
  },
};
