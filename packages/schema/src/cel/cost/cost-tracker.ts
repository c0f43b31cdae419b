import { ScaffoldError } from "@kubescaffold/k8s";

import type { EvaluationObserver } from "../evaluator/evaluation-observer.ts";
import { callCost } from "./actual-call-costs.ts";

/** Counts what an evaluation costs as it goes on. */
export interface CostTracker extends EvaluationObserver {
  /** What has been spent so far; beyond the limit once it is exceeded. */
  readonly spent: () => number;
}

const NEW_LIST = 10;
const NEW_MAP = 30;
const NEW_MESSAGE = 40;

/**
 * Creates a tracker that ends the evaluation when it has cost more than the limit.
 *
 * Fails: {@link CostLimitExceededError} from the step that goes beyond it.
 */
export function createCostTracker(limit: number): CostTracker {
  let cost = 0;
  const spend = (amount: number): void => {
    cost += amount;
    if (cost > limit) {
      throw new CostLimitExceededError();
    }
  };
  return {
    spent: () => cost,
    attribute: () => spend(1),
    qualifier: () => spend(1),
    call: (call) => spend(callCost(call)),
    list: () => spend(NEW_LIST),
    map: () => spend(NEW_MAP),
    message: () => spend(NEW_MESSAGE),
  };
}

/**
 * Thrown when the evaluation of a CEL expression exceeds the cost limit; `validateRules` rejects the object with the API server's message.
 *
 * Fix: Simplify the rule, or set limits on the lists, maps, and strings that it reads.
 */
export class CostLimitExceededError extends ScaffoldError {
  readonly code = "SCHEMA_RULE_COST_EXCEEDED";

  constructor() {
    super("operation cancelled: actual cost limit exceeded", {
      hint: "simplify the rule, or bound the lists, maps and strings that it reads",
    });
  }
}
