import type { CelValue } from "../values/cel-value.ts";

/**
 * Observes every step of an evaluation that has a cost on an API server; throwing stops the evaluation.
 *
 * A chain such as `self.a.b[0]` is one `attribute` with three `qualifier`s; `has(self.a)` has its qualifiers only. Constants, `&&`, `||`
 * and `?:` cost nothing themselves, nor do literals of constants and conversions of constants, which are worked out once.
 */
export interface EvaluationObserver {
  /** A variable, or a chain of fields and indices that starts at one or at another value, was read: cost 1. */
  attribute(): void;
  /** One field or index of a chain was read: cost 1. */
  qualifier(): void;
  /** A loop goes on to its next element: no cost. */
  iteration?(): void;
  /**
   * A function or operator runs; its result may be an error. A membership test in a list of constants is none.
   *
   * It is observed before it runs, unless its cost depends on the result: what costs too much need not run.
   */
  call(call: ObservedCall): void;
  /** A list was made of its elements. */
  list(): void;
  /** A map was made of its entries. */
  map(): void;
  /** A message was made of its fields. */
  message(): void;
}

/** A call that runs, or has run. */
export interface ObservedCall {
  /** The name of the function or operator. */
  readonly function: string;
  /** The one overload the checker chose, or empty where several are possible. */
  readonly overload: string;
  /** What a method was called on comes first. */
  readonly args: readonly CelValue[];
  /** The value that it returned, if its cost depends on that. */
  readonly result?: CelValue;
}
