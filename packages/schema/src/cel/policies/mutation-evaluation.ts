import type { EvaluationTurns } from "../evaluator/evaluation-turns.ts";
import type { CelValue } from "../values/cel-value.ts";
import type { PolicyExpression } from "./policy-compiler.ts";
import { evaluatePolicy, POLICY_BUDGET, type PolicyVariableExpressions } from "./policy-evaluation.ts";

/** The result of a mutation. */
export type MutationOutcome<T = CelValue> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "error"; readonly message: string };

/** Evaluates a mutation of a policy; each has the whole budget. */
export async function evaluateMutation(
  expression: PolicyExpression,
  bindings: ReadonlyMap<string, CelValue>,
  { variables, turns }: { readonly variables: PolicyVariableExpressions; readonly turns?: EvaluationTurns },
): Promise<MutationOutcome> {
  if (expression.kind === "rejected") return { kind: "error", message: expression.detail };
  const evaluation = await evaluatePolicy([expression], bindings, {
    variables,
    budget: POLICY_BUDGET,
    ...(turns === undefined ? {} : { turns }),
  });
  if (evaluation.kind === "exhausted") return { kind: "error", message: evaluation.message };
  const [result] = evaluation.values;
  return result === undefined || result.kind === "none" ? { kind: "value", value: null } : result;
}
