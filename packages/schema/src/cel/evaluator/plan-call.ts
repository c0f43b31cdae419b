import type { Overload } from "../functions/function-declaration.ts";
import { MUTATION_FUNCTIONS } from "../functions/kubernetes-functions.ts";
import { elementsOf } from "../values/cel-list.ts";
import { CelOptional } from "../values/cel-optional.ts";
import { CelError, CelList, CelUint, type CelValue } from "../values/cel-value.ts";
import { equalAs, equalValues, noSuchOverload } from "../values/equality.ts";
import { isOfType, runtimeType } from "../values/runtime-type.ts";
import { type Frame, PlanError, type Step } from "./frame.ts";
import { OPERATORS } from "./operations/arithmetic.ts";
import { AUTHORIZATION } from "./operations/authorization.ts";
import { CONVERSIONS } from "./operations/conversions.ts";
import { compileGoPattern } from "./operations/go-pattern.ts";
import type { Invoke, Operations } from "./operations/invoke.ts";
import { ADDRESSES, NAMES, QUANTITIES } from "./operations/kubernetes-types.ts";
import { LISTS } from "./operations/lists.ts";
import { STRINGS } from "./operations/strings.ts";
import { TIMES } from "./operations/times.ts";

/** A call whose arguments are planned; what a method is called on comes first. */
interface PlannedCall {
  readonly name: string;
  readonly overloads: readonly string[];
  readonly args: readonly Step[];
}

/** Plans a call: the operators that are special, then constants, then functions by their overloads. */
export function planCall(call: PlannedCall): Step {
  const [left, right] = call.args;
  if (left !== undefined && right !== undefined && call.args.length === 2) {
    const special = planSpecial(call, left, right);
    if (special !== undefined) return special;
  }
  checkPattern(call);
  const step = planFunction(call);
  const [only, ...others] = call.args;
  const isConstant = FOLDED.has(call.name) && only?.constant !== undefined && others.length === 0;
  return isConstant ? foldConstant(step) : step;
}

const FOLDED: ReadonlySet<string> = new Set([
  "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint",
]); // prettier-ignore

function planSpecial({ name, overloads }: PlannedCall, left: Step, right: Step): Step | undefined {
  switch (name) {
    case "_&&_":
      return logicStep(left, right, false);
    case "_||_":
      return logicStep(left, right, true);
    case "_==_":
      return comparisonStep({ name, overloads: ["equals"], args: [left, right] }, equalValues);
    case "_!=_":
      return comparisonStep({ name, overloads: ["not_equals"], args: [left, right] }, isUnequal);
    case "or":
      return alternativeStep(left, right, (optional) => optional);
    case "orValue":
      return alternativeStep(left, right, (optional) => optional.value());
    case "@in":
      return overloads.length === 1 && overloads[0] === "in_list" ? membershipStep(left, right) : undefined;
    default:
      return undefined;
  }
}

// What cannot be compared is not equal either.
function isUnequal(left: CelValue, right: CelValue): boolean {
  return equalValues(left, right) !== true;
}

// One side may be an error where the other decides.
function logicStep(left: Step, right: Step, deciding: boolean): Step {
  return {
    evaluate: (frame) => {
      const first = left.evaluate(frame);
      if (first === deciding) return deciding;
      const second = right.evaluate(frame);
      if (second === deciding) return deciding;
      return problemOf(first) ?? problemOf(second) ?? !deciding;
    },
  };
}

function problemOf(value: CelValue): CelError | undefined {
  if (typeof value === "boolean") return undefined;
  return value instanceof CelError ? value : noSuchOverload();
}

function comparisonStep(
  { name, overloads, args }: PlannedCall,
  compare: (left: CelValue, right: CelValue) => boolean | CelError,
): Step {
  return strictStep({ name, overload: overloads[0] ?? "", args }, (left = null, right = null) => compare(left, right));
}

function alternativeStep(left: Step, right: Step, take: (optional: CelOptional) => CelValue): Step {
  return {
    evaluate: (frame) => {
      const optional = left.evaluate(frame);
      if (!(optional instanceof CelOptional)) return optional;
      return optional.held === undefined ? right.evaluate(frame) : take(optional);
    },
  };
}

// A list of constants is searched without counting.
function membershipStep(value: Step, list: Step): Step | undefined {
  const { constant } = list;
  if (!(constant instanceof CelList)) return undefined;
  if (constant.length === 0) return { constant: false, evaluate: () => false };
  const elements = elementsOf(constant);
  if (!elements.every((element) => isPrimitive(element))) return undefined;
  return {
    evaluate: (frame) => {
      const wanted = value.evaluate(frame);
      if (wanted instanceof CelError) return wanted;
      return isPrimitive(wanted) && elements.some((element) => equalAs(element, wanted) === true);
    },
  };
}

function isPrimitive(value: CelValue): boolean {
  return (typeof value !== "object" || value instanceof CelUint) && value !== null;
}

