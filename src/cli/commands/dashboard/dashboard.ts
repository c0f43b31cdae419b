import path from "node:path";

import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { portOf } from "../../flags/port-flag.ts";
import type { DashboardOptions } from "./run-dashboard.ts";

/** `scaffold dashboard`: the page of `scaffold dev` for a manager that runs in a cluster. */
export const dashboardCommand: Command = defineCommand({
  path: ["dashboard"],
  summary: "Show a manager that runs in a cluster on a web page, read-only",
  description: [
    "Serve the dashboard of `scaffold dev` on 127.0.0.1 for the operator of this project in a cluster, until it is interrupted: its replicas and leader,",
    "controllers and webhooks by their metrics, the objects of the project's kinds and what they own, Events, logs, and permissions.",
    "Metrics are read through a port-forward, with a short-lived token of the manager's service account. The page changes nothing in the cluster.",
  ].join("\n"),
  usage: "[flags]",
  examples: [
    "scaffold dashboard",
    "scaffold dashboard --kubeconfig ~/.kube/config --context staging",
    "scaffold dashboard --namespace operators --selector app.kubernetes.io/instance=guestbook",
    "scaffold dashboard --watch-namespace team-a --watch-namespace team-b",
  ],
  flags: [
    {
      name: "kubeconfig",
      kind: "string",
      isPath: true,
      help: "kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)",
    },
    { name: "context", kind: "string", help: "context of the kubeconfig (default: the current context)" },
    { name: "namespace", kind: "string", help: "namespace of the manager (default: that of config/default)" },
    {
      name: "selector",
      kind: "string",
      help: "labels of the manager's Pods (default: those of config/manager)",
    },
    {
      name: "watch-namespace",
      kind: "list",
      help: "namespace whose objects are shown; may be repeated (default: all)",
    },
    {
      name: "metrics-token",
      kind: "string",
      help: "token that reads the metrics; kubeconfig sends yours to the Pod",
      default: "manager",
      values: ["manager", "kubeconfig"],
    },
    { name: "port", kind: "string", help: "port of the page on 127.0.0.1; 0 picks a free port", default: "0" },
    { name: "open", kind: "boolean", help: "open the page in a browser, at a terminal", default: "true" },
  ],
  parse: async (
    { port = "0", open = true, namespace, selector, kubeconfig, context, ...flags },
    { cwd },
  ): Promise<DashboardOptions> => {
    const { namespaceOf, selectorOf } = await import("../../flags/cluster-flags.ts");
    return {
      port: portOf(port, "port"),
      opens: open,
      // A wrong name would be one of which there are no objects.
      cluster: {
        ...(kubeconfig === undefined ? {} : { kubeconfig: path.resolve(cwd, kubeconfig) }),
        ...(context === undefined ? {} : { context }),
        ...(namespace === undefined ? {} : { namespace: namespaceOf(namespace, "namespace") }),
        ...(selector === undefined ? {} : { selector: selectorOf(selector, "selector") }),
        watchNamespaces: flags["watch-namespace"].map((each) => namespaceOf(each, "watch-namespace")),
        metricsToken: flags["metrics-token"] ?? "manager",
      },
    };
  },
  run: async (options, invocation) => {
    const { runDashboard } = await import("./run-dashboard.ts");
    return runDashboard(options, invocation);
  },
});
