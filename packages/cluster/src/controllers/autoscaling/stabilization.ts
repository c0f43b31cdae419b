import type { HPAScalingPolicy, HPAScalingRules } from "@kubescaffold/k8s/autoscaling/v2";

const DOWNSCALE_WINDOW_SECONDS = 300;
const LEAST_SCALE_UP = 4;

/** What an autoscaler remembers from one look to the next. Times are milliseconds since 1970. */
export interface ScalingMemory {
  /** Cancels its next look at its target. */
  cancel: () => void;
  recommendations: readonly { readonly replicas: number; readonly at: number }[];
  increases: readonly ScaleEvent[];
  decreases: readonly ScaleEvent[];
}

interface ScaleEvent {
  /** By how many replicas the target was scaled; positive. */
  readonly change: number;
  readonly at: number;
}

/** Bounds of an autoscaler, and what it would do without them. */
export interface ScalingRequest {
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly behavior: { readonly scaleUp?: HPAScalingRules; readonly scaleDown?: HPAScalingRules } | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Why a number of replicas is what it is. */
interface ScalingVerdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The number of replicas within the bounds, and the conditions AbleToScale and ScalingLimited that explain it. */
export interface BoundedScaling {
  readonly replicas: number;
  readonly ableToScale: ScalingVerdict;
  readonly scalingLimited: ScalingVerdict;
}

/** Keeps a number of replicas within the windows, rates, and bounds of an autoscaler, and remembers it. */
export function boundScaling(memory: ScalingMemory, request: ScalingRequest): BoundedScaling {
  const stabilized = stabilize(memory, request);
  const isStable = stabilized === request.desiredReplicas;
  const limited = limit(memory, request, stabilized);
  return {
    replicas: limited.replicas,
    ableToScale: isStable ? READY : stabilizedVerdict(request),
    scalingLimited: { ...limited.verdict, status: limited.replicas === stabilized ? "False" : "True" },
  };
}

/** Remembers that the target was scaled; rates of later changes count it. */
export function rememberScaling(
  memory: ScalingMemory,
  { behavior, currentReplicas, now }: ScalingRequest,
  replicas: number,
): void {
  if (behavior === undefined) return;
  const event = { change: Math.abs(replicas - currentReplicas), at: now };
  if (replicas > currentReplicas) memory.increases = [...recent(memory.increases, behavior.scaleUp, now), event];
  else memory.decreases = [...recent(memory.decreases, behavior.scaleDown, now), event];
}

function recent(events: readonly ScaleEvent[], rules: HPAScalingRules | undefined, now: number): readonly ScaleEvent[] {
  const longestSeconds = Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds));
  return events.filter(({ at }) => at >= now - longestSeconds * 1000);
}

const READY: ScalingVerdict = {
  status: "True",
  reason: "ReadyForNewScale",
  message: "recommended size matches current size",
};

function stabilizedVerdict({ behavior, desiredReplicas, currentReplicas }: ScalingRequest): ScalingVerdict {
  return behavior !== undefined && desiredReplicas >= currentReplicas
    ? {
        status: "True",
        reason: "ScaleUpStabilized",
        message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
      }
    : {
        status: "True",
        reason: "ScaleDownStabilized",
        message: "recent recommendations were higher than current one, applying the highest recent recommendation",
      };
}

