import type { Command } from "../../command/command.ts";

/** `scaffold dashboard`: the page of `scaffold dev` for a manager that runs in a cluster. */
export const dashboardCommand: Command = {
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
  run: async (invocation) => {
    const { runDashboard } = await import("./run-dashboard.ts");
    return runDashboard(invocation);
  },
};
