import type { FieldError, JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema } from "../../model/json-schema.ts";
import { checkStructural, type StructuralOptions } from "../../structural/check-structural.ts";
import type { DefaultsBudget, RuleChecks } from "../../structural/rule-checks.ts";
import type { EvaluationTurns } from "../evaluator/evaluation-turns.ts";
import { ruleChecks } from "./check-rules.ts";
import { type RuleResult, validateRulesInTurns } from "./validate-rules.ts";

/**
 * Checks a schema as {@link checkStructural} with its CEL rules, which are also applied to its defaults.
 *
 * Guarantees: the same errors; pauses between two rules of defaults, and within long ones, where `turns` asks for it; a rule that is still in a loop after two
 * seconds fails.
 */
export async function checkStructuralInTurns(
  schema: JsonSchema,
  { turns, ...options }: Omit<StructuralOptions, "rules"> & { readonly turns: EvaluationTurns },
): Promise<readonly FieldError[]> {
  const defaults: CheckedDefault[] = [];
  checkStructural(schema, { ...options, rules: collecting(defaults) });
  const results = await applyRules(defaults, turns);
  return checkStructural(schema, { ...options, rules: answering(results) });
}

/** A default, whose rules are applied later. */
interface CheckedDefault {
  readonly schema: JsonSchema;
  readonly value: JSONValue;
  readonly path: string;
  readonly isResourceRoot: boolean;
  /** What all defaults together may cost. */
  readonly budget: DefaultsBudget;
}

function collecting(defaults: CheckedDefault[]): RuleChecks {
  return {
    checkExpressions: () => [],
    checkDefault: (schema, value, options) => {
      defaults.push({ schema, value, ...options });
      return [];
    },
  };
}

async function applyRules(defaults: readonly CheckedDefault[], turns: EvaluationTurns): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = [];
  for (const { budget, ...each } of defaults) {
    if (budget.remaining < 0) break;
    const result = await applyToDefault(each, budget.remaining, turns);
    budget.remaining = result.remaining;
    results.push(result);
  }
  return results;
}

async function applyToDefault(
  { schema, value, path, isResourceRoot }: Omit<CheckedDefault, "budget">,
  budget: number,
  turns: EvaluationTurns,
): Promise<RuleResult> {
  const options = { path, isResourceRoot, isRatcheting: false, budget, turns };
  const kept = await validateRulesInTurns(schema, value, { ...options, previous: value });
  if (kept.errors.length > 0) return kept;
  const added = await validateRulesInTurns(schema, value, options);
  return { ...added, remaining: Math.min(kept.remaining, added.remaining) };
}

// The defaults of a schema are checked in the same order each time, up to the one that exceeds the budget.
function answering(results: readonly RuleResult[]): RuleChecks {
  const left = results.values();
  return {
    ...ruleChecks,
    checkDefault: (_schema, _value, { budget }) => {
      const { value: result } = left.next();
      if (result === undefined) return [];
      budget.remaining = result.remaining;
      return result.errors;
    },
  };
}
