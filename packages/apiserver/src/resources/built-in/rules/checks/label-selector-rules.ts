import {
  type FieldError,
  forbiddenField,
  invalidField,
  labelValueErrors,
  qualifiedNameErrors,
  requiredField,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textOf, textsIn } from "../../../fields.ts";

/** Returns what is wrong with the label selector at a path, as upstream's ValidateLabelSelector does; nothing for an absent one. */
export function labelSelectorErrors(selector: MutableJsonObject | undefined, path: string): readonly FieldError[] {
  return [
    ...matchLabelsErrors(objectIn(selector, "matchLabels") ?? {}, `${path}.matchLabels`),
    ...objectsIn(selector, "matchExpressions").flatMap((expression, index) =>
      expressionErrors(expression, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

function matchLabelsErrors(labels: MutableJsonObject, path: string): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((problem) => invalidField(path, key, problem)),
    ...labelValueErrors(textOf(value)).map((problem) => invalidField(path, value, problem)),
  ]);
}

function expressionErrors(expression: MutableJsonObject, path: string): readonly FieldError[] {
  const key = textIn(expression, "key");
  return [
    ...operatorErrors(expression, path),
    ...qualifiedNameErrors(key).map((problem) => invalidField(`${path}.key`, key, problem)),
    ...textsIn(expression, "values").flatMap((value, index) =>
      labelValueErrors(value).map((problem) => invalidField(`${path}.values[${index}]`, value, problem)),
    ),
  ];
}

function operatorErrors(expression: MutableJsonObject, path: string): readonly FieldError[] {
  const operator = textIn(expression, "operator");
  const count = textsIn(expression, "values").length;
  switch (operator) {
    case "In":
    case "NotIn":
      return count > 0 ? [] : [requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return count === 0
        ? []
        : [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidField(`${path}.operator`, operator, "not a valid selector operator")];
  }
}
