import type { Taint, TaintEffect, Toleration } from "@kubescaffold/k8s/core/v1";
import { addToList } from "@kubescaffold/platform";

/** The effects that keep pods from being scheduled. */
export const KEEPS_AWAY: readonly TaintEffect[] = ["NoSchedule", "NoExecute"];

/** Returns the first taint with one of the effects that no toleration matches. */
export function repellingTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined {
  return repellingTaints(taints, tolerations, effects).next().value;
}

/** Returns the taints with one of the effects that no toleration matches. */
export function* repellingTaints(
  taints: readonly Taint[] = [],
  tolerations: readonly Toleration[] = [],
  effects: readonly TaintEffect[],
): Generator<Taint, undefined, undefined> {
  const repelling = taints.filter(({ effect }) => effects.includes(effect));
  if (repelling.length === 0) return undefined;
  // A Node has thousands of taints, and a Pod as many tolerations: only those of the same key are compared.
  const byKey = new Map<string, Toleration[]>();
  for (const toleration of tolerations) {
    addToList(byKey, toleration.key ?? "", toleration);
  }
  for (const taint of repelling) {
    if (!isTolerated(taint, byKey.get("")) && !isTolerated(taint, byKey.get(taint.key))) yield taint;
  }
  return undefined;
}

/** Reports whether one of the tolerations matches a taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[] | undefined): boolean {
  return tolerations?.some((toleration) => tolerates(toleration, taint)) ?? false;
}

/** Reports whether a toleration matches a taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { effect = "", key = "", operator = "Equal", value = "" } = toleration;
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return operator === "Equal" && value === (taint.value ?? "");
}
