import type { GroupResource } from "@kubescaffold/k8s";
import type { ResourceQuota, ScopedResourceSelectorRequirement } from "@kubescaffold/k8s/core/v1";

import { claimEvaluator } from "./claim-evaluator.ts";
import type { Evaluator } from "./evaluator.ts";
import { podEvaluator } from "./pod-evaluator.ts";
import { serviceEvaluator } from "./service-evaluator.ts";

const CORE_EVALUATORS: ReadonlyMap<string, Evaluator> = new Map([
  ["pods", podEvaluator],
  ["services", serviceEvaluator],
  ["persistentvolumeclaims", claimEvaluator],
]);

// Counted by these names, too.
const ALIASES: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

// Stored resources that are never counted; the others are not stored.
const IGNORED: ReadonlySet<string> = new Set(["events", "events.events.k8s.io", "componentstatuses"]);

/** Returns the evaluator of a resource, or undefined for a resource that quotas do not count. */
export function evaluatorOf(resource: GroupResource): Evaluator | undefined {
  const name = resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
  if (IGNORED.has(name)) return undefined;
  return CORE_EVALUATORS.get(name) ?? countEvaluator([`count/${name}`, ...(ALIASES.has(name) ? [name] : [])]);
}

/** Returns the resource that a name of a quota counts: `count/jobs.batch`, `secrets`, `requests.cpu`. */
export function resourceOfName(name: string): GroupResource {
  if (name.startsWith("count/")) {
    const [resource = "", ...group] = name.slice("count/".length).split(".");
    return { group: group.join("."), resource };
  }
  if (ALIASES.has(name)) return { group: "", resource: name };
  const owner = [...CORE_EVALUATORS].find(([, evaluator]) => evaluator.matchingNames([name]).length > 0);
  return { group: "", resource: owner?.[0] ?? "" };
}

function countEvaluator(names: readonly string[]): Evaluator {
  const usage = Object.fromEntries(names.map((name) => [name, "1"]));
  return {
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === "",
    matchingNames: (all) => all.filter((name) => names.includes(name)),
    isInScope: () => false,
    usageOf: () => usage,
  };
}

/** Returns the scopes of a quota as requirements. */
export function scopesOf({ spec = {} }: ResourceQuota): readonly ScopedResourceSelectorRequirement[] {
  const scopes = (spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" as const }));
  return [...scopes, ...(spec.scopeSelector?.matchExpressions ?? [])];
}
