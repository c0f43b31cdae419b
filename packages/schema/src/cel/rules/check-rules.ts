import type { JsonSchema } from "../../model/json-schema.ts";
import { checkStructural, type StructuralOptions } from "../../structural/check-structural.ts";
import type { RuleChecks } from "../../structural/rule-checks.ts";
import { checkRuleForm } from "../../structural/rule-form.ts";
import { checkExpressions } from "./check-expressions.ts";
import { type RuleFinding, ruleFinding } from "./rule-finding.ts";
import { childScopes, rootScope, type RuleScope } from "./rule-scope.ts";
import { validateRules } from "./validate-rules.ts";

/**
 * Checks the CEL rules of a schema as a server does before it accepts a definition: form, meaning, cost, and what they say of the
 * old object.
 *
 * Guarantees: findings have the server's messages and paths; what is about cost names the fields without bounds. A schema that is
 * not structural has findings about form alone.
 *
 * @example
 * checkRules({ type: "object", properties: { spec: { type: "object", "x-kubernetes-validations": [{ rule: "self.x" }] } } });
 */
export function checkRules(
  schema: JsonSchema,
  { kubernetesVersion, ...options }: RuleCheckOptions = {},
): readonly RuleFinding[] {
  const path = options.path ?? "spec.validation.openAPIV3Schema";
  const found: RuleFinding[] = [];
  checkStructural(schema, {
    ...options,
    path,
    rules: {
      checkExpressions: (checked, step) => {
        found.push(...checkExpressions(checked, { ...step, kubernetesVersion }));
        return [];
      },
      checkDefault: () => [],
    },
  });
  return [...formFindings(rootScope(schema, path)), ...found];
}

/** How the rules of a schema are checked. */
export interface RuleCheckOptions extends Pick<StructuralOptions, "path" | "previous" | "isUnchanged"> {
  /** The minor version of Kubernetes whose functions the rules may call, such as `1.34`. Default: 1.35, whose functions newer versions have, too. */
  readonly kubernetesVersion?: string;
}

function formFindings(scope: RuleScope): readonly RuleFinding[] {
  const here = checkRuleForm(scope.schema, scope.path);
  return [...childScopes(scope).flatMap(formFindings), ...here.map((error) => ruleFinding("form", error))];
}

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
