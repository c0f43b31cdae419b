import type { KubernetesMinor } from "@kubescaffold/k8s";

import type { Invocation } from "../../command/command.ts";
import type { FlagsOf } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { namespaceOf } from "../../flags/cluster-flags.ts";
import { KUBERNETES_FLAG, minorOf } from "../../flags/kubernetes-flag.ts";
import { portOf } from "../../flags/port-flag.ts";
import type { OptionChanges } from "../../generating/generator-options.ts";

/** The flags of `scaffold dev`, but for those of the generators. */
export const DEV_FLAGS = [
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
  {
    name: "kubernetes",
    kind: "string",
    help: "minor version of Kubernetes of the API server, such as 1.36 (default: that of the project)",
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
] as const;

type DevFlags = FlagsOf<typeof DEV_FLAGS>;

/** What `scaffold dev` runs, and where. */
export interface DevOptions {
  /** The minor version of Kubernetes of the embedded cluster; that of the variable or of the project unless given. */
  readonly kubernetes: KubernetesMinor | undefined;
  readonly port: number;
  readonly simulatesPods: boolean;
  /** Whether the objects of the cluster are there in the next run, too. */
  readonly keepsObjects: boolean;
  readonly watches: boolean;
  /** `terminal` where a user reads and types, `plain` for scripts and files. */
  readonly output: "terminal" | "plain" | "json";
  readonly isVerbose: boolean;
  readonly checksTypes: boolean;
  /** The port of the manager's inspector. */
  readonly inspectPort: number | undefined;
  readonly namespace: string | undefined;
  /** The cluster of `--kubeconfig`; the embedded one without it. */
  readonly target: ClusterTarget | undefined;
  /** The port of the dashboard; undefined without one. */
  readonly dashboardPort: number | undefined;
  /** The arguments after `--`, which are the manager's. */
  readonly managerArguments: readonly string[];
  /** Changes of the options of generators in PROJECT. */
  readonly generatorOptions: OptionChanges;
}

/** A cluster to run the manager against. */
export interface ClusterTarget {
  readonly kubeconfig: string;
  readonly context: string | undefined;
  readonly webhookUrl: string | undefined;
  /** Whether objects may be installed without a question. */
  readonly isConfirmed: boolean;
  /** Whether the webhook configurations are deleted at the end. */
  readonly cleansUp: boolean;
}

/** Reads the flags. Fails: {@link InvalidFlagError}. */
export function readDevOptions(
  flags: DevFlags,
  { words, terminal, printsJson }: Pick<Invocation, "words" | "terminal" | "printsJson">,
): Omit<DevOptions, "generatorOptions"> {
  const output = printsJson ? "json" : terminal.isInteractive ? "terminal" : "plain";
  const { port = "0", inspect, namespace, dashboard = true } = flags;
  return {
    kubernetes: flags.kubernetes === undefined ? undefined : minorOf(flags.kubernetes, terminal),
    port: portOf(port, "port"),
    simulatesPods: flags.simulate !== false,
    keepsObjects: flags.keep === true,
    watches: flags.watch !== false,
    output,
    isVerbose: flags.verbose === true,
    checksTypes: output !== "plain" && flags["type-check"] !== false,
    inspectPort: inspect === undefined ? undefined : portOf(inspect, "inspect"),
    namespace: namespace === undefined ? undefined : namespaceOf(namespace, "namespace"),
    target: targetOf(flags),
    dashboardPort: dashboard ? portOf(flags["dashboard-port"] ?? "0", "dashboard-port") : undefined,
    managerArguments: words,
  };
}

const ONLY_WITH_KUBECONFIG = ["context", "webhook-url", "yes", "clean-up"] as const;

function targetOf(flags: DevFlags): ClusterTarget | undefined {
  const { kubeconfig, context, port = "0" } = flags;
  if (kubeconfig === undefined) {
    const useless = ONLY_WITH_KUBECONFIG.find((name) => flags[name] !== undefined && flags[name] !== false);
    if (useless === undefined) return undefined;
    throw new InvalidFlagError(`cannot use --${useless} without --kubeconfig: the embedded cluster does not need it`, {
      hint: "pass --kubeconfig with the kubeconfig of a cluster, or omit the flag",
    });
  }
  const embedded = [
    ...(flags.keep === true ? ["keep"] : []),
    ...(flags.simulate === false ? ["simulate"] : []),
    ...(port === "0" ? [] : ["port"]),
    ...(flags.kubernetes === undefined ? [] : [KUBERNETES_FLAG]),
  ];
  if (embedded.length > 0) {
    throw new InvalidFlagError(`cannot use --${embedded[0] ?? ""} with --kubeconfig: it is for the embedded cluster`, {
      hint: "omit one of the flags",
    });
  }
  return {
    kubeconfig,
    context,
    webhookUrl: flags["webhook-url"],
    isConfirmed: flags.yes === true,
    cleansUp: flags["clean-up"] === true,
  };
}
