import { matchesLabelSelector, ScaffoldError } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { parseGoDuration } from "@kubescaffold/platform";

/** On a Pod: makes it fail in a way that tests want to see. */
export const SIMULATE_ANNOTATION = "kubescaffold.dev/simulate";

/** How a simulated Pod fails; the duration of `slow-start` is that of Kubernetes, such as `30s` or `1m30s`. */
export type PodFault =
  | "crash-loop"
  | "evicted"
  | "image-pull-error"
  | "manual"
  | "never-ready"
  | "oom"
  | `slow-start=${string}`;

/** A fault as the simulation reads it. */
export type SimulatedFault =
  | { readonly kind: "crash-loop" | "evicted" | "image-pull-error" | "manual" | "never-ready" | "oom" }
  | { readonly kind: "slow-start"; readonly delayMs: number }
  | { readonly kind: "unknown"; readonly text: string };

/** Selects Pods; what is absent selects all. */
export interface PodMatch {
  /** The namespace of the Pods. */
  readonly namespace?: string;
  /** The name of the Pod. */
  readonly name?: string;
  /** Labels that the Pods have. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The faults of simulated Pods. */
export interface SimulatedPods {
  /**
   * Lets Pods fail that match and have not started yet; the annotation `kubescaffold.dev/simulate` of a Pod precedes it, and later calls precede earlier ones.
   * `times` limits the number of Pods. Returns a function that ends it for Pods that have not started.
   *
   * Fails: `PodFaultError` for an unknown fault.
   *
   * @example
   * cluster.pods.simulate({ labels: { "batch.kubernetes.io/job-name": "migrate" } }, "crash-loop", { times: 2 });
   */
  simulate(match: PodMatch, fault: PodFault, options?: { readonly times?: number }): () => void;
}

const KINDS = ["crash-loop", "evicted", "image-pull-error", "manual", "never-ready", "oom"] as const;

// Names of earlier versions.
const OLD_NAMES: Readonly<Record<string, string>> = { CrashLoopBackOff: "crash-loop", NeverReady: "never-ready" };

/** The values of the annotation, for messages. */
export const FAULT_NAMES: string = [...KINDS, "slow-start=<duration>"].join(", ");

/** Reads the name of a fault. */
function readFault(text: string): SimulatedFault {
  const name = OLD_NAMES[text] ?? text;
  const kind = KINDS.find((each) => each === name);
  if (kind !== undefined) return { kind };
  const delayMs = name.startsWith("slow-start=") ? parseGoDuration(name.slice("slow-start=".length)) : undefined;
  return delayMs === undefined ? { kind: "unknown", text } : { kind: "slow-start", delayMs };
}

interface FaultRule {
  readonly match: PodMatch;
  readonly fault: SimulatedFault;
  left: number;
}

/** Decides which Pods fail. */
export class PodFaults implements SimulatedPods {
  readonly #rules: FaultRule[] = [];
  // By the uid of the Pod, which keeps its fault.
  readonly #chosen = new Map<string, SimulatedFault | undefined>();

  simulate(
    match: PodMatch,
    fault: PodFault,
    { times = Number.POSITIVE_INFINITY }: { readonly times?: number } = {},
  ): () => void {
    const read = readFault(fault);
    if (read.kind === "unknown") throw new PodFaultError(fault);
    const rule: FaultRule = { match, fault: read, left: times };
    this.#rules.unshift(rule);
    return () => {
      rule.left = 0;
    };
  }

  /** Returns the fault of a Pod. */
  faultOf(pod: Pod): SimulatedFault | undefined {
    const annotation = pod.metadata.annotations?.[SIMULATE_ANNOTATION];
    if (annotation !== undefined) return readFault(annotation);
    const { uid = "" } = pod.metadata;
    if (this.#chosen.has(uid)) return this.#chosen.get(uid);
    const rule = this.#rules.find(({ match, left }) => left > 0 && matches(match, pod));
    if (rule !== undefined) rule.left -= 1;
    if (this.#rules.length > 0) this.#chosen.set(uid, rule?.fault);
    return rule?.fault;
  }

  forget(uid: string): void {
    this.#chosen.delete(uid);
  }
}

function matches({ namespace, name, labels }: PodMatch, { metadata }: Pod): boolean {
  if (namespace !== undefined && namespace !== metadata.namespace) return false;
  if (name !== undefined && name !== metadata.name) return false;
  return labels === undefined || matchesLabelSelector({ matchLabels: { ...labels } }, metadata.labels);
}

/**
 * Thrown when a test simulates a fault of Pods that does not exist.
 *
 * Fix: Use one of the faults in the message.
 */
export class PodFaultError extends ScaffoldError {
  readonly code = "APISERVER_UNKNOWN_FAULT";

  constructor(fault: string) {
    super(`cannot simulate "${fault}"`, { hint: `use one of ${FAULT_NAMES}` });
  }
}
