import { ScaffoldError } from "@kubescaffold/k8s";

/** Ends an evaluation that costs more than one expression may. */
export class CostLimitExceededError extends ScaffoldError {
  readonly code = "SCHEMA_RULE_COST_EXCEEDED";

  constructor() {
    super("operation cancelled: actual cost limit exceeded", {
      hint: "simplify the rule, or bound the lists, maps and strings that it reads",
    });
  }
}
