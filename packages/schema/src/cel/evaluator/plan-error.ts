/** Is thrown inside the planner, and never leaves it, where an expression cannot be made to run: a constant that does not convert. */
export class PlanError extends Error {}
