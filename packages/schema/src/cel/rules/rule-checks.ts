import type { RuleChecks } from "../../structural/rule-checks.ts";
import { checkExpressions } from "./check-expressions.ts";
import { validateRules } from "./validate-rules.ts";

/** Checks expressions and defaults for {@link checkStructural}. */
export const ruleChecks: RuleChecks = {
  checkExpressions: (schema, options) => checkExpressions(schema, options).map(({ error }) => error),
  checkDefault: (schema, value, { path, isResourceRoot, budget }) => {
    const options = { path, isResourceRoot, isRatcheting: false, budget: budget.remaining };
    // A default must do as what an object has had all along, and as what it newly gets.
    const kept = validateRules(schema, value, { ...options, previous: value });
    const added = kept.errors.length === 0 ? validateRules(schema, value, options) : kept;
    budget.remaining = Math.min(kept.remaining, added.remaining);
    return added.errors;
  },
};
