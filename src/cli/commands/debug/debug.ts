import type { Command } from "../../command.ts";
import { KUBECTL_FLAG } from "../deploy/kubectl.ts";

/** `scaffold debug`: a debugger into the manager in the cluster. */
export const debugCommand: Command = {
  path: ["debug"],
  summary: "Connect a debugger to the manager in the cluster",
  description: [
    "Open Node's inspector in the manager's Pod without restarting it, and forward a port of this machine to it until Ctrl+C. The inspector stays open,",
    "reachable through kubectl alone, until the Pod is replaced. The sources of the image are below / as those of the project are here.",
    "",
    "A manager that is paused at a breakpoint fails its probes and loses its lease: after about a minute its Pod is restarted.",
  ].join("\n"),
  examples: ["scaffold debug", "scaffold debug --pod pod/guestbook-controller-manager-7d4f --port 9300"],
  flags: [
    {
      name: "namespace",
      kind: "string",
      help: "namespace of the manager",
      default: "$NAMESPACE, or the project's name with -system",
    },
    {
      name: "pod",
      kind: "string",
      help: "Pod of the manager, where several run",
      default: "$POD, or the one that runs",
    },
    { name: "port", kind: "string", help: "port of this machine", default: "$PORT, or 9229" },
    KUBECTL_FLAG,
  ],
  run: async (invocation) => {
    const { runDebug } = await import("./run-debug.ts");
    return runDebug(invocation);
  },
};
