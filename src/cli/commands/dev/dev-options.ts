import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { namespaceOf } from "../../flags/cluster-flags.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";
import { portOf } from "../../flags/port-flag.ts";

/** The flags of `scaffold dev`. */
export interface DevOptions {
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
export function readDevOptions({ flags, words, terminal }: Invocation): DevOptions {
  const output = flags["output"] === "json" ? "json" : terminal.isInteractive ? "terminal" : "plain";
  const inspect = textFlag(flags, "inspect");
  const namespace = textFlag(flags, "namespace");
  return {
    port: portOf(textFlag(flags, "port") ?? "0", "port"),
    simulatesPods: switchFlag(flags, "simulate") !== false,
    keepsObjects: switchFlag(flags, "keep") === true,
    watches: switchFlag(flags, "watch") !== false,
    output,
    isVerbose: switchFlag(flags, "verbose") === true,
    checksTypes: output !== "plain" && switchFlag(flags, "type-check") !== false,
    inspectPort: inspect === undefined ? undefined : portOf(inspect, "inspect"),
    namespace: namespace === undefined ? undefined : namespaceOf(namespace, "namespace"),
    target: targetOf(flags),
    dashboardPort:
      switchFlag(flags, "dashboard") === false
        ? undefined
        : portOf(textFlag(flags, "dashboard-port") ?? "0", "dashboard-port"),
    managerArguments: words,
  };
}

const ONLY_WITH_KUBECONFIG = ["context", "webhook-url", "yes", "clean-up"];

function targetOf(flags: Invocation["flags"]): ClusterTarget | undefined {
  const kubeconfig = textFlag(flags, "kubeconfig");
  if (kubeconfig === undefined) {
    const useless = ONLY_WITH_KUBECONFIG.find((name) => textFlag(flags, name) !== undefined || flags[name] === true);
    if (useless === undefined) return undefined;
    throw new InvalidFlagError(`cannot use --${useless} without --kubeconfig: the embedded cluster does not need it`, {
      hint: "pass --kubeconfig with the kubeconfig of a cluster, or omit the flag",
    });
  }
  const port = textFlag(flags, "port") ?? "0";
  const embedded = [
    ...(switchFlag(flags, "keep") === true ? ["keep"] : []),
    ...(switchFlag(flags, "simulate") === false ? ["simulate"] : []),
    ...(port === "0" ? [] : ["port"]),
  ];
  if (embedded.length > 0) {
    throw new InvalidFlagError(`cannot use --${embedded[0] ?? ""} with --kubeconfig: it is for the embedded cluster`, {
      hint: "omit one of the flags",
    });
  }
  return {
    kubeconfig,
    context: textFlag(flags, "context"),
    webhookUrl: textFlag(flags, "webhook-url"),
    isConfirmed: switchFlag(flags, "yes") === true,
    cleansUp: switchFlag(flags, "clean-up") === true,
  };
}
