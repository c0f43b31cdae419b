import { type CelType, optionalOf } from "./cel-type.ts";
import type { CheckedExpression, ExpressionIssue } from "./checked-expression.ts";
import { checkExpression, type Objection } from "./checker/check-expression.ts";
import { checkLiterals } from "./checker/check-literals.ts";
import { isQualifiedType } from "./checker/scope.ts";
import type { DeclaredType } from "./declared-type.ts";
import type { EvaluationObserver } from "./evaluator/evaluation-observer.ts";
import { PlanError } from "./evaluator/frame.ts";
import { type Plan, planExpression } from "./evaluator/plan-expression.ts";
import { childrenOf, type CelNode } from "./expression-tree.ts";
import { KUBERNETES_FUNCTIONS } from "./functions/kubernetes-functions.ts";
import { isReservedWord } from "./property-names.ts";
import { lineAndColumn, parseExpression } from "./syntax/parse-expression.ts";
import type { QualifiedNames } from "./syntax/tree-reader.ts";
import { CelError, type CelValue } from "./values/cel-value.ts";

/** The types of the variables. */
export interface ExpressionEnvironment {
  /** The type of `self`, from {@link declareType}. */
  readonly self: DeclaredType;
  /** Whether `oldSelf` is an optional, as `optionalOldSelf` of a rule says; else it is like `self`. */
  readonly isOldSelfOptional?: boolean;
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
   * evaluation and comes out as it is.
   */
  readonly evaluate: (bindings: ExpressionBindings, observer?: EvaluationObserver) => EvaluationResult;
}

/** An expression that an API server rejects, with the errors in its order. */
export interface RejectedExpression {
  /** Tells it from a compiled expression. */
  readonly kind: "rejected";
  /** The issues in the order of their place. */
  readonly issues: readonly [ExpressionIssue, ...ExpressionIssue[]];
}

/** The result of an evaluation: a value or an error. */
export type EvaluationResult =
  | { readonly kind: "value"; readonly value: CelValue }
  | { readonly kind: "error"; readonly message: string };

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
  const parsed = parseExpression(text, QUALIFIED_NAMES);
  if (parsed.kind === "failed") return reject(text, [parsed]);
  const { checked, objections } = checkExpression(parsed.root, {
    variables: variablesOf(environment),
    functions: KUBERNETES_FUNCTIONS,
    fieldType: fieldFinder(environment.self),
  });
  const [first, ...rest] = objections.length > 0 ? objections : checkLiterals(checked);
  if (first !== undefined) return reject(text, [first, ...rest]);
  const plan = tryToPlan(checked);
  if (plan instanceof PlanError)
    return reject(text, [{ message: `program instantiation failed: ${plan.message}`, offset: 0 }]);
  return {
    kind: "compiled",
    checked,
    outputType: checked.typeOf(checked.root),
    usesOldSelf: mentionsOldSelf(checked, checked.root),
    evaluate: (bindings, observer) => evaluatePlan(plan, bindings, observer),
  };
}

function tryToPlan(checked: CheckedExpression): Plan | PlanError {
  try {
    return planExpression(checked);
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
}

function evaluatePlan(
  plan: Plan,
  { self, oldSelf }: ExpressionBindings,
  observer?: EvaluationObserver,
): EvaluationResult {
  const bindings = new Map([["self", self]]);
  if (oldSelf !== undefined) bindings.set("oldSelf", oldSelf);
  const value = plan.step.evaluate({ bindings, slots: Array.from({ length: plan.slots }), observer });
  return value instanceof CelError ? { kind: "error", message: value.message } : { kind: "value", value };
}

const QUALIFIED_NAMES: QualifiedNames = {
  isFunction: (name) => KUBERNETES_FUNCTIONS.has(name),
  isType: isQualifiedType,
};

function variablesOf({ self, isOldSelfOptional = false }: ExpressionEnvironment): Readonly<Record<string, CelType>> {
  return { self: self.celType, oldSelf: isOldSelfOptional ? optionalOf(self.celType) : self.celType };
}

function fieldFinder(root: DeclaredType): (typeName: string, field: string) => CelType | undefined {
  const objects = new Map<string, DeclaredType>();
  collectObjects(root, objects);
  return (typeName, field) => {
    const object = objects.get(typeName);
    if (object?.kind !== "object") return undefined;
    const found = object.fields.get(field) ?? (isReservedWord(field) ? object.fields.get(`__${field}__`) : undefined);
    return found?.celType;
  };
}

function collectObjects(type: DeclaredType, objects: Map<string, DeclaredType>): void {
  switch (type.kind) {
    case "object":
      objects.set(type.celType.name, type);
      for (const field of type.fields.values()) collectObjects(field, objects);
      break;
    case "list":
      collectObjects(type.element, objects);
      break;
    case "map":
      collectObjects(type.value, objects);
      break;
    case "scalar":
      break;
  }
}

function mentionsOldSelf(checked: CheckedExpression, node: CelNode): boolean {
  return checked.referenceOf(node) === "oldSelf" || childrenOf(node).some((child) => mentionsOldSelf(checked, child));
}

function reject(text: string, objections: readonly [Objection, ...Objection[]]): RejectedExpression {
  const [first, ...rest] = objections.toSorted((left, right) => left.offset - right.offset);
  return {
    kind: "rejected",
    issues: [issueOf(text, first ?? objections[0]), ...rest.map((one) => issueOf(text, one))],
  };
}

function issueOf(text: string, { message, offset }: Objection): ExpressionIssue {
  return { message, offset, ...lineAndColumn(text, offset) };
}
