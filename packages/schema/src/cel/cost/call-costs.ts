import type { CostWalk } from "./cost-walk.ts";
import { libraryCost } from "./library-call-costs.ts";
import { listFunctionCost } from "./list-call-costs.ts";
import type { CallEstimate, OverloadCall } from "./operand.ts";
import { add, fixed } from "./ranges.ts";
import { standardCost } from "./standard-call-costs.ts";

/** Estimates a call with the costs of its arguments, not that of its target. */
export function estimateCall(walk: CostWalk, call: OverloadCall): CallEstimate {
  const own = listFunctionCost(walk, call) ?? libraryCost(walk, call);
  if (own !== undefined) {
    return { cost: add(own.cost, ...call.costs), size: own.size };
  }
  return standardCost(walk, call) ?? { cost: add(fixed(1n), ...call.costs) };
}
