import { type FieldError, invalidField, labelValueErrors, qualifiedNameErrors } from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectsIn, textIn } from "../../../fields.ts";
import { checkedText, eachItem, requiredChoice, supportedText } from "../checks/field-checks.ts";
import { limitedItems } from "./device-names.ts";

const EFFECTS = ["NoExecute", "NoSchedule", "None"] as const;
const EFFECTS_BEFORE_1_35 = ["NoExecute", "NoSchedule"] as const;
const OPERATORS = ["Equal", "Exists"] as const;
const MOST_TAINTS = 16;

/** Returns what is wrong with the taints of a device. */
export function deviceTaintsErrors(device: MutableJsonObject, at: string): readonly FieldError[] {
  return limitedItems({
    items: objectsIn(device, "taints"),
    at: `${at}.taints`,
    most: MOST_TAINTS,
    errorsOf: (taint, place) => deviceTaintErrors(taint, place),
  });
}

/** Returns what is wrong with a taint; an effect that it had before is accepted. */
export function deviceTaintErrors(
  taint: MutableJsonObject,
  at: string,
  former?: MutableJsonObject,
): readonly FieldError[] {
  const [value, effect] = [textIn(taint, "value"), textIn(taint, "effect")];
  const isNew = former === undefined || textIn(former, "effect") !== effect;
  return [
    ...checkedText(`${at}.key`, textIn(taint, "key"), qualifiedNameErrors),
    ...(value === "" ? [] : checkedText(`${at}.value`, value, labelValueErrors)),
    ...(isNew ? requiredChoice(`${at}.effect`, effect, effects()) : []),
  ];
}

function effects(): readonly string[] {
  return since("1.35") ? EFFECTS : EFFECTS_BEFORE_1_35;
}

/** Returns what is wrong with the taints of devices that a request or a result tolerates. */
export function deviceTolerationErrors(object: MutableJsonObject, at: string): readonly FieldError[] {
  return eachItem(objectsIn(object, "tolerations"), `${at}.tolerations`, tolerationErrors);
}

/** Returns what is wrong with them by the declared rules, which do not look at values. */
export function declaredTolerationErrors(object: MutableJsonObject, at: string): readonly FieldError[] {
  return eachItem(objectsIn(object, "tolerations"), `${at}.tolerations`, (toleration, place) => [
    ...tolerationKeyErrors(toleration, place),
    ...tolerationChoiceErrors(toleration, place),
  ]);
}

function tolerationErrors(toleration: MutableJsonObject, at: string): readonly FieldError[] {
  const [operator, value] = [textIn(toleration, "operator"), textIn(toleration, "value")];
  return [
    ...tolerationKeyErrors(toleration, at),
    ...(operator === "Exists" && value !== ""
      ? [invalidField(`${at}.value`, value, "must be empty for operator `Exists`")]
      : []),
    ...(operator === "Equal" ? checkedText(`${at}.value`, value, labelValueErrors) : []),
    ...tolerationChoiceErrors(toleration, at),
  ];
}

function tolerationKeyErrors(toleration: MutableJsonObject, at: string): readonly FieldError[] {
  const key = textIn(toleration, "key");
  return key === "" ? [] : checkedText(`${at}.key`, key, qualifiedNameErrors);
}

function tolerationChoiceErrors(toleration: MutableJsonObject, at: string): readonly FieldError[] {
  const effect = textIn(toleration, "effect");
  return [
    ...requiredChoice(`${at}.operator`, textIn(toleration, "operator"), OPERATORS),
    ...(effect === "" ? [] : supportedText(`${at}.effect`, effect, effects())),
  ];
}
