import { type Quantity, quantityToNumber } from "@kubescaffold/k8s";
import type { HorizontalPodAutoscaler, MetricStatus } from "@kubescaffold/k8s/autoscaling/v2";

import { type MetricProposal, type ProposalInput, proposeReplicas } from "./metric-proposals.ts";
import type { Tolerances } from "./replica-count.ts";

const TOLERANCE = 0.1;

/** What all metrics of an autoscaler propose together. */
export interface CombinedMetrics {
  /** The largest proposal; absent if too much is unknown. */
  readonly replicas: number | undefined;
  /** The metric of the largest proposal. */
  readonly name: string;
  readonly statuses: readonly MetricStatus[];
  readonly failures: readonly Extract<MetricProposal, { readonly kind: "failed" }>[];
  /** The condition ScalingActive. */
  readonly verdict: { readonly status: "True" | "False"; readonly reason: string; readonly message: string };
  /** How many metrics failed, and why the first one did. */
  readonly message: string;
}

/** Returns the largest proposal of the metrics of an autoscaler. With a metric that fails, the target is not scaled down. */
export function combineMetrics(
  { spec }: HorizontalPodAutoscaler,
  input: Omit<ProposalInput, "tolerances">,
): CombinedMetrics {
  const { metrics = [], behavior } = spec ?? {};
  const tolerances: Tolerances = {
    up: toleranceOf(behavior?.scaleUp?.tolerance),
    down: toleranceOf(behavior?.scaleDown?.tolerance),
  };
  const proposals = metrics.map((metric) => proposeReplicas({ ...input, tolerances }, metric));
  const failures = proposals.filter((each) => each.kind === "failed");
  const proposed = proposals.filter((each) => each.kind === "proposed");
  // As in kube-controller-manager, a later proposal replaces one of zero.
  const largest = proposed.reduce<(typeof proposed)[number] | undefined>(
    (former, each) =>
      former === undefined || former.replicas === 0 || each.replicas > former.replicas ? each : former,
    undefined,
  );
  const [first] = failures;
  const isUnsafe = first !== undefined && (largest === undefined || largest.replicas < input.currentReplicas);
  return {
    replicas: isUnsafe || largest === undefined ? undefined : largest.replicas,
    name: largest?.name ?? "",
    statuses: proposals.map((each) => (each.kind === "proposed" ? each.status : { type: "" })),
    failures,
    verdict: isUnsafe
      ? {
          status: "False",
          reason: first.reason,
          message: `the HPA was unable to compute the replica count: ${first.message}`,
        }
      : {
          status: "True",
          reason: "ValidMetricFound",
          message: `the HPA was able to successfully calculate a replica count from ${largest?.name ?? ""}`,
        },
    message: `invalid metrics (${String(failures.length)} invalid out of ${String(metrics.length)}), first error is: ${first?.summary ?? ""}`,
  };
}

function toleranceOf(tolerance: Quantity | undefined): number {
  return tolerance === undefined ? TOLERANCE : quantityToNumber(tolerance);
}
