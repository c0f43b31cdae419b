import type { CallNode, CelNode } from "../expressions/expression-tree.ts";
import type { CelType } from "../values/cel-type.ts";
import { declaredSize, pathOf, sizeOf, type CostWalk } from "./cost-walk.ts";
import { appendToPath, NO_PATH, type NodePath } from "./node-path.ts";
import { type Span, UNKNOWN } from "./ranges.ts";

/** Is what a call costs without its operands, and how large its result gets. */
export interface CallEstimate {
  readonly cost: Span;
  readonly size?: Span | undefined;
}

/** An operand of a call. */
export interface Operand {
  readonly type: CelType;
  readonly path: NodePath;
  /** What is known of its size. */
  readonly size: Span | undefined;
  /** The expression; absent for the items of a list. */
  readonly node?: CelNode;
}

/** A call with one of its overloads. */
export interface OverloadCall {
  readonly node: CallNode;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  /** What the arguments cost. */
  readonly costs: readonly Span[];
}

/** Returns what is known of an operand. */
export function operandOf(walk: CostWalk, node: CelNode): Operand {
  const path = pathOf(walk, node);
  const isAccumulator = path.cells[0] === "__result__" || path.cells[0] === "@result";
  return {
    type: walk.checked.typeOf(node),
    path: isAccumulator ? NO_PATH : path,
    size: sizeOf(walk, node),
    node,
  };
}

/** Returns the items of a list as an operand; undefined for what is no list. */
export function itemsOperand(list: Operand): Operand | undefined {
  const [type] = list.type.parameters;
  if (type === undefined) {
    return undefined;
  }
  return { type, path: list.path.length === 0 ? NO_PATH : appendToPath(list.path, "@items"), size: undefined };
}

/** Returns how large an operand gets; what is not known may be of any size. */
export function sizeOfOperand(walk: CostWalk, operand: Operand): Span {
  return operand.size ?? declaredSize(walk, operand.path) ?? UNKNOWN;
}
