import { type FieldError, forbiddenField, internalFieldError, invalidField } from "@kubescaffold/k8s";

import { childPath } from "../../model/field-path.ts";
import type { JsonSchema, ValidationRule } from "../../model/json-schema.ts";
import { rulePath } from "../../structural/rule-form.ts";
import type { CompiledExpression } from "../compiler/compile-expression.ts";
import { estimateCost } from "../cost/estimate-cost.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";
import { type CompiledRule, compileRule } from "./compile-rule.ts";
import {
  addToTotal,
  type CostTotal,
  mostRepetitions,
  overBudget,
  repeatedCost,
  RULE_COST_LIMIT,
  SCHEMA_COST_LIMIT,
} from "./rule-budget.ts";
import { type RuleFinding, ruleFinding } from "./rule-finding.ts";
import { childScopes, rootScope, type RuleScope } from "./rule-scope.ts";
import { type UnboundedField, unboundedFields } from "./unbounded-fields.ts";

/** What the check of the expressions of a schema needs to know besides the schema. */
export interface ExpressionCheckOptions {
  /** Where the schema stands. */
  readonly path: string;
  /** What is wrong with the schema otherwise: the rules at and above such a place are not looked at. */
  readonly schemaErrors: readonly FieldError[];
  /** Reports that the schema has not changed: single rules may cost what they did before. */
  readonly isUnchanged?: boolean;
  /** The minor version of Kubernetes whose functions the rules may call. Default: 1.35, whose functions newer versions have, too. */
  readonly kubernetesVersion?: string | undefined;
  /** Whether the names in metadata have a bound. Default: false. */
  readonly boundsNames?: boolean;
}

/** Checks what the expressions of a schema mean and cost, with upstream's messages and in its order. */
export function checkExpressions(schema: JsonSchema, options: ExpressionCheckOptions): readonly RuleFinding[] {
  const check: Check = { options, total: { total: 0n, expensive: [] }, unbounded: new Map() };
  const findings = checkBelow(rootScope(schema, options.path, options.boundsNames), check);
  return [...findings, ...totalFindings(check)];
}

interface Check {
  readonly options: ExpressionCheckOptions;
  readonly total: CostTotal;
  /** By the path of an expression, what makes it expensive. */
  readonly unbounded: Map<string, readonly UnboundedField[]>;
}

function checkBelow(scope: RuleScope, check: Check): readonly RuleFinding[] {
  const below = childScopes(scope).flatMap((child) => checkBelow(child, check));
  const rules = scope.schema["x-kubernetes-validations"] ?? [];
  const isBroken = check.options.schemaErrors.some(({ field }) => isAtOrBelow(field, scope.path));
  return rules.length === 0 || isBroken ? below : [...below, ...checkRulesOf(scope, rules, check)];
}

