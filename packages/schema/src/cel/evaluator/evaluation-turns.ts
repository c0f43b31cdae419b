/** The time of evaluations: what they compute has none. */
export interface EvaluationTurns {
  /** Returns the time; an expression that is still in a loop after ten milliseconds pauses, and one that was evaluated for two seconds ends. */
  readonly nowMs: () => number;
  /** Returns a promise to await between two expressions, or within a long one, where others must go on. */
  readonly pause: () => Promise<void> | undefined;
}
