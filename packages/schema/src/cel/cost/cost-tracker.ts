import { ScaffoldError } from "@kubescaffold/k8s";

import { EvaluationHistory, EvaluationStopped, LONGEST_TURN_MS } from "../evaluator/evaluation-history.ts";
import type { EvaluationObserver, ObservedCall } from "../evaluator/evaluation-observer.ts";
import type { Frame } from "../evaluator/frame.ts";
import { compileGoPattern } from "../evaluator/operations/go-pattern.ts";
import { CelError } from "../values/cel-value.ts";
import { callCost } from "./actual-call-costs.ts";

/** Counts what an evaluation costs as it goes on. */
export interface CostTracker extends EvaluationObserver {
  /** What has been spent so far; beyond the limit once it is exceeded. */
  spent(): number;
}

const NEW_LIST = 10;
const NEW_MAP = 30;
const NEW_MESSAGE = 40;

// kube-apiserver looks as often whether the time of the request is over.
const ITERATIONS_BETWEEN_LOOKS = 100;
// Costs do not count all that an evaluation takes: a read of a field is one, regardless of its length.
const LONGEST_EVALUATION_MS = 2000;
// Patterns such as `(\pL{1,500}){0,2}` have many more instructions than characters, which is what costs count.
const MOST_PATTERN_STEPS = 2 ** 28;
// A match of a long text takes as long as thousands of elements of a loop.
const PATTERN_STEPS_BETWEEN_LOOKS = 2 ** 20;
const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(["matches", "find", "findAll"]);

/** The clock of an evaluation. */
interface TrackedTime {
  readonly nowMs: () => number;
  /** Asks for a look at the clock before the next element of a loop. */
  readonly lookSoon?: () => void;
  /** Whether the evaluation stops if it is still in a loop after the longest turn. */
  readonly stops: boolean;
}

/**
 * Creates a tracker that ends the evaluation when it has cost more than the limit, has patterns that may take more than 2^28 steps, or
 * is still in a loop after two seconds of a clock that is given.
 *
 * Fails: {@link CostLimitExceededError} from the step that goes beyond it, and {@link EvaluationStopped} after the longest turn.
 */
export function createCostTracker(limit: number, time?: TrackedTime): CostTracker {
  return new Tracker(limit, time);
}

// A class, since a server makes one for each evaluation, and closures for all functions would take most of its time.
class Tracker implements CostTracker {
  readonly #limit: number;
  readonly #time: TrackedTime | undefined;
  readonly #startedAt: number;
  #cost = 0;
  #patternSteps = 0;
  #stepsAtLook = 0;
  #iterations = 0;

  constructor(limit: number, time: TrackedTime | undefined) {
    this.#limit = limit;
    this.#time = time;
    this.#startedAt = time?.nowMs() ?? 0;
  }

  spent(): number {
    return this.#cost;
  }

  attribute(): void {
    this.#spend(1);
  }

  qualifier(): void {
    this.#spend(1);
  }

  iteration(): void {
    this.#iterations += 1;
    if (this.#iterations % ITERATIONS_BETWEEN_LOOKS === 0) this.#look();
  }

  #look(): void {
    if (this.#time === undefined) return;
    const takenMs = this.#time.nowMs() - this.#startedAt;
    if (this.#time.stops && takenMs > LONGEST_TURN_MS) throw new EvaluationStopped();
    if (takenMs > LONGEST_EVALUATION_MS) throw new CostLimitExceededError();
  }

  call(call: ObservedCall): void {
    this.#spend(callCost(call));
    if (!PATTERN_FUNCTIONS.has(call.function)) return;
    this.#patternSteps += stepsOf(call);
    if (this.#patternSteps > MOST_PATTERN_STEPS) throw new CostLimitExceededError();
    if (this.#patternSteps - this.#stepsAtLook <= PATTERN_STEPS_BETWEEN_LOOKS) return;
    this.#stepsAtLook = this.#patternSteps;
    this.#look();
    this.#time?.lookSoon?.();
  }

  list(): void {
    this.#spend(NEW_LIST);
  }

  map(): void {
    this.#spend(NEW_MAP);
  }

  message(): void {
    this.#spend(NEW_MESSAGE);
  }

  #spend(amount: number): void {
    this.#cost += amount;
    if (this.#cost > this.#limit) throw new CostLimitExceededError();
  }
}

// The most steps that a match can take: each character may visit each instruction.
function stepsOf({ args: [text, pattern] }: ObservedCall): number {
  if (typeof text !== "string" || typeof pattern !== "string") return 0;
  const compiled = compileGoPattern(pattern);
  return compiled instanceof CelError ? 0 : text.length * compiled.size;
}

/** Evaluations that share a history, and what each of them costs in all turns. */
export class LongEvaluation {
  readonly history: EvaluationHistory<Frame>;
  readonly #trackers = new Map<object, CostTracker>();

  constructor(nowMs: () => number, elementsPerLook?: number) {
    this.history = new EvaluationHistory(nowMs, elementsPerLook);
  }

  /** Returns the tracker of an expression, which is created in its first turn. */
  trackerOf(expression: object, limit: number): CostTracker {
    const known = this.#trackers.get(expression);
    if (known !== undefined) return known;
    const tracker = createCostTracker(limit, {
      nowMs: () => this.history.activeMs(),
      lookSoon: () => this.history.lookSoon(),
      stops: false,
    });
    this.#trackers.set(expression, tracker);
    return tracker;
  }
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
