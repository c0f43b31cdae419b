import type { CelNode } from "../expressions/expression-tree.ts";
import type { CelValue } from "../values/cel-value.ts";
import type { EvaluationHistory } from "./evaluation-history.ts";
import type { EvaluationObserver } from "./evaluation-observer.ts";

/** Is what one evaluation works with: the variables of the expression, and a slot for each variable of its comprehensions. */
export interface Frame {
  readonly bindings: ReadonlyMap<string, CelValue>;
  readonly slots: (CelValue | Pending | undefined)[];
  observer: EvaluationObserver | undefined;
  /** Of an evaluation that takes several turns. */
  readonly history?: EvaluationHistory<Frame> | undefined;
}

/** A variable whose value is computed when it is first read. */
export interface Pending {
  readonly start: (frame: Frame) => CelValue;
}

export function isPending(slot: CelValue | Pending | undefined): slot is Pending {
  return typeof slot === "object" && slot !== null && "start" in slot;
}

/** A part of an expression, ready to run. */
export interface Step {
  readonly evaluate: (frame: Frame) => CelValue;
  /** Its value, where it needs no evaluation. */
  readonly constant?: CelValue;
  /** What it reads, where fields and indices may be added to it. */
  readonly attribute?: Attribute;
}

/** A value and the chain of fields and indices that are read from it; a choice between two such chains is one too. */
export type Attribute =
  | { readonly kind: "chain"; readonly root: (frame: Frame) => CelValue; readonly qualifiers: readonly Qualifier[] }
  | { readonly kind: "choice"; readonly condition: Step; readonly whenTrue: Attribute; readonly whenFalse: Attribute };

/** One field or index of a chain. */
export interface Qualifier {
  /** The key, or how to get it. */
  readonly key: CelValue | Attribute | Step;
  /** Whether it was written with `?`. */
  readonly isOptional: boolean;
  /** Whether only its presence is asked for. */
  readonly isPresenceTest: boolean;
}

/** The slots of the variables that are in scope, by name. */
export type Variables = ReadonlyMap<string, number>;

/** Plans the nodes of one expression. */
export interface NodePlanner {
  plan(node: CelNode, variables: Variables): Step;
  /** Returns a slot for another variable of a comprehension. */
  newSlot(): number;
}

/** Thrown inside the planner, and never leaves it, where an expression cannot be made to run: a constant that does not convert. */
export class PlanError extends Error {}
