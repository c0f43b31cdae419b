import type { JsonSchema } from "../../json-schema.ts";
import { checkStructural, type StructuralOptions } from "../../structural/check-structural.ts";
import { checkExpressions } from "./check-expressions.ts";
import { type RuleFinding, ruleFinding } from "./rule-finding.ts";
import { checkRuleForm } from "./rule-form.ts";
import { childScopes, rootScope, type RuleScope } from "./rule-scope.ts";

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
  options: Pick<StructuralOptions, "path" | "previous" | "isUnchanged"> = {},
): readonly RuleFinding[] {
  const path = options.path ?? "spec.validation.openAPIV3Schema";
  const found: RuleFinding[] = [];
  checkStructural(schema, {
    ...options,
    path,
    rules: {
      checkExpressions: (checked, step) => {
        found.push(...checkExpressions(checked, step));
        return [];
      },
      checkDefault: () => [],
    },
  });
  return [...formFindings(rootScope(schema, path)), ...found];
}

function formFindings(scope: RuleScope): readonly RuleFinding[] {
  const here = checkRuleForm(scope.schema, scope.path);
  return [...childScopes(scope).flatMap(formFindings), ...here.map((error) => ruleFinding("form", error))];
}
