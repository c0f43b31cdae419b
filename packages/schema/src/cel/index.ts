/**
 * CEL as Kubernetes has it for the rules of CustomResourceDefinitions: {@link declareType} says what a schema declares,
 * {@link compileExpression} checks an expression against it.
 */
export { type CelType, formatCelType } from "./values/cel-type.ts";
export type { CheckedExpression, ExpressionIssue } from "./expressions/checked-expression.ts";
export {
  compileExpression,
  type CompiledExpression,
  type ExpressionBindings,
  type ExpressionEnvironment,
} from "./compiler/compile-expression.ts";
export type { CompiledProgram, EvaluationResult, RejectedExpression } from "./compiler/compile-program.ts";
export { type CostEstimate, estimateCost } from "./cost/estimate-cost.ts";
export { type DeclaredType, declaredTypeAt, declareType } from "./expressions/declared-type.ts";
export { checkRules, type RuleCheckOptions } from "./rules/check-rules.ts";
export type { RuleFinding, RuleProblem } from "./rules/rule-finding.ts";
export { ruleChecks } from "./rules/check-rules.ts";
export { checkStructuralInTurns } from "./rules/check-structural-in-turns.ts";
export type { UnboundedField } from "./rules/unbounded-fields.ts";
export {
  type RuleResult,
  type RuleValidationOptions,
  validateRules,
  validateRulesInTurns,
} from "./rules/validate-rules.ts";
export type { EvaluationTurns } from "./evaluator/evaluation-turns.ts";
export type { EvaluationObserver, ObservedCall } from "./evaluator/evaluation-observer.ts";
export { CelError, CelList, type CelLiteral, CelMap, CelObject, CelUint, type CelValue } from "./values/cel-value.ts";
export { optionalValue } from "./values/cel-optional.ts";
export { toCelValue } from "./values/schema-value.ts";
export { toPlainValue } from "./values/plain-value.ts";
export {
  CelAuthorizer,
  CelResourceCheck,
  type CheckAttributes,
  type CheckAuthority,
  type CheckDecision,
  type CheckedResource,
} from "./values/authorizer.ts";
export { deviceSelectorProblem, type DeviceSelectorProblem } from "./devices/device-selector.ts";
export { evaluateMutation, type MutationOutcome } from "./policies/mutation-evaluation.ts";
export { applyConfigurationOf, jsonPatchOf } from "./policies/mutation-values.ts";
export {
  PolicyCompiler,
  type PolicyExpression,
  type PolicyObjectTypes,
  type PolicyResult,
  type PolicyVariables,
} from "./policies/policy-compiler.ts";
export {
  evaluatePolicy,
  MATCH_CONDITION_BUDGET,
  POLICY_BUDGET,
  type PolicyEvaluation,
  type PolicyValue,
  type PolicyVariableExpressions,
} from "./policies/policy-evaluation.ts";
