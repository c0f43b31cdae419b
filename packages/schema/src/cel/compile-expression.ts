import type { CelType } from "./cel-type.ts";
import type { CheckedExpression, ExpressionIssue } from "./checked-expression.ts";
import type { DeclaredType } from "./declared-type.ts";
import type { EvaluationObserver } from "./evaluator/evaluation-observer.ts";
import type { CelValue } from "./values/cel-value.ts";

/** What the variables of an expression are. */
export interface ExpressionEnvironment {
  /** What `self` is: the value whose schema carries the rule, from {@link declareType}. */
  readonly self: DeclaredType;
  /** Whether `oldSelf` is an optional, as `optionalOldSelf` of a rule says; else it is like `self`. */
  readonly isOldSelfOptional?: boolean;
}

/** The values of the variables, from {@link toCelValue}. */
export interface ExpressionBindings {
  readonly self: CelValue;
  /** An optional ({@link optionalValue}) where the environment says so; an expression without it may leave it out. */
  readonly oldSelf?: CelValue;
}

/** Is an expression that an API server of 1.35 accepts in a new or changed CRD. */
export interface CompiledExpression {
  readonly kind: "compiled";
  /** The tree, its types and overloads: what costs are estimated from. */
  readonly checked: CheckedExpression;
  /** A rule must be `bool`, a messageExpression `string`. */
  readonly outputType: CelType;
  /** Whether the expression mentions `oldSelf`: then a rule is one about transitions. */
  readonly usesOldSelf: boolean;
  /**
   * Evaluates the expression; an error is returned, never thrown.
   *
   * Guarantees: steps are told to `observer` in the order in which the server counts their costs. What the observer throws ends the
   * evaluation and comes out as it is.
   */
  readonly evaluate: (bindings: ExpressionBindings, observer?: EvaluationObserver) => EvaluationResult;
}

/** Is an expression that an API server would not take, with the reasons in the order of its answer. */
export interface RejectedExpression {
  readonly kind: "rejected";
  readonly issues: readonly [ExpressionIssue, ...ExpressionIssue[]];
}

export type EvaluationResult =
  | { readonly kind: "value"; readonly value: CelValue }
  | { readonly kind: "error"; readonly message: string };
