import type { CheckedExpression } from "../expressions/checked-expression.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";
import type {
  CallNode,
  CelNode,
  ComprehensionNode,
  ListNode,
  MapNode,
  SelectNode,
} from "../expressions/expression-tree.ts";
import {
  type CostWalk,
  bindElement,
  bindValue,
  entriesOf,
  localOf,
  pathOf,
  remember,
  sizeOf,
  sizeOrUnknown,
  startWalk,
  unbind,
} from "./cost-walk.ts";
import { libraryCost } from "./library-call-costs.ts";
import { listFunctionCost } from "./list-call-costs.ts";
import { appendToPath, pathOfVariable } from "./node-path.ts";
import { type CallEstimate, type Operand, type OverloadCall, operandOf } from "./operand.ts";
import { MAX_UINT64, NONE, type Span, add, fixed, multiply, union } from "./ranges.ts";
import { standardCost } from "./standard-call-costs.ts";

const ACCESS: Span = fixed(1n);
const NEW_LIST: Span = fixed(10n);
const NEW_MAP: Span = fixed(30n);
const NEW_MESSAGE: Span = fixed(40n);

/**
 * Estimates the minimum and maximum cost of an expression, in the units of kube-apiserver's budgets.
 *
 * Guarantees: the numbers are upstream's own, which are part of its API; they depend on the declared sizes of what the expression
 * reads.
 */
export function estimateCost(checked: CheckedExpression, self: DeclaredType): CostEstimate {
  const walk = startWalk(checked, self);
  return { ...costOf(walk, checked.root), read: [...walk.read.values()] };
}

/** The estimated cost of an expression, and the paths of the values that it depends on. */
export interface CostEstimate extends Span {
  /** The ways from `self` to the values whose sizes count: names as CEL knows them, `@items` and `@values`. */
  readonly read: readonly (readonly string[])[];
}

function costOf(walk: CostWalk, node: CelNode): Span {
  switch (node.kind) {
    case "literal":
      return NONE;
    case "ident":
      walk.paths.set(node, localOf(walk, node.name)?.path ?? pathOfVariable(node.name));
      return ACCESS;
    case "select":
      return costOfSelect(walk, node);
    case "call":
      return costOfCall(walk, node);
    case "list":
      return costOfList(walk, node);
    case "map":
      return costOfMap(walk, node);
    case "message":
      return add(NEW_MESSAGE, ...node.fields.map(({ value }) => costOf(walk, value)));
    case "comprehension":
      return isBinding(node) ? costOfBinding(walk, node) : costOfLoop(walk, node);
  }
}

// A presence test costs nothing but its operand: servers keep it so for the sake of older rules.
function costOfSelect(walk: CostWalk, node: SelectNode): Span {
  const cost = costOf(walk, node.operand);
  if (node.isPresenceTest) {
    return cost;
  }
  const { kind } = walk.checked.typeOf(node.operand);
  walk.paths.set(node, appendToPath(pathOf(walk, node.operand), node.field));
  return kind === "map" || kind === "struct" || kind === "param" ? add(cost, ACCESS) : cost;
}

function costOfCall(walk: CostWalk, node: CallNode): Span {
  const [first] = node.args;
  if (node.function === "dyn" && first !== undefined) {
    return costOfDyn(walk, node, first);
  }
  const costs: Span[] = [];
  const args: Operand[] = [];
  for (const arg of node.args) {
    costs.push(costOf(walk, arg));
    args.push(operandOf(walk, arg));
  }
  const overloads = walk.checked.overloadsOf(node);
  if (overloads.length === 0) {
    return NONE;
  }
  const targetCost = node.target === undefined ? NONE : costOf(walk, node.target);
  const target = node.target === undefined ? undefined : operandOf(walk, node.target);
  return add(targetCost, costOfOverloads(walk, node, { overloads, target, args, costs }));
}

interface Operands {
  readonly overloads: readonly string[];
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  readonly costs: readonly Span[];
}

function costOfOverloads(walk: CostWalk, node: CallNode, { overloads, ...operands }: Operands): Span {
  let cost: Span = { min: MAX_UINT64, max: 0n };
  let size: Span | undefined;
  for (const overload of overloads) {
    const estimate: CallEstimate = estimateCall(walk, { node, overload, ...operands });
    cost = union(cost, estimate.cost);
    size = estimate.size === undefined ? size : size === undefined ? estimate.size : union(size, estimate.size);
    const [container] = node.args;
    if ((overload === "index_list" || overload === "index_map") && container !== undefined) {
      size = entriesOf(walk, container)?.value;
      const step = overload === "index_list" ? "@items" : "@values";
      walk.paths.set(node, appendToPath(pathOf(walk, container), step));
    }
    size ??= sizeOf(walk, node);
  }
  remember(walk, node, { size });
  return cost;
}

