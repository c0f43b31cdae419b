import type { Taint, TaintEffect, Toleration } from "@kubescaffold/k8s/core/v1";

/** The effects that keep pods from being scheduled. */
export const KEEPS_AWAY: readonly TaintEffect[] = ["NoSchedule", "NoExecute"];

/** Returns the first taint with one of the effects that no toleration matches. */
export function repellingTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined {
  return taints?.find((taint) => effects.includes(taint.effect) && !isTolerated(taint, tolerations));
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
