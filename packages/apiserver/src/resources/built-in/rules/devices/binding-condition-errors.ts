import { duplicateField, type FieldError, invalidField, qualifiedNameErrors } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { checkedText } from "../checks/field-checks.ts";
import { limitedItems } from "./device-names.ts";

const MOST_CONDITIONS = 4;

/** Returns what is wrong with the conditions that a device must have before a Pod is bound to its node. */
export function bindingConditionErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  const conditions = textsIn(device, "bindingConditions");
  const failures = textsIn(device, "bindingFailureConditions");
  const failuresAt = `${at}.bindingFailureConditions`;
  return [
    ...listErrors(conditions, `${at}.bindingConditions`),
    ...listErrors(failures, failuresAt),
    ...failures.flatMap((failure, index) =>
      conditions.includes(failure)
        ? [
            invalidField(
              `${failuresAt}[${index}]`,
              failure,
              "bindingFailureConditions must not overlap with bindingConditions",
            ),
          ]
        : [],
    ),
    ...unpairedErrors(device, at, ["bindingConditions", "bindingFailureConditions"]),
    ...unpairedErrors(device, at, ["bindingFailureConditions", "bindingConditions"]),
  ];
}

function listErrors(conditions: readonly string[], at: string): readonly FieldError[] {
  const repeated = repeatedIndexes(conditions);
  return [
    ...limitedItems({
      items: conditions,
      at,
      most: MOST_CONDITIONS,
      errorsOf: (condition, place) => checkedText(place, condition, qualifiedNameErrors),
    }),
    ...conditions.flatMap((condition, index) =>
      repeated.has(index) ? [duplicateField(`${at}[${index}]`, condition)] : [],
    ),
  ];
}

function unpairedErrors(
  device: MutableJsonObject,
  at: string,
  [missing, given]: readonly [string, string],
): readonly FieldError[] {
  if (textsIn(device, missing).length > 0 || textsIn(device, given).length === 0) return [];
  return [invalidField(`${at}.${missing}`, device[missing] ?? null, `${missing} are required to use ${given}`)];
}
