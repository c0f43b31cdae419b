import { duplicateField, type FieldError, requiredField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { eachItem } from "../checks/field-checks.ts";
import { flowSchemaErrors } from "./flow-schema-errors.ts";
import { priorityLevelErrors } from "./priority-level-errors.ts";

/** Checks of FlowSchemas. */
export const flowSchemaChecks: BuiltInChecks = {
  validate: (schema) => flowSchemaErrors(schema),
  validateStatus: (schema) => flowConditionErrors(schema),
};

/** Checks of PriorityLevelConfigurations. */
export const priorityLevelChecks: BuiltInChecks = {
  validate: (level) => priorityLevelErrors(level),
  validateStatus: (level) => flowConditionErrors(level),
};

// Those of a FlowSchema or of a PriorityLevelConfiguration.
function flowConditionErrors(object: ApiObject): readonly FieldError[] {
  const conditions = objectsIn(objectIn(object, "status"), "conditions");
  const types = conditions.map((condition) => textIn(condition, "type"));
  const repeated = repeatedIndexes(types);
  return eachItem(types, "status.conditions", (type, at, index) => [
    ...(repeated.has(index) ? [duplicateField(`${at}.type`, type)] : []),
    ...(type === "" ? [requiredField(`${at}.type`)] : []),
  ]);
}
