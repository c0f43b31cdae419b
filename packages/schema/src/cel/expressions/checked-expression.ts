import type { CelType } from "../values/cel-type.ts";
import type { CelNode } from "./expression-tree.ts";

/** An expression that type-checked: its tree, and what the checker found out about the nodes. */
export interface CheckedExpression {
  /** The syntax tree. */
  readonly root: CelNode;
  /** Returns the type of a node; parameters that stayed open are `dyn`. */
  readonly typeOf: (node: CelNode) => CelType;
  /** Returns the overloads a call may take, in the order of declaration (`add_int64`); none for other nodes. */
  readonly overloadsOf: (node: CelNode) => readonly string[];
  /** Returns the variable or type that an ident stands for. */
  readonly referenceOf: (node: CelNode) => string | undefined;
}

/** One reason why an expression was rejected, and where. */
export interface ExpressionIssue {
  /** The message of the server. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in code points, as the server counts. */
  readonly column: number;
  /** From 0, in code points from the start of the expression. */
  readonly offset: number;
}
