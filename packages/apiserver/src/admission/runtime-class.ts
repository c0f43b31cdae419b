import type { Pod, PodSpec, Toleration } from "@kubescaffold/k8s/core/v1";
import type { RuntimeClass } from "@kubescaffold/k8s/node/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { type AdmissionAttributes, type AdmissionPlugin, refusal } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { plainError } from "../request/failures.ts";
import { withFailureTolerations } from "../resources/built-in/rules/pod-rules.ts";

const RUNTIME_CLASSES = { group: "node.k8s.io", resource: "runtimeclasses" } as const;

/** Gives Pods the overhead, node selector, and tolerations of their RuntimeClass, which must exist. */
export function runtimeClass({ objects }: Pick<ServerContext, "objects">): AdmissionPlugin {
  const classOf = (pod: Pod, attributes: AdmissionAttributes): RuntimeClass | undefined => {
    const name = pod.spec?.runtimeClassName;
    if (name === undefined) return undefined;
    if (name === "") throw plainError("resource name may not be empty");
    const found = objects.get(RUNTIME_CLASSES, { namespace: "", name }) as RuntimeClass | undefined;
    if (found !== undefined) return found;
    throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  };
  return {
    name: "RuntimeClass",
    mutate: (attributes) => {
      const pod = newPodOf(attributes);
      const found = pod === undefined ? undefined : classOf(pod, attributes);
      if (pod?.spec === undefined || found === undefined) return undefined;
      return { ...pod, spec: withScheduling(withOverhead(pod.spec, found, attributes), found, attributes) };
    },
    validate: (attributes) => {
      const pod = newPodOf(attributes);
      if (pod !== undefined) checkOverhead(pod, classOf(pod, attributes), attributes);
    },
  };
}

function newPodOf({ operation, resource, subresource, object }: AdmissionAttributes): Pod | undefined {
  const isPod = resource.group === "" && resource.resource === "pods" && subresource === "";
  return operation === "CREATE" && isPod ? object : undefined;
}

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function withOverhead(spec: PodSpec, { overhead }: RuntimeClass, attributes: AdmissionAttributes): PodSpec {
  if (overhead === undefined) return spec;
  const podFixed = overhead.podFixed ?? {};
  const isStated = Object.keys(spec.overhead ?? {}).length > 0;
  if (isStated && !deepEqual(spec.overhead, podFixed)) throw refusal(attributes, MISMATCH);
  return { ...spec, overhead: podFixed };
}

function checkOverhead({ spec }: Pod, found: RuntimeClass | undefined, attributes: AdmissionAttributes): void {
  const defined = found?.overhead;
  if (defined !== undefined) {
    if (!deepEqual(defined.podFixed ?? {}, spec?.overhead ?? {})) throw refusal(attributes, MISMATCH);
  } else if (spec?.overhead !== undefined) {
    throw refusal(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  }
}

function withScheduling(spec: PodSpec, { scheduling }: RuntimeClass, attributes: AdmissionAttributes): PodSpec {
  if (scheduling === undefined) return spec;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = spec.nodeSelector?.[key];
    if (own === undefined || own === value) continue;
    throw refusal(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
    );
  }
  const selector = { ...spec.nodeSelector, ...nodeSelector };
  // Those of nodes that fail are added before, as by the plugin DefaultTolerationSeconds.
  const own = withFailureTolerations((spec.tolerations ?? []) as never) as readonly Toleration[];
  const merged = mergedTolerations([...own, ...tolerations]);
  return {
    ...spec,
    ...(Object.keys(selector).length === 0 ? {} : { nodeSelector: selector }),
    ...(merged.length === 0 ? {} : { tolerations: merged }),
  };
}

// Those that others include are redundant; of equal ones, the first stays.
function mergedTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const isIncluded =
      merged.some((other) => includes(other, toleration)) ||
      all.slice(index + 1).some((other) => !deepEqual(toleration, other) && includes(other, toleration));
    if (!isIncluded) merged.push(toleration);
  }
  return merged;
}

function includes(outer: Toleration, inner: Toleration): boolean {
  if (deepEqual(outer, inner)) return true;
  const isAnyKey = (outer.key ?? "") === "" && outer.operator === "Exists";
  if ((outer.key ?? "") !== (inner.key ?? "") && !isAnyKey) return false;
  if ((outer.effect ?? "") !== "" && outer.effect !== inner.effect) return false;
  if (outer.effect === "NoExecute" && !lastsAsLong(outer, inner)) return false;
  return (
    outer.operator === "Exists" ||
    ((outer.operator ?? "Equal") === (inner.operator ?? "Equal") && outer.value === inner.value)
  );
}

function lastsAsLong(outer: Toleration, inner: Toleration): boolean {
  if (outer.tolerationSeconds === undefined) return true;
  return inner.tolerationSeconds !== undefined && outer.tolerationSeconds >= inner.tolerationSeconds;
}
