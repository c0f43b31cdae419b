/**
 * CEL as Kubernetes has it for the rules of CustomResourceDefinitions: {@link declareType} says what a schema declares,
 * {@link compileExpression} checks an expression against it.
 */
export { type CelType, formatCelType } from "./cel-type.ts";
export type { CheckedExpression, ExpressionIssue } from "./checked-expression.ts";
export {
  compileExpression,
  type CompiledExpression,
  type EvaluationResult,
  type ExpressionBindings,
  type ExpressionEnvironment,
  type RejectedExpression,
} from "./compile-expression.ts";
export { type DeclaredType, declaredTypeAt, declareType } from "./declared-type.ts";
export { type RuleFinding, type RuleProblem } from "./rules/check-expressions.ts";
export { checkRules } from "./rules/check-rules.ts";
export type { UnboundedField } from "./rules/unbounded-fields.ts";