function isAtOrBelow(field: string, path: string): boolean {
  return field.startsWith(path) && /^(?:$|[.[])/.test(field.slice(path.length));
}

function checkRulesOf(scope: RuleScope, rules: readonly ValidationRule[], check: Check): readonly RuleFinding[] {
  const declared = scope.declared();
  if (declared === undefined) {
    const detail =
      "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
    const error = internalFieldError(childPath(scope.path, "x-kubernetes-validations"), detail);
    return [ruleFinding("hidden-value", error)];
  }
  return rules.flatMap((rule, index) => {
    const at = rulePath(scope.path, index);
    const compiled = compileRule(rule, declared, check.options.kubernetesVersion);
    const place: RulePlace = { at, rule, declared, scope, check };
    return compiled.kind === "compiled" ? acceptedFindings(place, compiled) : rejectedFindings(place, compiled);
  });
}

interface RulePlace {
  readonly at: string;
  readonly rule: ValidationRule;
  readonly declared: DeclaredType;
  readonly scope: RuleScope;
  readonly check: Check;
}

function rejectedFindings(
  { at, rule }: RulePlace,
  compiled: Exclude<CompiledRule, { kind: "compiled" }>,
): readonly RuleFinding[] {
  if (compiled.kind === "empty") {
    return [];
  }
  const problem = compiled.isResult ? "result-type" : "compile";
  return [
    ruleFinding(problem, invalidField(childPath(at, "rule"), asUpstream(rule), compiled.detail)),
    ...optionalOldSelfFindings(rule, at),
  ];
}

function acceptedFindings(
  place: RulePlace,
  { rule: expression, message }: Extract<CompiledRule, { kind: "compiled" }>,
): readonly RuleFinding[] {
  const { at, rule, scope } = place;
  return [
    ...costFindings(place, expression, "rule"),
    ...(message?.kind === "rejected"
      ? [
          ruleFinding(
            "message-compile",
            invalidField(childPath(at, "messageExpression"), asUpstream(rule), message.detail),
          ),
        ]
      : []),
    ...(message?.kind === "compiled" ? costFindings(place, message.expression, "messageExpression") : []),
    ...(expression.usesOldSelf ? transitionFindings(scope, at, rule) : optionalOldSelfFindings(rule, at)),
  ];
}

// A message is worked out for one failed rule, so it is not repeated.
function costFindings(
  { at, declared, scope, check }: RulePlace,
  expression: CompiledExpression,
  what: "rule" | "messageExpression",
): readonly RuleFinding[] {
  const estimate = estimateCost(expression.checked, declared);
  const path = childPath(at, what);
  const repetitions = scope.repetitions ?? mostRepetitions(declared.minSerializedSize);
  const cost = what === "rule" ? repeatedCost(estimate.max, repetitions) : estimate.max;
  const unbounded = unboundedFields(scope, estimate.read);
  addToTotal(check.total, path, cost);
  check.unbounded.set(path, unbounded);
  return cost > RULE_COST_LIMIT && check.options.isUnchanged !== true
    ? [
        ruleFinding(
          what === "rule" ? "cost" : "message-cost",
          overBudget(path, `estimated ${what} cost`, { of: cost, limit: RULE_COST_LIMIT }),
          unbounded,
        ),
      ]
    : [];
}

function transitionFindings(scope: RuleScope, at: string, { rule }: ValidationRule): readonly RuleFinding[] {
  const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${scope.uncorrelatable ?? ""}`;
  return scope.uncorrelatable === undefined
    ? []
    : [ruleFinding("transition", invalidField(childPath(at, "rule"), rule, detail))];
}

function optionalOldSelfFindings({ optionalOldSelf }: ValidationRule, at: string): readonly RuleFinding[] {
  const detail = "may not be set if oldSelf is not used in rule";
  return optionalOldSelf === undefined || optionalOldSelf === null
    ? []
    : [ruleFinding("optional-old-self", invalidField(childPath(at, "optionalOldSelf"), optionalOldSelf, detail))];
}

function totalFindings({ total, unbounded, options }: Check): readonly RuleFinding[] {
  if (total.total <= SCHEMA_COST_LIMIT) {
    return [];
  }
  const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
  const detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
  const named = total.expensive.map(({ path }) =>
    ruleFinding("total-cost", forbiddenField(path, detail), unbounded.get(path)),
  );
  const together = [...new Map(named.flatMap((one) => one.unbounded).map((field) => [field.path, field])).values()];
  const error = overBudget(options.path, what, { of: total.total, limit: SCHEMA_COST_LIMIT });
  return [...named, ruleFinding("total-cost", error, together)];
}

// Upstream prints a rule with Go's names.
function asUpstream(rule: ValidationRule): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ["Rule", rule.rule],
    ["Message", rule.message ?? ""],
    ["MessageExpression", rule.messageExpression ?? ""],
    ["Reason", rule.reason ?? null],
    ["FieldPath", rule.fieldPath ?? ""],
    ["OptionalOldSelf", rule.optionalOldSelf ?? null],
  ]);
}
