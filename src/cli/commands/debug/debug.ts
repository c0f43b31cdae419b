import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { portOf } from "../../flags/port-flag.ts";
import { KUBECTL_FLAG, kubectlOf } from "../deploy/kubectl.ts";
import type { DebugOptions } from "./run-debug.ts";

/** `scaffold debug`: a debugger into the manager in the cluster. */
export const debugCommand: Command = defineCommand({
  path: ["debug"],
  summary: "Attach a debugger to the manager in the cluster",
  description: [
    "Open the Node.js inspector in the manager's Pod without a restart, and forward a local port to it until Ctrl-C. The inspector stays open,",
    "reachable only through kubectl, until the Pod is replaced. The image has the project's sources at the same relative paths, below /.",
    "",
    "A manager paused at a breakpoint fails its probes and loses its lease; its Pod is restarted after about a minute.",
  ].join("\n"),
  examples: ["scaffold debug", "scaffold debug --pod pod/guestbook-controller-manager-7d4f --port 9300"],
  flags: [
    {
      name: "namespace",
      kind: "string",
      help: "namespace of the manager",
      default: "$NAMESPACE, or <project>-system",
    },
    {
      name: "pod",
      kind: "string",
      help: "Pod of the manager, if several run",
      default: "$POD, or the running Pod",
    },
    { name: "port", kind: "string", help: "local port", default: "$PORT, or 9229" },
    KUBECTL_FLAG,
  ],
  parse: ({ namespace, pod, port, kubectl }): DebugOptions => ({
    namespace: namespace ?? (process.env["NAMESPACE"] || undefined),
    pod: pod ?? (process.env["POD"] || undefined),
    port: portOf(port ?? (process.env["PORT"] || "9229"), "port"),
    kubectl: kubectlOf(kubectl),
  }),
  run: async (options, invocation) => {
    const { runDebug } = await import("./run-debug.ts");
    return runDebug(options, invocation);
  },
});
