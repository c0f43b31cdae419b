/** The time of evaluations: what they compute has none. */
export interface EvaluationTurns {
  /** Returns the time; an expression that is still in a loop after two seconds ends. */
  readonly nowMs: () => number;
  /** Returns a promise to await between two expressions, where others must go on. */
  readonly pause: () => Promise<void> | undefined;
}