function costOfDyn(walk: CostWalk, node: CallNode, arg: CelNode): Span {
  const cost = costOf(walk, arg);
  remember(walk, node, { size: sizeOf(walk, arg), entries: entriesOf(walk, arg) });
  return add(ACCESS, cost);
}

const EMPTY: Span = { min: MAX_UINT64, max: 0n };

function costOfList(walk: CostWalk, node: ListNode): Span {
  let cost = NONE;
  let value = node.elements.length === 0 ? NONE : EMPTY;
  for (const element of node.elements) {
    cost = add(cost, costOf(walk, element));
    value = union(value, sizeOrUnknown(walk, element));
  }
  remember(walk, node, { entries: { container: "list", key: fixed(1n), value } });
  return add(cost, NEW_LIST);
}

function costOfMap(walk: CostWalk, node: MapNode): Span {
  let cost = NONE;
  let key = node.entries.length === 0 ? NONE : EMPTY;
  let value = key;
  for (const entry of node.entries) {
    cost = add(cost, costOf(walk, entry.key), costOf(walk, entry.value));
    key = union(key, sizeOrUnknown(walk, entry.key));
    value = union(value, sizeOrUnknown(walk, entry.value));
  }
  remember(walk, node, { entries: { container: "map", key, value } });
  return add(cost, NEW_MAP);
}

// A binding is a loop over nothing, the way in which macros give a name to a value.
function isBinding({ range, condition, accumulator }: ComprehensionNode): boolean {
  return (
    range.kind === "list" &&
    range.elements.length === 0 &&
    condition.kind === "literal" &&
    condition.value === false &&
    accumulator !== "__result__"
  );
}

function costOfBinding(walk: CostWalk, node: ComprehensionNode): Span {
  const cost = add(costOf(walk, node.range), costOf(walk, node.accumulatorInit));
  bindValue(walk, node.accumulator, node.accumulatorInit);
  const resultCost = costOf(walk, node.result);
  unbind(walk, node.accumulator);
  remember(walk, node, { size: sizeOf(walk, node.result), entries: entriesOf(walk, node.result) });
  return add(cost, resultCost);
}

function costOfLoop(walk: CostWalk, node: ComprehensionNode): Span {
  const { range, accumulatorInit, accumulator } = node;
  const startCost = add(costOf(walk, range), costOf(walk, accumulatorInit));
  bindValue(walk, accumulator, accumulatorInit);
  const turnCost = costOfTurn(walk, node);
  const resultCost = costOf(walk, node.result);
  unbind(walk, accumulator);
  const turns = sizeOrUnknown(walk, range);
  if (accumulatorInit.kind === "literal") {
    remember(walk, node, { size: sizeOf(walk, accumulatorInit) });
  } else if (accumulatorInit.kind === "list" || accumulatorInit.kind === "map") {
    remember(walk, node, { size: turns, entries: entriesOf(walk, node.step) });
  }
  return add(startCost, resultCost, multiply(turns, turnCost));
}

function costOfTurn(walk: CostWalk, node: ComprehensionNode): Span {
  const { range, variable, secondVariable } = node;
  if (secondVariable === undefined) {
    bindElement(walk, variable, { range, part: "item" });
  } else {
    bindElement(walk, variable, { range, part: "key" });
    bindElement(walk, secondVariable, { range, part: "value" });
  }
  const conditionCost = costOf(walk, node.condition);
  const stepCost = costOf(walk, node.step);
  unbind(walk, variable);
  if (secondVariable !== undefined) {
    unbind(walk, secondVariable);
  }
  return add(stepCost, conditionCost);
}

/** Estimates a call with the costs of its arguments, not that of its target. */
function estimateCall(walk: CostWalk, call: OverloadCall): CallEstimate {
  const own = listFunctionCost(walk, call) ?? libraryCost(walk, call);
  if (own !== undefined) {
    return { cost: add(own.cost, ...call.costs), size: own.size };
  }
  return standardCost(walk, call) ?? { cost: add(fixed(1n), ...call.costs) };
}
