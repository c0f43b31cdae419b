import type { EvaluationHistory } from "../evaluator/evaluation-history.ts";
import type { EvaluationObserver } from "../evaluator/evaluation-observer.ts";
import type { Frame } from "../evaluator/frame.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";
import { childrenOf, type CelNode } from "../expressions/expression-tree.ts";
import { functionsOfNewRules } from "../functions/kubernetes-functions.ts";
import { type CelType, optionalOf } from "../values/cel-type.ts";
import type { CelValue } from "../values/cel-value.ts";
import { compileProgram, type EvaluationResult, fieldFinder, type RejectedExpression } from "./compile-program.ts";

/** The types of the variables. */
export interface ExpressionEnvironment {
  /** The type of `self`, from {@link declareType}. */
  readonly self: DeclaredType;
  /** Whether `oldSelf` is an optional, as `optionalOldSelf` of a rule says; else it is like `self`. */
  readonly isOldSelfOptional?: boolean;
  /** The minor version of Kubernetes whose functions a new rule may call. Default: 1.35, whose functions newer versions have, too. */
  readonly kubernetesVersion?: string | undefined;
}

/** The values of the variables, from {@link toCelValue}. */
export interface ExpressionBindings {
  /** The value of `self`. */
  readonly self: CelValue;
  /** An optional ({@link optionalValue}) where the environment says so; an expression without it may leave it out. */
  readonly oldSelf?: CelValue;
}

/** An expression that an API server of 1.35 accepts in a new or changed CRD. */
export interface CompiledExpression {
  /** Tells it from a rejected expression. */
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
   * Guarantees: steps are reported to `observer` in the order in which the server counts their costs. What the observer throws ends the
   * evaluation and comes out as it is. An evaluation with a history continues where its last turn ended.
   */
  readonly evaluate: (
    bindings: ExpressionBindings,
    observer?: EvaluationObserver,
    history?: EvaluationHistory<Frame>,
  ) => EvaluationResult;
}

/**
 * Compiles an expression as an API server of 1.35 does for a rule of a CRD: syntax, types against the schema, and literals that its
 * functions could not read.
 *
 * What the expression must evaluate to is for the caller to say.
 *
 * @example
 * const self = declareType({ type: "object", properties: { replicas: { type: "integer" } } });
 * compileExpression("self.replicas >= 0", { self }); // { kind: "compiled", outputType: BOOL, usesOldSelf: false, … }
 */
export function compileExpression(
  text: string,
  environment: ExpressionEnvironment,
): CompiledExpression | RejectedExpression {
  const program = compileProgram(text, {
    variables: variablesOf(environment),
    fieldType: fieldFinder([environment.self]),
    ...(environment.kubernetesVersion === undefined
      ? {}
      : { functions: functionsOfNewRules(environment.kubernetesVersion) }),
  });
  if (program.kind === "rejected") return program;
  const { checked } = program;
  return {
    ...program,
    usesOldSelf: mentionsOldSelf(checked, checked.root),
    evaluate: (bindings, observer, history) => program.evaluate(bindingsOf(bindings), observer, history),
  };
}

function bindingsOf({ self, oldSelf }: ExpressionBindings): ReadonlyMap<string, CelValue> {
  const bindings = new Map([["self", self]]);
  if (oldSelf !== undefined) bindings.set("oldSelf", oldSelf);
  return bindings;
}

function variablesOf({ self, isOldSelfOptional = false }: ExpressionEnvironment): Readonly<Record<string, CelType>> {
  return { self: self.celType, oldSelf: isOldSelfOptional ? optionalOf(self.celType) : self.celType };
}

function mentionsOldSelf(checked: CheckedExpression, node: CelNode): boolean {
  return checked.referenceOf(node) === "oldSelf" || childrenOf(node).some((child) => mentionsOldSelf(checked, child));
}
