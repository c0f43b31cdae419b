import { type FieldError, invalidField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn } from "../../../fields.ts";
import { optionalChoice } from "../checks/field-checks.ts";
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
