import { type FieldError, invalidField, qualifiedNameErrors, requiredField, unsupportedField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { ruleEngine } from "../../../rule-engine.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { conditionErrors } from "../checks/condition-errors.ts";
import { eachItem } from "../checks/field-checks.ts";
import { jsonPathProblem } from "../checks/json-path-problem.ts";
import { duplicatesIn, expressionErrors } from "./match-condition-rules.ts";
import {
  constraintErrors,
  type ExpressionContext,
  policyConditionErrors,
  policyHeadErrors,
  variableErrors,
} from "./policy-part-checks.ts";
import { staticNameErrors, staticNameWarnings } from "./static-names.ts";

/** Checks of ValidatingAdmissionPolicies. */
export const policyChecks: BuiltInChecks = {
  validate: (policy, _context, old) => [...policyErrors(policy, old), ...staticNameErrors(policy, old)],
  warnings: (policy, old) => staticNameWarnings(policy, old),
  validateStatus: (policy) => policyStatusErrors(policy),
};

function policyErrors(policy: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(policy, "spec") ?? {};
  return [
    ...policyHeadErrors(spec),
    ...constraintErrors(objectIn(spec, "matchConstraints")),
    ...policyConditionErrors(spec, objectIn(old, "spec")),
    ...expressionListErrors(policy, spec, objectIn(spec, "paramKind") !== undefined),
  ];
}

const MOST_ANNOTATIONS = 20;
const NOTHING_TO_DO = "validations or auditAnnotations must contain at least one item";

function expressionListErrors(policy: ApiObject, spec: MutableJsonObject, hasParams: boolean): readonly FieldError[] {
  const variables = objectsIn(spec, "variables");
  const validations = objectsIn(spec, "validations");
  const annotations = objectsIn(spec, "auditAnnotations");
  const compiler = new (ruleEngine().PolicyCompiler)({ hasVariables: variables.length > 0 });
  const context = { compiler, hasParams };
  const variableProblems = variables.flatMap((variable, index) =>
    variableErrors(variable, `spec.variables[${String(index)}]`, context),
  );
  if (validations.length === 0 && annotations.length === 0) {
    return [
      ...variableProblems,
      requiredField("spec.validations", NOTHING_TO_DO),
      requiredField("spec.auditAnnotations", NOTHING_TO_DO),
    ];
  }
  const duplicateErrors = duplicatesIn(annotations.map((annotation) => textIn(annotation, "key")));
  return [
    ...variableProblems,
    ...validations.flatMap((validation, index) =>
      validationErrors(validation, `spec.validations[${String(index)}]`, context),
    ),
    ...(annotations.length > MOST_ANNOTATIONS ? [tooManyAnnotations(annotations)] : []),
    ...annotations.flatMap((annotation, index) => {
      const path = `spec.auditAnnotations[${String(index)}]`;
      const { name = "" } = policy.metadata;
      return [...annotationErrors(annotation, { path, name, context }), ...duplicateErrors(index, `${path}.key`)];
    }),
  ];
}

// Upstream prints annotations with Go's names.
function tooManyAnnotations(annotations: readonly MutableJsonObject[]): FieldError {
  const shown = annotations.map((each) => ({
    Key: textIn(each, "key"),
    ValueExpression: textIn(each, "valueExpression"),
  }));
  const detail = `must not have more than ${String(MOST_ANNOTATIONS)} auditAnnotations`;
  return invalidField("spec.auditAnnotations", shown, detail);
}

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"] as const;

function validationErrors(
  validation: MutableJsonObject,
  path: string,
  { compiler, hasParams }: ExpressionContext,
): readonly FieldError[] {
  const expression = textIn(validation, "expression");
  const messageExpression = textIn(validation, "messageExpression");
  const reason = validation["reason"];
  return [
    ...(expression.trim() === ""
      ? [requiredField(`${path}.expression`, "expression is not specified")]
      : expressionErrors(
          compiler.compile(expression, { hasParams, hasAuthorizer: true }, ["bool"]),
          `${path}.expression`,
        )),
    ...(messageExpression !== "" && messageExpression.trim() === ""
      ? [invalidField(`${path}.messageExpression`, messageExpression, "must be non-empty if specified")]
      : []),
    ...(messageExpression.trim() === ""
      ? []
      : expressionErrors(
          compiler.compile(messageExpression, { hasParams, hasAuthorizer: false }, ["string"]),
          `${path}.messageExpression`,
        )),
    ...messageErrors(textIn(validation, "message"), `${path}.message`),
    ...(typeof reason !== "string" || (REASONS as readonly string[]).includes(reason)
      ? []
      : [unsupportedField(`${path}.reason`, reason, REASONS)]),
  ];
}

function messageErrors(message: string, path: string): readonly FieldError[] {
  const trimmed = message.trim();
  if (message !== "" && trimmed === "") return [invalidField(path, message, "must be non-empty if specified")];
  return /[\n\r]/.test(trimmed) ? [invalidField(path, message, "must not contain line breaks")] : [];
}

const LONGEST_VALUE_EXPRESSION = 5 * 1024;

function annotationErrors(
  annotation: MutableJsonObject,
  { path, name, context }: { readonly path: string; readonly name: string; readonly context: ExpressionContext },
): readonly FieldError[] {
  const key = textIn(annotation, "key");
  const written = textIn(annotation, "valueExpression");
  const qualified = `${name}/${key}`;
  return [
    ...(name === ""
      ? [invalidField(`${path}.key`, key, "requires metadata.name be non-empty")]
      : qualifiedNameErrors(qualified).map((problem) => invalidField(`${path}.key`, qualified, problem))),
    ...valueErrors(written, `${path}.valueExpression`, context),
  ];
}

function valueErrors(written: string, path: string, { compiler, hasParams }: ExpressionContext): readonly FieldError[] {
  const expression = written.trim();
  if (expression === "") return [requiredField(path, "valueExpression is not specified")];
  if (Buffer.byteLength(expression) > LONGEST_VALUE_EXPRESSION) {
    return [requiredField(path, `must not exceed ${String(LONGEST_VALUE_EXPRESSION)} bytes in length`)];
  }
  const compiled = compiler.compile(expression, { hasParams, hasAuthorizer: true }, ["string", "null_type"]);
  return expressionErrors(compiled, path, written);
}

const WARNINGS = "status.typeChecking.expressionWarnings";

function policyStatusErrors(policy: ApiObject): readonly FieldError[] {
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
