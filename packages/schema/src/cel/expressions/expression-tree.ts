import type { CelLiteral } from "../values/cel-value.ts";

/**
 * One node of an expression whose macros are written out, as cel-go's trees are: operators are calls (`_==_`, `_&&_`, `_[_]`,
 * `_?_:_`, `@in`, `_?._`, `_[?_]`), `has(a.b)` is a `select` with `isPresenceTest`, and every comprehension macro (`all`, `map`,
 * `transformList`, `optMap`, …) is a `comprehension`.
 */
export type CelNode =
  | LiteralNode
  | IdentNode
  | SelectNode
  | CallNode
  | ListNode
  | MapNode
  | MessageNode
  | ComprehensionNode;

interface NodeCommon {
  /** Tells the node apart from all others of its tree; copies that macros make share the id of their original. */
  readonly id: number;
  /** Where cel-go sees the node, in code points: the operator, the dot, the opening bracket of a call, or its first character. */
  readonly offset: number;
}

export interface LiteralNode extends NodeCommon {
  readonly kind: "literal";
  readonly value: CelLiteral;
}

/** A variable, or a type: the name of one may have dots (`net.IP`). */
export interface IdentNode extends NodeCommon {
  readonly kind: "ident";
  readonly name: string;
}

export interface SelectNode extends NodeCommon {
  readonly kind: "select";
  readonly operand: CelNode;
  readonly field: string;
  readonly isPresenceTest: boolean;
}

export interface CallNode extends NodeCommon {
  readonly kind: "call";
  /** The name, qualified where the library's is: `size`, `_+_`, `sets.contains`. */
  readonly function: string;
  /** What a method is called on; a qualified function has none. */
  readonly target: CelNode | undefined;
  readonly args: readonly CelNode[];
}

export interface ListNode extends NodeCommon {
  readonly kind: "list";
  readonly elements: readonly CelNode[];
  /** The positions of the elements written with `?`. */
  readonly optionalIndices: ReadonlySet<number>;
}

export interface MapNode extends NodeCommon {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: CelNode;
  readonly value: CelNode;
  readonly isOptional: boolean;
}

/** A message of a type, such as `Object.spec{replicas: 1}`. */
export interface MessageNode extends NodeCommon {
  readonly kind: "message";
  readonly typeName: string;
  readonly fields: readonly MessageField[];
}

export interface MessageField {
  readonly name: string;
  readonly value: CelNode;
  readonly isOptional: boolean;
  /** The place of the colon, in code points. */
  readonly offset: number;
}

/** Starts with `accumulatorInit`, takes `step` for every element while `condition` holds, and ends with `result`. */
export interface ComprehensionNode extends NodeCommon {
  readonly kind: "comprehension";
  readonly range: CelNode;
  readonly variable: string;
  /** The second variable of a macro with two: then the first is the index or key. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly accumulatorInit: CelNode;
  readonly condition: CelNode;
  readonly step: CelNode;
  readonly result: CelNode;
}

/** Returns the nodes directly below one, in the order of the source. */
export function childrenOf(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case "message":
      return node.fields.map(({ value }) => value);
    case "comprehension":
      return [node.range, node.accumulatorInit, node.condition, node.step, node.result];
  }
}

/** Returns the names of a chain of selections, joined by dots; undefined where something else is selected from. */
export function qualifiedName(node: CelNode): string | undefined {
  if (node.kind === "ident") return node.name;
  if (node.kind !== "select" || node.isPresenceTest) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
