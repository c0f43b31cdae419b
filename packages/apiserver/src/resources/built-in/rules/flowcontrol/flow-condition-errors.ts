import { duplicateField, type FieldError, requiredField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { eachItem } from "../checks/field-checks.ts";

/** Returns what is wrong with the conditions of a FlowSchema or of a PriorityLevelConfiguration. */
export function flowConditionErrors(object: ApiObject): readonly FieldError[] {
  const conditions = objectsIn(objectIn(object, "status"), "conditions");
  const types = conditions.map((condition) => textIn(condition, "type"));
  return eachItem(types, "status.conditions", (type, at, index) => [
    ...(types.indexOf(type) < index ? [duplicateField(`${at}.type`, type)] : []),
    ...(type === "" ? [requiredField(`${at}.type`)] : []),
  ]);
}
