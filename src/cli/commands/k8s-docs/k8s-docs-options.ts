import type { FlagValues } from "../../../plugin/flag.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";

/** What the flags of `scaffold k8s-docs` ask for. */
export type K8sDocsOptions =
  | { readonly kind: "remove" }
  | { readonly kind: "go"; readonly outputFile: string }
  | DescribeOptions;

/** Where descriptions are read, and what they are added to. */
export interface DescribeOptions {
  readonly kind: "describe";
  readonly source: "package" | "cluster";
  /** Whether cached descriptions are not used. */
  readonly isRefreshed: boolean;
  /** Whether only cached descriptions are used. */
  readonly isOffline: boolean;
  readonly describesTypes: boolean;
  readonly outputFile: string | undefined;
}

/** Reads the flags of `scaffold k8s-docs`. Fails: {@link InvalidFlagError} for flags that contradict each other, or would have no effect. */
export function readK8sDocsOptions(flags: FlagValues): K8sDocsOptions {
  if (switchFlag(flags, "remove") === true) {
    refuse(flags, UNUSED_TO_REMOVE, "with --remove");
    return { kind: "remove" };
  }
  const isOffline = switchFlag(flags, "offline") === true;
  const isRefreshed = switchFlag(flags, "refresh") === true;
  const outputFile = textFlag(flags, "output-file");
  const source = sourceOf(flags);
  refuse(flags, UNUSED_FLAGS[source], sourceWords(flags, source));
  if (source === "go") return { kind: "go", outputFile: requireFile(outputFile) };
  if (isOffline && isRefreshed) {
    throw new InvalidFlagError("cannot refresh the descriptions offline", {
      hint: "pass only one of --refresh and --offline",
    });
  }
  const describesTypes = switchFlag(flags, "types") !== false;
  return { kind: "describe", source, isRefreshed, isOffline, describesTypes, outputFile };
}

type Source = "package" | "cluster" | "go";

function sourceOf(flags: FlagValues): Source {
  const from = textFlag(flags, "from");
  if (from === "package" || from === "cluster" || from === "go") return from;
  return isGiven(flags, "kubeconfig") || isGiven(flags, "context") ? "cluster" : "package";
}

// The flag that chose the source is the one that the user knows.
function sourceWords(flags: FlagValues, source: Source): string {
  if (isGiven(flags, "from")) return `with --from=${source}`;
  if (source === "package") return "without --from=cluster";
  return isGiven(flags, "kubeconfig") ? "with --kubeconfig" : "with --context";
}

/** Flags that would have no effect, with the reason. */
type UnusedFlags = Readonly<Record<string, string>>;

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

function refuse(flags: FlagValues, unused: UnusedFlags, words: string): void {
  const found = Object.entries(unused).find(([name]) => isGiven(flags, name));
  if (found === undefined) return;
  const [name, reason] = found;
  const flag = switchFlag(flags, name) === false ? `--no-${name}` : `--${name}`;
  throw new InvalidFlagError(`cannot use ${flag} ${words}: ${reason}`, { hint: `omit ${flag}` });
}

function isGiven(flags: FlagValues, name: string): boolean {
  return textFlag(flags, name) !== undefined || switchFlag(flags, name) !== undefined;
}

function requireFile(outputFile: string | undefined): string {
  if (outputFile !== undefined) return outputFile;
  throw new InvalidFlagError("cannot use --from=go without --output-file: Go comments are for CRDs", {
    hint: "pass --output-file=hack/k8s-docs.json, or another source",
  });
}
