import { toTime } from "@kubescaffold/k8s";
import type { HorizontalPodAutoscalerCondition } from "@kubescaffold/k8s/autoscaling/v2";

/** The conditions of an autoscaler, which a look at its target changes. */
export interface AutoscalerConditions {
  /** Sets a condition; its time changes with its status. */
  set(type: string, status: "True" | "False", explanation: { readonly reason: string; readonly message: string }): void;
  /** Removes a condition. */
  remove(type: string): void;
  /** Returns all conditions. */
  list(): readonly HorizontalPodAutoscalerCondition[];
}

/** Returns the conditions of an autoscaler from those that were stored. */
export function autoscalerConditions(
  stored: readonly HorizontalPodAutoscalerCondition[] | undefined,
  now: number,
): AutoscalerConditions {
  let conditions = [...(stored ?? [])];
  return {
    set: (type, status, { reason, message }) => {
      const index = conditions.findIndex((each) => each.type === type);
      const former = conditions[index];
      const lastTransitionTime = former?.status === status ? (former.lastTransitionTime ?? toTime(now)) : toTime(now);
      const condition = { type, status, lastTransitionTime, reason, message };
      if (index < 0) conditions.push(condition);
      else conditions[index] = condition;
    },
    remove: (type) => {
      conditions = conditions.filter((each) => each.type !== type);
    },
    list: () => conditions,
  };
}
