import type { MatchCondition } from "@kubescaffold/k8s/admissionregistration/v1";
import {
  evaluatePolicy,
  MATCH_CONDITION_BUDGET,
  type PolicyExpression,
  type PolicyVariableExpressions,
} from "@kubescaffold/schema/cel";

import { evaluationTurns } from "../../resources/rule-engine.ts";
import type { ExpressionValues } from "./expression-input.ts";

/** Whether match conditions hold; `failed` where some could not be evaluated, and none is false. */
export type ConditionOutcome =
  | { readonly kind: "met" }
  | { readonly kind: "unmet" }
  | { readonly kind: "failed"; readonly message: string };

/** Evaluates match conditions: one that is false decides, whatever errors the others have. */
export async function evaluateConditions(
  conditions: readonly PolicyExpression[],
  values: ExpressionValues,
  variables?: PolicyVariableExpressions,
): Promise<ConditionOutcome> {
  const options = { budget: MATCH_CONDITION_BUDGET, turns: evaluationTurns() };
  const evaluation = await evaluatePolicy(
    conditions,
    values,
    variables === undefined ? options : { ...options, variables },
  );
  if (evaluation.kind === "exhausted") return { kind: "failed", message: evaluation.message };
  const errors: string[] = [];
  for (const each of evaluation.values) {
    if (each.kind === "error") errors.push(each.message);
    else if (each.kind === "value" && each.value === false) return { kind: "unmet" };
  }
  return errors.length === 0 ? { kind: "met" } : { kind: "failed", message: joinErrors(errors) };
}

function joinErrors(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`;
}

/** Returns the expressions of match conditions. */
export function conditionTexts(conditions: readonly MatchCondition[] | undefined): readonly string[] {
  return (conditions ?? []).map(({ expression }) => expression);
}
