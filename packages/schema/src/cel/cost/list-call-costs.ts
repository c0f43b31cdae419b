import type { CostWalk } from "./cost-walk.ts";
import { type CallEstimate, type Operand, type OverloadCall, sizeOfOperand } from "./operand.ts";
import { add, fixed, MAX_UINT64, multiply, scale, type Span, wrap } from "./ranges.ts";

const CALL: Span = fixed(1n);
const NEW_LIST: Span = fixed(10n);

/** Estimates the functions of the list and set libraries; undefined for all others. */
export function listFunctionCost(walk: CostWalk, { overload, target, args }: OverloadCall): CallEstimate | undefined {
  const [first, second] = args;
  switch (overload) {
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
      return first === undefined || second === undefined ? undefined : setCost(walk, [first, second], 1);
    case "list_sets_equivalent_list":
      return first === undefined || second === undefined ? undefined : setCost(walk, [first, second], 2);
    case "lists_range":
      return first === undefined ? undefined : newList(1, fixed(intOf(first, MAX_UINT64)));
    default:
      return target === undefined ? undefined : listMethodCost(walk, { overload, target, args });
  }
}

interface ListMethod {
  readonly overload: string;
  readonly target: Operand;
  readonly args: readonly Operand[];
}

function listMethodCost(walk: CostWalk, { overload, target, args }: ListMethod): CallEstimate | undefined {
  const [first, second] = args;
  switch (overload) {
    case "list_slice": {
      const start = intOf(first, 0n);
      const end = intOf(second, sizeOfOperand(walk, target).max);
      return newList(1, fixed(wrap(end - start)));
    }
    case "list_flatten":
      return newList(1, sizeOfOperand(walk, target));
    case "list_flatten_int":
      return newList(Number(intOf(first, MAX_UINT64)), sizeOfOperand(walk, target));
    case "list_reverse":
      return newList(1, sizeOfOperand(walk, target));
    case "list_distinct":
      return newList(2, squared(sizeOfOperand(walk, target)));
    default:
      return sortCost(walk, { overload, target, args });
  }
}

// Texts cost more to compare; the name of the overload says what is compared.
function sortCost(walk: CostWalk, { overload, target, args }: ListMethod): CallEstimate | undefined {
  const match = /^list_(.+)_(sort|sortByAssociatedKeys)$/.exec(overload);
  const compared = match?.[2] === "sort" ? target : args[0];
  if (match === null || compared === undefined) {
    return undefined;
  }
  const isText = match[1] === "string" || match[1] === "bytes";
  return newList(isText ? 2.1 : 2, squared(sizeOfOperand(walk, compared)));
}

function squared(size: Span): Span {
  return multiply(size, size);
}

function newList(factor: number, size: Span): CallEstimate {
  return { cost: add(scale(size, factor), CALL, NEW_LIST), size };
}

function setCost(walk: CostWalk, [left, right]: readonly [Operand, Operand], factor: number): CallEstimate {
  return { cost: add(scale(multiply(sizeOfOperand(walk, left), sizeOfOperand(walk, right)), factor), CALL) };
}

// Only a number that is written out says how large the result gets.
function intOf(operand: Operand | undefined, otherwise: bigint): bigint {
  const node = operand?.node;
  if (node?.kind !== "literal" || typeof node.value !== "bigint") {
    return otherwise;
  }
  return node.value < 0n ? 0n : node.value;
}
