import { dns1123LabelErrors, duplicateField, type FieldError, invalidField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { checkedText, eachItem } from "../checks/field-checks.ts";
import { labelErrors } from "../checks/template-meta-errors.ts";
import { labelKeyWarnings } from "../warnings/node-label-warnings.ts";
import { containerResourceErrors } from "./resource-errors.ts";
import { tolerationErrors } from "./scheduling-errors.ts";

/** Checks of RuntimeClasses. */
export const runtimeClassChecks: BuiltInChecks = {
  validate: (runtimeClass) => runtimeClassErrors(runtimeClass),
  warnings: (runtimeClass) => {
    const labels = objectIn(objectIn(runtimeClass, "scheduling"), "nodeSelector");
    return labelKeyWarnings(labels, () => "scheduling.nodeSelector");
  },
  validateUpdate: (runtimeClass, old) =>
    textIn(runtimeClass, "handler") === textIn(old, "handler")
      ? []
      : [invalidField("handler", textIn(runtimeClass, "handler"), "field is immutable")],
};

function runtimeClassErrors(runtimeClass: ApiObject): readonly FieldError[] {
  const [overhead, scheduling] = [objectIn(runtimeClass, "overhead"), objectIn(runtimeClass, "scheduling")];
  const tolerations = objectsIn(scheduling, "tolerations");
  const repeated = repeatedIndexes(tolerations.map((toleration) => keyOf(toleration)));
  return [
    ...checkedText("handler", textIn(runtimeClass, "handler"), dns1123LabelErrors),
    ...(overhead === undefined ? [] : containerResourceErrors({ limits: overhead["podFixed"] }, [], "overhead")),
    ...labelErrors(objectIn(scheduling, "nodeSelector"), "scheduling.nodeSelector"),
    ...tolerationErrors(tolerations, "scheduling.tolerations"),
    ...eachItem(tolerations, "scheduling.tolerations", (toleration, place, index) =>
      repeated.has(index) ? [duplicateField(place, toleration)] : [],
    ),
  ];
}

function keyOf(toleration: MutableJsonObject): string {
  return JSON.stringify(["key", "operator", "value", "effect"].map((name) => textIn(toleration, name)));
}
