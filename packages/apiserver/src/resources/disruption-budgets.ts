import { SelectorError, setCondition } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { Condition } from "@kubescaffold/k8s/meta/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";

import { storedSelectorMatcher } from "../storage/stored-selectors.ts";

/** The status of a budget. */
export type BudgetStatus = NonNullable<PodDisruptionBudget["status"]>;

/** Where budgets are stored and served. */
export const BUDGETS = { group: "policy", version: "v1", resource: "poddisruptionbudgets" } as const;

/** Condition of a Pod that is about to be deleted. */
export const DISRUPTION_TARGET = "DisruptionTarget";

/** Condition of a budget: whether a Pod may be evicted. */
export const DISRUPTION_ALLOWED = "DisruptionAllowed";

/** Reason of a condition whose budget could not be calculated. */
export const SYNC_FAILED = "SyncFailed";

/** Reports whether a Pod is marked as about to be deleted. */
export function isDisruptionTarget(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(({ type, status }) => type === DISRUPTION_TARGET && status === "True");
}

/** Reports whether a budget selects a Pod; one with an invalid selector selects none. */
export function selectsPod({ spec }: PodDisruptionBudget, { metadata }: Pick<Pod, "metadata">): boolean {
  try {
    return storedSelectorMatcher(spec?.selector)(metadata.labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Returns the conditions of a status, with the one that follows from the number of allowed disruptions. */
export function budgetConditions(status: BudgetStatus, nowMs: number): Condition[] {
  const allowed = status.disruptionsAllowed > 0;
  return setCondition(
    status.conditions,
    {
      type: DISRUPTION_ALLOWED,
      status: allowed ? "True" : "False",
      reason: allowed ? "SufficientPods" : "InsufficientPods",
      message: "",
      observedGeneration: status.observedGeneration,
    },
    new Date(nowMs),
  ).conditions;
}
