import { type FieldError, invalidField, requiredField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { conditionErrors } from "../checks/condition-errors.ts";
import { eachItem } from "../checks/field-checks.ts";
import { jsonPathProblem } from "../checks/json-path-problem.ts";

const WARNINGS = "status.typeChecking.expressionWarnings";

/** Returns what is wrong with the status of a ValidatingAdmissionPolicy. */
export function policyStatusErrors(policy: ApiObject): readonly FieldError[] {
  const status = objectIn(policy, "status");
  const warnings = objectsIn(objectIn(status, "typeChecking"), "expressionWarnings");
  return [
    ...eachItem(warnings, WARNINGS, (warning, at) => [
      ...(textIn(warning, "warning") === "" ? [requiredField(`${at}.warning`)] : []),
      ...referenceErrors(textIn(warning, "fieldRef").trim(), `${at}.fieldRef`),
    ]),
    ...conditionErrors(objectsIn(status, "conditions"), "status.conditions"),
  ];
}

function referenceErrors(reference: string, field: string): readonly FieldError[] {
  if (reference === "") return [requiredField(field)];
  const problem = jsonPathProblem(`{${reference}}`);
  return problem === undefined ? [] : [invalidField(field, reference, `invalid JSONPath: ${problem}`)];
}
