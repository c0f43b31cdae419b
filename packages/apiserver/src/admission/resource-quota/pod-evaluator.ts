import { qualifiedNameErrors } from "@kubescaffold/k8s";
import type {
  Container,
  Pod,
  PodAffinityTerm,
  PodSpec,
  ScopedResourceSelectorRequirement,
} from "@kubescaffold/k8s/core/v1";
import { addToList } from "@kubescaffold/platform";

import { numberOf } from "../../resources/fields.ts";
import { podAmounts } from "../limit-ranger/pod-resources.ts";
import type { Amounts } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";
import { selectsValue } from "./scope-selector.ts";

const COMPUTE = ["cpu", "memory", "ephemeral-storage"] as const;
const HUGE_PAGES = "hugepages-";
const REQUESTS = "requests.";
const DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";

const POD_NAMES: ReadonlySet<string> = new Set([
  "count/pods",
  "pods",
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

// Names that each container must state if a quota has them.
const REQUIRED: ReadonlySet<string> = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** Measures Pods: their number, requests, and limits. */
export const podEvaluator: Evaluator = {
  handles: ({ operation, subresource, object, oldObject }) => {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    if (operation === "CREATE") return true;
    return operation === "UPDATE" && hasDeadline(object as Pod) !== hasDeadline(oldObject as Pod);
  },
  matchingNames: (names) => {
    const prefixed = names.filter(
      (name) => name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS + HUGE_PAGES) || isExtended(name),
    );
    return [...names.filter((name) => POD_NAMES.has(name)).toSorted(), ...prefixed];
  },
  isInScope: (scope, object) => isInScope(scope, object),
  constraint: (names, object) => missingAmounts(names, (object as Pod).spec),
  usageOf: (object, nowMs) => usageOf(object, nowMs),
};

function isExtended(name: string): boolean {
  if (!name.startsWith(REQUESTS)) return false;
  return !isNative(name) || name.startsWith(REQUESTS + DEVICE_CLASS);
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function missingAmounts(names: readonly string[], spec: PodSpec | undefined): string | undefined {
  if (spec === undefined || hasAmountsOfPod(spec)) return undefined;
  const required = names.filter((name) => REQUIRED.has(name));
  const missing = new Map<string, string[]>();
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
    const stated = usageOfResources(container.resources ?? {});
    for (const name of required.filter((each) => stated[each] === undefined)) {
      addToList(missing, name, container.name);
    }
  }
  if (missing.size === 0) return undefined;
  const texts = [...missing]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, containers]) => `${name} for: ${containers.toSorted().join(",")}`);
  return `must specify ${texts.join("; ")}`;
}

function hasAmountsOfPod({ resources = {} }: PodSpec): boolean {
  return [...Object.keys(resources.requests ?? {}), ...Object.keys(resources.limits ?? {})].some(
    (name) => name === "cpu" || name === "memory" || name.startsWith(HUGE_PAGES),
  );
}

function usageOf(pod: Pod, nowMs: number): Amounts {
  const { spec } = pod;
  if (spec === undefined || !isCharged(pod, nowMs)) return { "count/pods": "1" };
  return {
    "count/pods": "1",
    ...usageOfResources({ requests: podAmounts(spec, "requests"), limits: podAmounts(spec, "limits") }),
  };
}

/** Reports whether a Pod uses resources: it has not finished, and is not stuck in its deletion. */
function isCharged({ metadata, status }: Pod, nowMs: number): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return nowMs <= Date.parse(deletionTimestamp) + numberOf(deletionGracePeriodSeconds) * 1000;
}

function usageOfResources({
  requests = {},
  limits = {},
}: Pick<NonNullable<Container["resources"]>, "requests" | "limits">): Amounts {
  const usage: Record<string, string> = { pods: "1" };
  for (const name of COMPUTE) {
    const [request, limit] = [requests[name], limits[name]];
    if (request !== undefined) Object.assign(usage, { [name]: request, [REQUESTS + name]: request });
    if (limit !== undefined) usage[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    const isHugePages = name.startsWith(HUGE_PAGES);
    if (isHugePages) usage[name] = request;
    if (isHugePages || name.startsWith(DEVICE_CLASS) || isExtendedResource(name)) usage[REQUESTS + name] = request;
  }
  return usage;
}

function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith(REQUESTS) && qualifiedNameErrors(REQUESTS + name).length === 0;
}

function isInScope(scope: ScopedResourceSelectorRequirement, pod: Pod): boolean {
  switch (scope.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return pod.status?.qosClass === "BestEffort";
    case "NotBestEffort":
      return pod.status?.qosClass !== "BestEffort";
    case "PriorityClass": {
      const { priorityClassName = "" } = pod.spec ?? {};
      return selectsValue(scope, priorityClassName === "" ? [] : [priorityClassName]);
    }
    case "CrossNamespacePodAffinity":
      return hasCrossNamespaceAffinity(pod);
    default:
      return false;
  }
}

function hasDeadline({ spec }: Pod): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function hasCrossNamespaceAffinity({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity): readonly PodAffinityTerm[] => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return terms.some(
    ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
  );
}
