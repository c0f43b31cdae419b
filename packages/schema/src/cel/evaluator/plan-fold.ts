import type { ComprehensionNode } from "../expressions/expression-tree.ts";
import { CelArray } from "../values/cel-list.ts";
import { CelDictionary } from "../values/cel-map.ts";
import { CelError, CelList, CelMap, type CelValue } from "../values/cel-value.ts";
import { runtimeType } from "../values/runtime-type.ts";
import type { EvaluationHistory, LoopProgress } from "./evaluation-history.ts";
import type { Frame, NodePlanner, Step, Variables } from "./frame.ts";
import { GrowingList, GrowingMap } from "./operations/collected-values.ts";

/** Plans a comprehension: its accumulator is worked out when it is first read, for one over nothing may never need it. */
export function planFold(planner: NodePlanner, node: ComprehensionNode, variables: Variables): Step {
  const [accumulator, first, second] = [planner.newSlot(), planner.newSlot(), planner.newSlot()];
  const withAccumulator = new Map(variables).set(node.accumulator, accumulator);
  const inLoop = new Map(withAccumulator).set(node.variable, first);
  if (node.secondVariable !== undefined) inLoop.set(node.secondVariable, second);
  const fold: Fold = {
    range: planner.plan(node.range, variables),
    init: planner.plan(node.accumulatorInit, variables),
    condition: planner.plan(node.condition, inLoop),
    step: planner.plan(node.step, inLoop),
    result: planner.plan(node.result, withAccumulator),
    hasTwoVariables: node.secondVariable !== undefined,
    collects: node.accumulator === "@result",
    slots: { accumulator, first, second },
  };
  return {
    evaluate: (frame) =>
      frame.history === undefined ? runFold(fold, frame) : runFoldInTurns(fold, frame, frame.history),
  };
}

interface Fold {
  readonly range: Step;
  readonly init: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
  readonly hasTwoVariables: boolean;
  /** Whether the accumulator belongs to the loop, and not to the expression. */
  readonly collects: boolean;
  readonly slots: { readonly accumulator: number; readonly first: number; readonly second: number };
}

function runFold(fold: Fold, frame: Frame): CelValue {
  const range = fold.range.evaluate(frame);
  if (range instanceof CelError) return range;
  const { slots } = frame;
  slots[fold.slots.accumulator] = { start: (current) => startOf(fold, current) };
  const pairs = pairsOf(range, fold.hasTwoVariables);
  if (pairs instanceof CelError) return pairs;
  for (const [first, second] of pairs) {
    frame.observer?.iteration?.();
    slots[fold.slots.first] = first;
    slots[fold.slots.second] = second;
    const goesOn = fold.condition.evaluate(frame);
    if (goesOn === false) break;
    slots[fold.slots.accumulator] = fold.step.evaluate(frame);
  }
  return resultOf(fold, frame);
}

function resultOf(fold: Fold, frame: Frame): CelValue {
  const result = fold.result.evaluate(frame);
  return result instanceof GrowingList || result instanceof GrowingMap ? result.finish() : result;
}

function runFoldInTurns(fold: Fold, frame: Frame, history: EvaluationHistory<Frame>): CelValue {
  const progress = history.enter(fold);
  try {
    const result = progress.result === undefined ? continueFold(fold, { frame, history, progress }) : progress.result;
    progress.result = result;
    return result;
  } finally {
    // A variable that costs too much fails alone.
    history.leave(progress);
  }
}

interface FoldTurn {
  readonly frame: Frame;
  readonly history: EvaluationHistory<Frame>;
  readonly progress: LoopProgress;
}

// Its variables still have the values that they had when the last turn ended.
function continueFold(fold: Fold, { frame, history, progress }: FoldTurn): CelValue {
  const { slots } = frame;
  if (progress.elements === undefined) {
    const range = fold.range.evaluate(frame);
    if (range instanceof CelError) return range;
    const pairs = pairsOf(range, fold.hasTwoVariables);
    if (pairs instanceof CelError) return pairs;
    slots[fold.slots.accumulator] = { start: (current) => startOf(fold, current) };
    progress.elements = pairs[Symbol.iterator]();
    progress.element = nextOf(progress.elements);
  }
  while (progress.element !== undefined) {
    history.look(progress);
    frame.observer?.iteration?.();
    [slots[fold.slots.first], slots[fold.slots.second]] = progress.element;
    const goesOn = fold.condition.evaluate(frame);
    if (goesOn !== false) slots[fold.slots.accumulator] = fold.step.evaluate(frame);
    progress.inner.clear();
    progress.element = goesOn === false ? undefined : nextOf(progress.elements);
  }
  return resultOf(fold, frame);
}

function nextOf<T>(iterator: Iterator<T>): T | undefined {
  const next = iterator.next();
  return next.done === true ? undefined : next.value;
}

type Pairs = Iterable<readonly [CelValue, CelValue]>;

function pairsOf(range: CelValue, hasTwoVariables: boolean): Pairs | CelError {
  if (range instanceof CelList) return elementPairs(range, hasTwoVariables);
  if (range instanceof CelMap)
    return range.keys().map((key) => [key, hasTwoVariables ? (range.find(key) ?? null) : null]);
  const type = goTypeOf(range);
  const problem = hasTwoVariables
    ? `unsupported comprehension range type: ${type}`
    : `got '${type}', expected iterable type`;
  return new CelError(problem);
}

// A loop that ends early takes no time for the elements that it does not reach.
function* elementPairs(list: CelList, hasTwoVariables: boolean): Pairs {
  for (let index = 0; index < list.length; index++) {
    yield hasTwoVariables ? [BigInt(index), list.at(index)] : [list.at(index), null];
  }
}

const GO_TYPES: Readonly<Record<string, string>> = {
  int: "types.Int",
  uint: "types.Uint",
  double: "types.Double",
  string: "types.String",
  bool: "types.Bool",
  bytes: "types.Bytes",
  null_type: "types.Null",
};

function goTypeOf(value: CelValue): string {
  const { name } = runtimeType(value);
  return GO_TYPES[name] ?? name;
}

// A list or map that a loop adds to one by one would otherwise be copied each time.
function startOf({ init, collects }: Fold, frame: Frame): CelValue {
  const value = init.evaluate(frame);
  if (!collects) return value;
  if (value instanceof CelArray && value.length === 0) return new GrowingList();
  return value instanceof CelDictionary && value.isZero() ? new GrowingMap([]) : value;
}
