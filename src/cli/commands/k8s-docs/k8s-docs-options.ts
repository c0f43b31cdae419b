import type { FlagsOf } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import type { Program } from "../../programs/run-program.ts";
import { type KUBECTL_FLAG, kubectlOf } from "../deploy/kubectl.ts";

/** The flags that name the source of the descriptions. */
export const SOURCE_FLAGS = [
  {
    name: "from",
    kind: "string",
    help: "source of the descriptions",
    default: "package, or cluster with --kubeconfig or --context",
    values: ["package", "cluster", "go"],
  },
  {
    name: "kubeconfig",
    kind: "string",
    isPath: true,
    help: "kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)",
  },
  { name: "context", kind: "string", help: "context of the kubeconfig (default: the current context)" },
] as const;

/** The flags that say what the descriptions are added to. */
export const TARGET_FLAGS = [
  { name: "refresh", kind: "boolean", help: "read the source even if descriptions are cached", default: "false" },
  { name: "offline", kind: "boolean", help: "use cached descriptions only", default: "false" },
  { name: "types", kind: "boolean", help: "add the descriptions to the types in node_modules", default: "true" },
  {
    name: "output-file",
    kind: "string",
    isPath: true,
    help: "file of the project for the descriptions, for crd:descriptionsFile",
  },
  {
    name: "remove",
    kind: "boolean",
    help: "remove the descriptions from the types in node_modules",
    default: "false",
  },
  { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
] as const;

type K8sDocsFlags = FlagsOf<readonly [...typeof SOURCE_FLAGS, typeof KUBECTL_FLAG, ...typeof TARGET_FLAGS]>;

/** What the flags of `scaffold k8s-docs` ask for. */
export type K8sDocsOptions =
  | { readonly kind: "remove" }
  | { readonly kind: "go"; readonly outputFile: string }
  | DescribeOptions;

/** Where descriptions are read, and what they are added to. */
export interface DescribeOptions {
  readonly kind: "describe";
  readonly source: DescriptionSource;
  /** Whether cached descriptions are not used. */
  readonly isRefreshed: boolean;
  /** Whether only cached descriptions are used. */
  readonly isOffline: boolean;
  readonly describesTypes: boolean;
  readonly outputFile: string | undefined;
}

/** The npm package, or the API server of a cluster. */
export type DescriptionSource = { readonly kind: "package" } | ClusterSource;

/** A cluster, as kubectl reaches it. */
export interface ClusterSource {
  readonly kind: "cluster";
  readonly kubectl: Program;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

/** Reads the flags of `scaffold k8s-docs`. Fails: {@link InvalidFlagError} for flags that contradict each other, or would have no effect. */
export function readK8sDocsOptions(flags: K8sDocsFlags): K8sDocsOptions {
  if (flags.remove === true) {
    refuse(flags, UNUSED_TO_REMOVE, "with --remove");
    return { kind: "remove" };
  }
  const { offline: isOffline = false, refresh: isRefreshed = false, types: describesTypes = true } = flags;
  const outputFile = flags["output-file"];
  const source = sourceOf(flags);
  refuse(flags, UNUSED_FLAGS[source], sourceWords(flags, source));
  if (source === "go") return { kind: "go", outputFile: requireFile(outputFile) };
  if (isOffline && isRefreshed) {
    throw new InvalidFlagError("cannot refresh the descriptions offline", {
      hint: "pass only one of --refresh and --offline",
    });
  }
  const { kubeconfig, context } = flags;
  const from: DescriptionSource =
    source === "package" ? { kind: source } : { kind: source, kubectl: kubectlOf(flags.kubectl), kubeconfig, context };
  return { kind: "describe", source: from, isRefreshed, isOffline, describesTypes, outputFile };
}

type Source = "package" | "cluster" | "go";

function sourceOf({ from, kubeconfig, context }: K8sDocsFlags): Source {
  return from ?? (kubeconfig === undefined && context === undefined ? "package" : "cluster");
}

// The flag that chose the source is the one that the user knows.
function sourceWords({ from, kubeconfig }: K8sDocsFlags, source: Source): string {
  if (from !== undefined) return `with --from=${source}`;
  if (source === "package") return "without --from=cluster";
  return kubeconfig === undefined ? "with --context" : "with --kubeconfig";
}

/** Flags that would have no effect, with the reason. */
type UnusedFlags = Partial<Record<keyof K8sDocsFlags, string>>;

const NO_CLUSTER = "no cluster is read";
const NOTHING_READ = "the descriptions are removed";

const UNUSED_TO_REMOVE: UnusedFlags = Object.fromEntries(
  ["from", "kubeconfig", "context", "kubectl", "refresh", "offline", "types", "output-file"].map((name) => [
    name,
    NOTHING_READ,
  ]),
);

const UNUSED_FLAGS: Readonly<Record<Source, UnusedFlags>> = {
  package: { kubeconfig: NO_CLUSTER, context: NO_CLUSTER, kubectl: NO_CLUSTER },
  cluster: { offline: "a cluster is read each time" },
  go: {
    kubeconfig: NO_CLUSTER,
    context: NO_CLUSTER,
    kubectl: NO_CLUSTER,
    offline: "Go comments are not in the cache, only in that of Go",
    types: "Go comments are for CRDs",
  },
};

function refuse(flags: K8sDocsFlags, unused: UnusedFlags, words: string): void {
  const names = Object.keys(unused) as readonly (keyof K8sDocsFlags)[];
  const name = names.find((each) => flags[each] !== undefined);
  if (name === undefined) return;
  const reason = unused[name] ?? "";
  const flag = flags[name] === false ? `--no-${name}` : `--${name}`;
  throw new InvalidFlagError(`cannot use ${flag} ${words}: ${reason}`, { hint: `omit ${flag}` });
}

function requireFile(outputFile: string | undefined): string {
  if (outputFile !== undefined) return outputFile;
  throw new InvalidFlagError("cannot use --from=go without --output-file: Go comments are for CRDs", {
    hint: "pass --output-file=hack/k8s-docs.json, or another source",
  });
}