function checkPattern({ name, args }: PlannedCall): void {
  const pattern = ["matches", "find", "findAll"].includes(name) ? args[1]?.constant : undefined;
  if (typeof pattern !== "string") return;
  const compiled = compileGoPattern(pattern);
  if (compiled instanceof CelError) throw new PlanError(compiled.message);
}

function foldConstant(step: Step): Step {
  const constant = step.evaluate({ bindings: new Map(), slots: [], observer: undefined });
  if (constant instanceof CelError) throw new PlanError(constant.message);
  return { constant, evaluate: () => constant };
}

function planFunction({ name, overloads, args }: PlannedCall): Step {
  const single = SINGLE_OPERATIONS[name];
  const [overload = ""] = overloads.length === 1 ? overloads : [];
  const isEarly = args.length > 2 || hasConstantPattern(name, args);
  const plan = isEarly ? earlyStep : strictStep;
  if (single !== undefined) return plan({ name, overload, args }, single);
  const declared = MUTATION_FUNCTIONS.get(name)?.overloads ?? [];
  const chosen = declared.length === 1 ? declared[0] : declared.find((one) => one.id === overload);
  if (chosen === undefined) return earlyStep({ name, overload, args }, dispatch(name, declared));
  return plan({ name, overload, args }, guard(name, chosen));
}

// Such a pattern is compiled once, and the call planned again around it.
function hasConstantPattern(name: string, args: readonly Step[]): boolean {
  return PATTERN_FUNCTIONS.has(name) && typeof args[1]?.constant === "string";
}

const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(["matches", "find", "findAll"]);

interface ObservableCall {
  readonly name: string;
  readonly overload: string;
  readonly args: readonly Step[];
}

// All arguments are worked out, then the first error among them is the result.
function strictStep(call: ObservableCall, invoke: Invoke): Step {
  const run = observing(call);
  return {
    evaluate: (frame) => {
      const args = call.args.map((arg) => arg.evaluate(frame));
      const error = args.find((arg) => arg instanceof CelError);
      return run(frame, args, error === undefined ? invoke : () => error);
    },
  };
}

// The first error ends it, and only that of the last argument counts as a call.
function earlyStep(call: ObservableCall, invoke: Invoke): Step {
  const run = observing(call);
  return {
    evaluate: (frame) => {
      const args: CelValue[] = [];
      for (const arg of call.args) {
        const value = arg.evaluate(frame);
        args.push(value);
        if (value instanceof CelError) return args.length < call.args.length ? value : run(frame, args, () => value);
      }
      return run(frame, args, invoke);
    },
  };
}

type Run = (frame: Frame, args: readonly CelValue[], invoke: Invoke) => CelValue;

function observing({ name, overload }: ObservableCall): Run {
  if (COSTS_BY_RESULT.has(name)) {
    return (frame, args, invoke) => {
      const result = invoke(...args);
      frame.observer?.call({ function: name, overload, args, result });
      return result;
    };
  }
  return (frame, args, invoke) => {
    frame.observer?.call({ function: name, overload, args });
    return invoke(...args);
  };
}

// Each of them bounds its result.
const COSTS_BY_RESULT: ReadonlySet<string> = new Set(["join", "lists.range", "reverse", "slice"]);

function guard(name: string, overload: Overload): Invoke {
  const invoke = OPERATIONS[overload.id];
  return (...args) => (invoke !== undefined && accepts(name, overload, args) ? invoke(...args) : mismatch(name, args));
}

function dispatch(name: string, overloads: readonly Overload[]): Invoke {
  return (...args) => {
    const overload = overloads.find((one) => OPERATIONS[one.id] !== undefined && accepts(name, one, args));
    return overload === undefined ? mismatch(name, args) : (OPERATIONS[overload.id]?.(...args) ?? mismatch(name, args));
  };
}

function accepts(name: string, overload: Overload, args: readonly CelValue[]): boolean {
  if (args.length !== overload.args.length) return false;
  return UNGUARDED.has(name) || overload.args.every((type, index) => isOfType(type, args[index] ?? null));
}

function mismatch(name: string, args: readonly CelValue[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map((arg) => runtimeType(arg).name).join(", ")})`);
}

/** Works overloads out, by their ids; the kinds of their arguments are checked before. */
const OPERATIONS: Operations = {
  ...CONVERSIONS,
  ...TIMES,
  ...STRINGS,
  ...LISTS,
  ...QUANTITIES,
  ...ADDRESSES,
  ...NAMES,
  ...AUTHORIZATION,
};

const { type = none, dyn = none, size = none } = CONVERSIONS;
const { matches = none } = STRINGS;
const { sort = none, "@sortByAssociatedKeys": sortByAssociatedKeys = none } = LISTS;

function none(): null {
  return null;
}

/** Works functions out whatever their overloads, by their names. */
const SINGLE_OPERATIONS: Operations = {
  ...OPERATORS,
  type,
  dyn,
  size,
  matches,
  sort,
  "@sortByAssociatedKeys": sortByAssociatedKeys,
};

/** The functions whose overloads look at their arguments themselves. */
const UNGUARDED: ReadonlySet<string> = new Set(["contains", "endsWith", "startsWith", "flatten"]);
