import path from "node:path";

import { dns1123LabelErrors, parseLabelSelector, SelectorError } from "@kubescaffold/k8s";

import { shellWord } from "../../project/shell-word.ts";
import { InvalidFlagError } from "../command/errors.ts";

/** The flags that select a cluster. */
export const CLUSTER_FLAGS = [
  {
    name: "kubeconfig",
    kind: "string",
    isPath: true,
    help: "kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)",
  },
  { name: "context", kind: "string", help: "context of the kubeconfig (default: the current context)" },
] as const;

/** The flags that select a cluster of a command that needs none: it reads the CRDs of the project's kinds. */
export const STATE_FLAGS = [
  {
    name: "kubeconfig",
    kind: "string",
    isPath: true,
    help: "read the versions of CRDs from the cluster of this kubeconfig",
  },
  { name: "context", kind: "string", help: "read the versions of CRDs from the cluster of this context" },
] as const;

/** The cluster that flags select. */
export interface SelectedCluster {
  readonly kubeconfig?: string;
  readonly context?: string;
}

interface ClusterFlags {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Returns the cluster that flags select; what they omit is the default. */
export function clusterOf({ kubeconfig, context }: ClusterFlags, cwd: string): SelectedCluster {
  return {
    ...(kubeconfig === undefined ? {} : { kubeconfig: path.resolve(cwd, kubeconfig) }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Returns the cluster that flags select; undefined without such a flag, for commands that need no cluster. */
export function clusterIfSelected(flags: ClusterFlags, cwd: string): SelectedCluster | undefined {
  return flags.kubeconfig === undefined && flags.context === undefined ? undefined : clusterOf(flags, cwd);
}

/** Returns the flags that select a cluster, as text after a command. */
export function clusterWords({ kubeconfig, context }: ClusterFlags): string {
  return [
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", shellWord(kubeconfig)]),
    ...(context === undefined ? [] : ["--context", shellWord(context)]),
  ]
    .map((word) => ` ${word}`)
    .join("");
}

/** Checks the namespace that a flag names. Fails: {@link InvalidFlagError}. */
export function namespaceOf(namespace: string, flag: string): string {
  if (dns1123LabelErrors(namespace).length === 0) return namespace;
  throw new InvalidFlagError(`cannot use --${flag} ${namespace}: it is not a DNS label`, {
    hint: "use at most 63 lower-case letters, digits, and dashes, starting and ending with a letter or digit",
  });
}

/** Checks the label selector of a flag. Fails: {@link InvalidFlagError}. */
export function selectorOf(selector: string, flag: string): string {
  try {
    parseLabelSelector(selector);
    return selector;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new InvalidFlagError(`cannot use --${flag} ${selector}: ${error.message}`, {
      hint: "write labels such as app=web,tier in (a,b)",
      cause: error,
    });
  }
}
