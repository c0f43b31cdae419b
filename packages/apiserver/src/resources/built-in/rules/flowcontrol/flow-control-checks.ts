import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { flowConditionErrors } from "./flow-condition-errors.ts";
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
