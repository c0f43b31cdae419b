import type { MutatingAdmissionPolicy, Mutation } from "@kubescaffold/k8s/admissionregistration/v1beta1";
import { PolicyCompiler, type PolicyExpression, type PolicyVariableExpressions } from "@kubescaffold/schema/cel";

import { conditionTexts } from "./match-conditions.ts";

/** A compiled mutation. */
export interface MutationStep {
  readonly kind: "apply" | "json-patch";
  readonly expression: PolicyExpression;
}

/** The compiled expressions of a mutating policy. */
export interface MutationProgram {
  readonly variables: PolicyVariableExpressions;
  readonly conditions: readonly PolicyExpression[];
  readonly steps: readonly MutationStep[];
}

const cache = new WeakMap<MutatingAdmissionPolicy, MutationProgram>();

/** Compiles a stored policy once: stored objects are frozen, so a change makes another one. */
export function mutationProgram(policy: MutatingAdmissionPolicy): MutationProgram {
  const known = cache.get(policy);
  if (known !== undefined) return known;
  const program = compile(policy);
  cache.set(policy, program);
  return program;
}

function compile({ spec = {} }: MutatingAdmissionPolicy): MutationProgram {
  const compiler = new PolicyCompiler({ hasVariables: true });
  const all = { hasParams: spec.paramKind !== undefined, hasAuthorizer: true };
  const variables = (spec.variables ?? []).map(
    ({ name, expression }) => [name, compiler.declare(name, expression, all)] as const,
  );
  return {
    variables: new Map(variables),
    conditions: conditionTexts(spec.matchConditions).map((text) => compiler.compile(text, all, ["bool"])),
    steps: (spec.mutations ?? []).map((mutation) => compileStep(compiler, mutation, { ...all, isMutation: true })),
  };
}

function compileStep(
  compiler: PolicyCompiler,
  { patchType, applyConfiguration, jsonPatch }: Mutation,
  variables: Parameters<PolicyCompiler["compile"]>[1],
): MutationStep {
  return patchType === "JSONPatch"
    ? {
        kind: "json-patch",
        expression: compiler.compile(jsonPatch?.expression ?? "", variables, ["list(JSONPatch)"]),
      }
    : { kind: "apply", expression: compiler.compile(applyConfiguration?.expression ?? "", variables, ["Object"]) };
}
