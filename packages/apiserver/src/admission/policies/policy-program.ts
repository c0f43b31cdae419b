import type { ValidatingAdmissionPolicy } from "@kubescaffold/k8s/admissionregistration/v1";
import { PolicyCompiler, type PolicyExpression, type PolicyVariableExpressions } from "@kubescaffold/schema/cel";

import { conditionTexts } from "./match-conditions.ts";

/** The compiled expressions of a policy; absent messages are undefined. */
export interface PolicyProgram {
  readonly variables: PolicyVariableExpressions | undefined;
  readonly conditions: readonly PolicyExpression[];
  readonly validations: readonly PolicyExpression[];
  readonly messages: readonly (PolicyExpression | undefined)[];
  readonly annotations: readonly PolicyExpression[];
}

const cache = new WeakMap<ValidatingAdmissionPolicy, PolicyProgram>();

/** Compiles a stored policy once: stored objects are frozen, so a change makes another one. */
export function policyProgram(policy: ValidatingAdmissionPolicy): PolicyProgram {
  const known = cache.get(policy);
  if (known !== undefined) return known;
  const program = compile(policy);
  cache.set(policy, program);
  return program;
}

function compile({ spec = {} }: ValidatingAdmissionPolicy): PolicyProgram {
  const compiler = new PolicyCompiler({ hasVariables: true });
  const hasParams = spec.paramKind !== undefined;
  const all = { hasParams, hasAuthorizer: true };
  const variables = (spec.variables ?? []).map(
    ({ name, expression }) => [name, compiler.declare(name, expression, all)] as const,
  );
  const validations = spec.validations ?? [];
  return {
    variables: new Map(variables),
    conditions: conditionTexts(spec.matchConditions).map((text) => compiler.compile(text, all, ["bool"])),
    validations: validations.map(({ expression }) => compiler.compile(expression, all, ["bool"])),
    messages: validations.map(({ messageExpression = "" }) =>
      messageExpression === ""
        ? undefined
        : compiler.compile(messageExpression, { hasParams, hasAuthorizer: false }, ["string"]),
    ),
    annotations: (spec.auditAnnotations ?? []).map(({ valueExpression }) =>
      compiler.compile(valueExpression, all, ["string", "null_type"]),
    ),
  };
}
