import { checkExpression, type Objection } from "../checker/check-expression.ts";
import { checkLiterals } from "../checker/check-literals.ts";
import { isQualifiedType } from "../checker/scope.ts";
import type { EvaluationHistory } from "../evaluator/evaluation-history.ts";
import type { EvaluationObserver } from "../evaluator/evaluation-observer.ts";
import { type Frame, PlanError } from "../evaluator/frame.ts";
import { type Plan, planExpression } from "../evaluator/plan-expression.ts";
import type { CheckedExpression, ExpressionIssue } from "../expressions/checked-expression.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";
import type { FunctionDeclaration } from "../functions/function-declaration.ts";
import { KUBERNETES_FUNCTIONS } from "../functions/kubernetes-functions.ts";
import { lineAndColumn, parseExpression } from "../syntax/parse-expression.ts";
import type { CelType } from "../values/cel-type.ts";
import { CelError, type CelValue } from "../values/cel-value.ts";
import { isReservedWord } from "../values/property-names.ts";

/** The names that an expression may use. */
export interface ProgramScope {
  /** The types of the variables; a name may have dots. */
  readonly variables: Readonly<Record<string, CelType>>;
  /** Finds the type of a field of a declared object, by the name of the object's type. */
  readonly fieldType: (typeName: string, field: string) => CelType | undefined;
  /** Finds the types of messages that an expression may make, by their names, with the functions for them. Default: there are none. */
  readonly messages?: MessageTypes;
  /** The functions that an expression may call, if it makes no messages. Default: those of new rules in 1.35. */
  readonly functions?: ReadonlyMap<string, FunctionDeclaration>;
  /** Whether `cel.bind` gives names to values. */
  readonly hasBindings?: boolean;
}

/** The types of messages that an expression may make. */
export interface MessageTypes {
  readonly typeNamed: (name: string) => CelType | undefined;
  /** The functions of the expression, which include those for messages. */
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
}

/** An expression that a server accepts. */
export interface CompiledProgram {
  /** Tells it from a rejected expression. */
  readonly kind: "compiled";
  /** The tree, its types and overloads: what costs are estimated from. */
  readonly checked: CheckedExpression;
  /** The type of its values. */
  readonly outputType: CelType;
  /**
   * Evaluates the expression; an error is returned, never thrown.
   *
   * Guarantees: steps are reported to `observer` in the order in which the server counts their costs. What the observer or a value throws
   * ends the evaluation and comes out as it is. An evaluation with a history continues where its last turn ended.
   */
  readonly evaluate: (
    bindings: ReadonlyMap<string, CelValue>,
    observer?: EvaluationObserver,
    history?: EvaluationHistory<Frame>,
  ) => EvaluationResult;
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

/** Compiles an expression: syntax, types, and literals that its functions could not read. */
export function compileProgram(text: string, scope: ProgramScope): CompiledProgram | RejectedExpression {
  const functions = scope.messages?.functions ?? scope.functions ?? KUBERNETES_FUNCTIONS;
  const parsed = parseExpression(text, {
    isFunction: (name) => functions.has(name),
    isType: (name) =>
      isQualifiedType(name) ||
      (name.includes(".") && Object.hasOwn(scope.variables, name)) ||
      scope.messages?.typeNamed(name) !== undefined,
    ...(scope.hasBindings === undefined ? {} : { hasBindings: scope.hasBindings }),
  });
  if (parsed.kind === "failed") return reject(text, [parsed]);
  const messageType = scope.messages?.typeNamed;
  const { checked, objections } = checkExpression(parsed.root, {
    ...scope,
    functions,
    ...(messageType === undefined ? {} : { messageType }),
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
    evaluate: (bindings, observer, history) => {
      const create = (): Frame => ({ bindings, slots: [], observer, history });
      return evaluatePlan(plan, history === undefined ? create() : history.frameOf(plan, create));
    },
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

function evaluatePlan(plan: Plan, frame: Frame): EvaluationResult {
  const value = plan.step.evaluate(frame);
  return value instanceof CelError ? { kind: "error", message: value.message } : { kind: "value", value };
}

/** Returns a function that finds the types of the fields of objects in declared types. */
export function fieldFinder(roots: readonly DeclaredType[]): ProgramScope["fieldType"] {
  const objects = new Map<string, DeclaredType>();
  for (const root of roots) collectObjects(root, objects);
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
