import { type FieldError, invalidField, labelValueErrors, qualifiedNameErrors } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectsIn, textIn } from "../../../fields.ts";
import { checkedText, eachItem, requiredChoice, supportedText } from "../checks/field-checks.ts";
import { limitedItems } from "./device-names.ts";

const EFFECTS = ["NoExecute", "NoSchedule", "None"] as const;
const OPERATORS = ["Equal", "Exists"] as const;
const MOST_TAINTS = 16;

/** Returns what is wrong with the taints of a device. */
export function deviceTaintsErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  return limitedItems({
    items: objectsIn(device, "taints"),
    at: `${at}.taints`,
    most: MOST_TAINTS,
    errorsOf: deviceTaintErrors,
  });
}

function deviceTaintErrors(taint: MutableJsonObject, at: string): readonly FieldError[] {
  const value = textIn(taint, "value");
  return [
    ...checkedText(`${at}.key`, textIn(taint, "key"), qualifiedNameErrors),
    ...(value === "" ? [] : checkedText(`${at}.value`, value, labelValueErrors)),
    ...requiredChoice(`${at}.effect`, textIn(taint, "effect"), EFFECTS),
  ];
}

/** Returns what is wrong with the taints of devices that a request or a result tolerates. */
export function deviceTolerationErrors(object: MutableJsonObject, at: string): readonly FieldError[] {
  return eachItem(objectsIn(object, "tolerations"), `${at}.tolerations`, tolerationErrors);
}

function tolerationErrors(toleration: MutableJsonObject, at: string): readonly FieldError[] {
  const [key, value] = [textIn(toleration, "key"), textIn(toleration, "value")];
  const [operator, effect] = [textIn(toleration, "operator"), textIn(toleration, "effect")];
  return [
    ...(key === "" ? [] : checkedText(`${at}.key`, key, qualifiedNameErrors)),
    ...(operator === "Exists" && value !== ""
      ? [invalidField(`${at}.value`, value, "must be empty for operator `Exists`")]
      : []),
    ...(operator === "Equal" ? checkedText(`${at}.value`, value, labelValueErrors) : []),
    ...requiredChoice(`${at}.operator`, operator, OPERATORS),
    ...(effect === "" ? [] : supportedText(`${at}.effect`, effect, EFFECTS)),
  ];
}