// Without a behavior, only decreases wait.
function stabilize(memory: ScalingMemory, { behavior, currentReplicas, desiredReplicas, now }: ScalingRequest): number {
  const upSeconds = behavior?.scaleUp?.stabilizationWindowSeconds ?? 0;
  const downSeconds = behavior?.scaleDown?.stabilizationWindowSeconds ?? DOWNSCALE_WINDOW_SECONDS;
  const within = (seconds: number): readonly number[] =>
    memory.recommendations
      .filter(({ at }) => (behavior === undefined ? at >= now - seconds * 1000 : at > now - seconds * 1000))
      .map(({ replicas }) => replicas);
  const highest = Math.max(desiredReplicas, ...within(downSeconds));
  const lowest = Math.min(desiredReplicas, ...within(upSeconds));
  const longestSeconds = behavior === undefined ? downSeconds : Math.max(upSeconds, downSeconds);
  memory.recommendations = [
    ...memory.recommendations.filter(({ at }) => at >= now - longestSeconds * 1000),
    { replicas: desiredReplicas, at: now },
  ];
  if (behavior === undefined) return highest;
  return Math.min(Math.max(currentReplicas, lowest), highest);
}

interface Limit {
  readonly replicas: number;
  readonly verdict: Omit<ScalingVerdict, "status">;
}

const WITHIN_RANGE = {
  reason: "DesiredWithinRange",
  message: "the desired count is within the acceptable range",
} as const;
const TOO_FAST = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
} as const;
const TOO_MANY = {
  reason: "TooManyReplicas",
  message: "the desired replica count is more than the maximum replica count",
} as const;
const TOO_FAST_DOWN = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
} as const;
const TOO_FEW = {
  reason: "TooFewReplicas",
  message: "the desired replica count is less than the minimum replica count",
} as const;

function limit(memory: ScalingMemory, request: ScalingRequest, wanted: number): Limit {
  const { behavior, currentReplicas, minReplicas, maxReplicas } = request;
  if (behavior === undefined) {
    if (wanted < minReplicas) return { replicas: minReplicas, verdict: TOO_FEW };
    return atMost(wanted, Math.max(2 * currentReplicas, LEAST_SCALE_UP), maxReplicas);
  }
  if (wanted > currentReplicas) {
    const rate = rateLimit(memory, request, "scaleUp");
    return atMost(wanted, Math.max(currentReplicas, rate), maxReplicas);
  }
  if (wanted < currentReplicas) {
    const rate = Math.min(currentReplicas, rateLimit(memory, request, "scaleDown"));
    const least = Math.max(minReplicas, rate);
    if (wanted < least) return { replicas: least, verdict: rate > minReplicas ? TOO_FAST_DOWN : TOO_FEW };
  }
  return { replicas: wanted, verdict: WITHIN_RANGE };
}

function atMost(wanted: number, rate: number, maxReplicas: number): Limit {
  const most = Math.min(rate, maxReplicas);
  if (wanted <= most) return { replicas: wanted, verdict: WITHIN_RANGE };
  return { replicas: most, verdict: maxReplicas > rate ? TOO_FAST : TOO_MANY };
}

// The number of replicas that the policies of a direction allow now.
function rateLimit(
  memory: ScalingMemory,
  { behavior, currentReplicas, now }: ScalingRequest,
  direction: "scaleUp" | "scaleDown",
): number {
  const { selectPolicy, policies = [] } = behavior?.[direction] ?? {};
  if (selectPolicy === "Disabled") return currentReplicas;
  const proposals = policies.map((policy) => {
    const since = now - policy.periodSeconds * 1000;
    const start = currentReplicas - changesSince(memory.increases, since) + changesSince(memory.decreases, since);
    return direction === "scaleUp" ? increased(start, policy) : decreased(start, policy);
  });
  const isLargest = (direction === "scaleUp") !== (selectPolicy === "Min");
  return isLargest ? Math.max(...proposals) : Math.min(...proposals);
}

function increased(start: number, { type, value }: HPAScalingPolicy): number {
  return type === "Pods" ? start + value : Math.ceil(start * (1 + value / 100));
}

function decreased(start: number, { type, value }: HPAScalingPolicy): number {
  return type === "Pods" ? start - value : Math.trunc(start * (1 - value / 100));
}

function changesSince(events: readonly ScaleEvent[], since: number): number {
  return events.filter(({ at }) => at > since).reduce((sum, { change }) => sum + change, 0);
}
