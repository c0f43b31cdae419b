import { type CostTracker, CostLimitExceededError, createCostTracker, LongEvaluation } from "../cost/cost-tracker.ts";
import { EvaluationStopped } from "../evaluator/evaluation-history.ts";
import type { EvaluationTurns } from "../evaluator/evaluation-turns.ts";
import { CelError, type CelValue, CANCELLED } from "../values/cel-value.ts";
import { LazyMap } from "../values/lazy-map.ts";
import type { PolicyExpression } from "./policy-compiler.ts";
import { VARIABLES } from "./policy-types.ts";

/** The most that the expressions of one kind of a policy may cost for one object and parameter. */
export const POLICY_BUDGET = 10_000_000;
/** The most that the match conditions of a policy or webhook may cost. */
export const MATCH_CONDITION_BUDGET = 2_500_000;

const EXPRESSION_LIMIT = 1_000_000;

/** The result of one expression. */
export type PolicyValue =
  | { readonly kind: "value"; readonly value: CelValue }
  | { readonly kind: "error"; readonly message: string }
  /** There was no expression. */
  | { readonly kind: "none" };

/** The results of all expressions and what is left of the budget, or the reason why they ended early. */
export type PolicyEvaluation =
  | { readonly kind: "finished"; readonly values: readonly PolicyValue[]; readonly remaining: number }
  | { readonly kind: "exhausted"; readonly message: string };

/** The variables of a policy with their expressions, in order. */
export type PolicyVariableExpressions = ReadonlyMap<string, PolicyExpression>;

/** How expressions are evaluated. */
interface PolicyEvaluationOptions {
  readonly variables?: PolicyVariableExpressions;
  readonly budget: number;
  /** Default: without a pause, and without an end of loops. */
  readonly turns?: EvaluationTurns;
}

/** Evaluates expressions one after the other, with the same variables, until the budget is spent. */
export async function evaluatePolicy(
  expressions: readonly (PolicyExpression | undefined)[],
  bindings: ReadonlyMap<string, CelValue>,
  { variables, budget, turns }: PolicyEvaluationOptions,
): Promise<PolicyEvaluation> {
  const run = new PolicyRun(bindings, variables, turns);
  let remaining = budget;
  const values: PolicyValue[] = [];
  for (const expression of expressions) {
    if (expression === undefined) {
      values.push({ kind: "none" });
      continue;
    }
    if (expression.kind === "rejected") {
      values.push({ kind: "error", message: `compilation error: ${expression.detail}` });
      continue;
    }
    const { result, cost } = run.evaluate(expression) ?? (await run.evaluateInTurns(expression));
    const pause = turns?.pause();
    if (pause !== undefined) await pause;
    if (cost > remaining) return { kind: "exhausted", message: OUT_OF_BUDGET };
    remaining -= cost;
    values.push(
      result instanceof CelError
        ? { kind: "error", message: `expression '${expression.text}' resulted in error: ${result.message}` }
        : { kind: "value", value: result },
    );
  }
  return { kind: "finished", values, remaining };
}

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

interface ExpressionOutcome {
  readonly result: CelValue;
  readonly cost: number;
}

/** Evaluates the expressions of one policy. */
class PolicyRun {
  readonly #bindings: ReadonlyMap<string, CelValue>;
  readonly #turns: EvaluationTurns | undefined;
  // The cost of the variables that the current expression was the first to read.
  #variableCost = 0;
  // Of an expression that takes several turns.
  #long: LongEvaluation | undefined;

  constructor(
    bindings: ReadonlyMap<string, CelValue>,
    variables: PolicyVariableExpressions | undefined,
    turns: EvaluationTurns | undefined,
  ) {
    this.#turns = turns;
    const sources = [...(variables ?? [])].map(
      ([name, expression]) => [name, () => this.#evaluateVariable(name, expression)] as const,
    );
    this.#bindings =
      variables === undefined
        ? bindings
        : new Map([...bindings, ["variables", new LazyMap(VARIABLES.name, new Map(sources))]]);
  }

  /** Returns the result of an expression, and nothing if it takes more than one turn. */
  evaluate(expression: CompiledExpression): ExpressionOutcome | undefined {
    this.#variableCost = 0;
    return this.#tryTurn(expression);
  }

  /** Returns the result of an expression that takes more than one turn. */
  async evaluateInTurns(expression: CompiledExpression): Promise<ExpressionOutcome> {
    await this.#turns?.pause();
    const long = new LongEvaluation(this.#turns?.nowMs ?? (() => 0));
    this.#long = long;
    for (;;) {
      const outcome = this.#tryTurn(expression);
      if (outcome === undefined) {
        await this.#turns?.pause();
        long.history.resume();
        continue;
      }
      this.#long = undefined;
      return outcome;
    }
  }

  #tryTurn(expression: CompiledExpression): ExpressionOutcome | undefined {
    const tracker = this.#trackerOf(expression);
    try {
      const result = this.#run(expression, tracker);
      return { result, cost: tracker.spent() + this.#variableCost };
    } catch (error) {
      if (error instanceof EvaluationStopped) return undefined;
      throw error;
    }
  }

  #trackerOf(expression: CompiledExpression): CostTracker {
    if (this.#long !== undefined) return this.#long.trackerOf(expression, EXPRESSION_LIMIT);
    const nowMs = this.#turns?.nowMs;
    return createCostTracker(EXPRESSION_LIMIT, nowMs === undefined ? undefined : { nowMs, stops: true });
  }

  #evaluateVariable(name: string, expression: PolicyExpression): CelValue {
    if (expression.kind === "rejected")
      return new CelError(`composited variable ${JSON.stringify(name)} fails to compile: ${expression.detail}`);
    const tracker = this.#trackerOf(expression);
    const result = this.#run(expression, tracker);
    this.#variableCost += tracker.spent();
    return result instanceof CelError
      ? new CelError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${result.message}`)
      : result;
  }

  #run(expression: CompiledExpression, tracker: CostTracker): CelValue {
    try {
      const result = expression.program.evaluate(this.#bindings, tracker, this.#long?.history);
      return result.kind === "value" ? result.value : new CelError(result.message);
    } catch (error) {
      if (error instanceof CostLimitExceededError) return new CelError(CANCELLED);
      throw error;
    }
  }
}

type CompiledExpression = Extract<PolicyExpression, { readonly kind: "compiled" }>;
