import { type FieldError, invalidField, requiredField, unsupportedField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { ruleEngine } from "../../../rule-engine.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { expressionErrors } from "./match-condition-rules.ts";
import { choiceErrors } from "./match-resource-rules.ts";
import {
  constraintErrors,
  type ExpressionContext,
  policyConditionErrors,
  policyHeadErrors,
  variableErrors,
} from "./policy-part-checks.ts";
import { staticNameErrors, staticNameWarnings } from "./static-names.ts";

/** Checks of MutatingAdmissionPolicies. */
export const mutatingPolicyChecks: BuiltInChecks = {
  validate: (policy, _context, old) => [...policyErrors(policy, old), ...staticNameErrors(policy, old)],
  warnings: (policy, old) => staticNameWarnings(policy, old),
};

const REINVOCATION_POLICIES = ["IfNeeded", "Never"] as const;

function policyErrors(policy: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(policy, "spec") ?? {};
  const constraints = objectIn(spec, "matchConstraints");
  const reinvocation = textIn(spec, "reinvocationPolicy");
  return [
    ...policyHeadErrors(spec),
    ...constraintErrors(constraints),
    ...mutatedOperationErrors(constraints, "spec.matchConstraints"),
    ...policyConditionErrors(spec, objectIn(old, "spec")),
    ...expressionListErrors(spec),
    ...(reinvocation === ""
      ? [requiredField("spec.reinvocationPolicy")]
      : choiceErrors(reinvocation, REINVOCATION_POLICIES, "spec.reinvocationPolicy")),
  ];
}

const MUTATED_OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"] as const;

/** Returns errors for operations without an object that a policy could mutate; their field names no rule, as upstream. */
export function mutatedOperationErrors(resources: MutableJsonObject | undefined, path: string): readonly FieldError[] {
  return objectsIn(resources, "resourceRules")
    .flatMap((rule) => textsIn(rule, "operations"))
    .flatMap((operation) => choiceErrors(operation, MUTATED_OPERATIONS, `${path}.resourceRules.operations`));
}

function expressionListErrors(spec: MutableJsonObject): readonly FieldError[] {
  const compiler = new (ruleEngine().PolicyCompiler)({ hasVariables: true });
  const context = { compiler, hasParams: objectIn(spec, "paramKind") !== undefined };
  const variables = objectsIn(spec, "variables").flatMap((variable, index) =>
    variableErrors(variable, `spec.variables[${String(index)}]`, context),
  );
  const mutations = objectsIn(spec, "mutations");
  if (mutations.length === 0) {
    return [...variables, requiredField("spec.mutations", "mutations must contain at least one item")];
  }
  return [
    ...variables,
    ...mutations.flatMap((mutation, index) => mutationErrors(mutation, `spec.mutations[${String(index)}]`, context)),
  ];
}

// Each patch type has a field of its name, and expressions of one type.
const PATCH_TYPES = {
  ApplyConfiguration: { field: "applyConfiguration", returns: ["Object"] },
  JSONPatch: { field: "jsonPatch", returns: ["list(JSONPatch)"] },
} as const;

function mutationErrors(mutation: MutableJsonObject, path: string, context: ExpressionContext): readonly FieldError[] {
  const patchType = textIn(mutation, "patchType");
  if (patchType === "") return [requiredField(`${path}.patchType`)];
  if (patchType !== "ApplyConfiguration" && patchType !== "JSONPatch") {
    return [unsupportedField(`${path}.patchType`, patchType, Object.keys(PATCH_TYPES))];
  }
  const { field, returns } = PATCH_TYPES[patchType];
  const other = PATCH_TYPES[patchType === "JSONPatch" ? "ApplyConfiguration" : "JSONPatch"].field;
  const stated = objectIn(mutation, field);
  return [
    ...(stated === undefined
      ? [requiredField(`${path}.${field}`, `must be specified when patchType is ${patchType}`)]
      : patchErrors(textIn(stated, "expression").trim(), { path: `${path}.${field}.expression`, returns, context })),
    ...(objectIn(mutation, other) === undefined
      ? []
      : [invalidField(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
  ];
}

interface PatchExpression {
  readonly path: string;
  readonly returns: readonly ["Object"] | readonly ["list(JSONPatch)"];
  readonly context: ExpressionContext;
}

function patchErrors(expression: string, { path, returns, context }: PatchExpression): readonly FieldError[] {
  if (expression === "") return [requiredField(path)];
  const { compiler, hasParams } = context;
  const variables = { hasParams, hasAuthorizer: true, isMutation: true };
  return expressionErrors(compiler.compile(expression, variables, returns), path);
}
