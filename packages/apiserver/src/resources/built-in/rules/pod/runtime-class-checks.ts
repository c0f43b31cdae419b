import { dns1123LabelErrors, duplicateField, type FieldError, requiredField } from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { areDeclared, declaredImmutable, declaredNameErrors } from "../checks/declared-rules.ts";
import { checkedText, eachItem } from "../checks/field-checks.ts";
import { labelErrors } from "../checks/template-meta-errors.ts";
import { labelKeyWarnings } from "../warnings/node-label-warnings.ts";
import { containerResourceErrors } from "./resource-errors.ts";
import { tolerationErrors } from "./scheduling-errors.ts";

/** Checks of RuntimeClasses. */
export const runtimeClassChecks: BuiltInChecks = {
  validate: (runtimeClass, _context, old) => runtimeClassErrors(runtimeClass, old),
  warnings: (runtimeClass) => {
    const labels = objectIn(objectIn(runtimeClass, "scheduling"), "nodeSelector");
    return labelKeyWarnings(labels, () => "scheduling.nodeSelector");
  },
  validateUpdate: (runtimeClass, old) =>
    textIn(runtimeClass, "handler") === textIn(old, "handler")
      ? []
      : [
          declaredImmutable("handler", textIn(runtimeClass, "handler")),
          ...(isDeclaredRequired(runtimeClass, old) ? [requiredField("handler")] : []),
        ],
};

// Declared rules say that a handler must not change before they say that there must be one.
function isDeclaredRequired(runtimeClass: ApiObject, old: ApiObject | undefined): boolean {
  return areDeclared() && old !== undefined && textIn(runtimeClass, "handler") === "";
}

// The declared rule of the form is not reached where the handler must not change.
function handlerErrors(handler: string, old: ApiObject | undefined): readonly FieldError[] {
  return old === undefined
    ? declaredNameErrors("handler", handler, dns1123LabelErrors)
    : checkedText("handler", handler, dns1123LabelErrors);
}

function runtimeClassErrors(runtimeClass: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const [overhead, scheduling] = [objectIn(runtimeClass, "overhead"), objectIn(runtimeClass, "scheduling")];
  const tolerations = objectsIn(scheduling, "tolerations");
  const handler = textIn(runtimeClass, "handler");
  const repeated = repeatedIndexes(tolerations.map((toleration) => keyOf(toleration)));
  return [
    ...(handler === "" && since("1.36")
      ? isDeclaredRequired(runtimeClass, old)
        ? []
        : [requiredField("handler")]
      : handlerErrors(handler, old)),
    ...(overhead === undefined ? [] : containerResourceErrors({ limits: overhead["podFixed"] }, [], "overhead")),
    ...labelErrors(objectIn(scheduling, "nodeSelector"), "scheduling.nodeSelector"),
    // Until 1.34, the name of the list occurs twice.
    ...tolerationErrors(tolerations, `scheduling.tolerations${since("1.35") ? "" : ".tolerations"}`),
    ...eachItem(tolerations, "scheduling.tolerations", (toleration, place, index) =>
      repeated.has(index) ? [duplicateField(place, toleration)] : [],
    ),
  ];
}

function keyOf(toleration: MutableJsonObject): string {
  return JSON.stringify(["key", "operator", "value", "effect"].map((name) => textIn(toleration, name)));
}
