import { type FieldError, invalidField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn } from "../../../fields.ts";
import { conditionErrors } from "../checks/condition-errors.ts";
import { nonNegativeNumbers, optionalChoice } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { numberOrPercent, percentAbove } from "../workloads/number-or-percent.ts";

/** Returns what is wrong with a PodDisruptionBudget. */
export function disruptionBudgetErrors(budget: ApiObject): readonly FieldError[] {
  const spec = objectIn(budget, "spec") ?? {};
  const limits = ["minAvailable", "maxUnavailable"].filter((name) => spec[name] !== undefined);
  return [
    ...(limits.length === 2 ? [invalidField("spec", spec, "minAvailable and maxUnavailable cannot be both set")] : []),
    ...limits.flatMap((name) => [
      ...numberOrPercent(`spec.${name}`, spec[name]),
      ...percentAbove(`spec.${name}`, spec[name]),
    ]),
    ...labelSelectorErrors(objectIn(spec, "selector"), "spec.selector"),
    ...optionalChoice("spec.unhealthyPodEvictionPolicy", spec["unhealthyPodEvictionPolicy"], [
      "AlwaysAllow",
      "IfHealthyBudget",
    ]),
  ];
}

const COUNTS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;

/** Returns what is wrong with the status of a PodDisruptionBudget. */
export function disruptionBudgetStatusErrors(budget: ApiObject): readonly FieldError[] {
  const status = objectIn(budget, "status");
  return [
    ...conditionErrors(objectsIn(status, "conditions"), "status.conditions"),
    ...nonNegativeNumbers(status, "status", COUNTS),
  ];
}
