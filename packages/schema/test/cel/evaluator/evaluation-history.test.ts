import { describe, expect, it } from "vitest";

import type { CompiledExpression } from "../../../src/cel/compiler/compile-expression.ts";
import { CostLimitExceededError, createCostTracker, LongEvaluation } from "../../../src/cel/cost/cost-tracker.ts";
import { EvaluationStopped } from "../../../src/cel/evaluator/evaluation-history.ts";
import {
  type CelValue,
  compileExpression,
  declareType,
  evaluateMutation,
  evaluatePolicy,
  type ExpressionBindings,
  optionalValue,
  PolicyCompiler,
  type PolicyExpression,
  toCelValue,
  toPlainValue,
  validateRules,
  validateRulesInTurns,
} from "../../../src/cel/index.ts";
import { encodeValue } from "../encode-value.ts";
import { type RecordedGroup, recordedGroups } from "../recorded.ts";

const LIMIT = 20_000;

interface Outcome {
  readonly result: unknown;
  readonly cost: number;
}

interface Evaluated {
  readonly outcome: Outcome;
  /** The turns, or the elements of loops. */
  readonly count: number;
}

/** A clock whose looks take a time; a turn is at most ten milliseconds. */
function clockOf(msPerLook: number): () => number {
  let now = 0;
  return () => (now += msPerLook);
}

function outcomeOf(evaluate: () => ReturnType<CompiledExpression["evaluate"]>, spent: () => number): Outcome {
  try {
    const result = evaluate();
    return { result: result.kind === "value" ? encodeValue(result.value) : result.message, cost: spent() };
  } catch (error) {
    if (error instanceof CostLimitExceededError) return { result: "too expensive", cost: spent() };
    throw error;
  }
}

function inOneTurn(expression: CompiledExpression, bindings: ExpressionBindings): Evaluated {
  const tracker = createCostTracker(LIMIT);
  let count = 0;
  const observer = Object.assign(tracker, { iteration: () => (count += 1) });
  return {
    outcome: outcomeOf(
      () => expression.evaluate(bindings, observer),
      () => tracker.spent(),
    ),
    count,
  };
}

// Turns have two elements, or as many more as two seconds need for all of them.
function inManyTurns(expression: CompiledExpression, bindings: ExpressionBindings, elements: number): Evaluated {
  const long = new LongEvaluation(clockOf(Math.min(6, 800 / (elements + 1))), 1);
  const tracker = long.trackerOf(expression, LIMIT);
  for (let count = 1; ; count++) {
    try {
      const evaluate = (): ReturnType<CompiledExpression["evaluate"]> =>
        expression.evaluate(bindings, tracker, long.history);
      return { outcome: outcomeOf(evaluate, () => tracker.spent()), count };
    } catch (error) {
      if (!(error instanceof EvaluationStopped)) throw error;
      long.history.resume();
    }
  }
}

function bindingsOf({
  schema,
  self,
  oldSelf,
  isRoot = false,
  optionalOldSelf = false,
}: RecordedGroup): ExpressionBindings {
  const options = { isResourceRoot: isRoot };
  const old = oldSelf === undefined ? undefined : toCelValue(oldSelf, schema, options);
  const bound = optionalOldSelf ? optionalValue(old) : old;
  return { self: toCelValue(self, schema, options), ...(bound === undefined ? {} : { oldSelf: bound }) };
}

describe("an expression in turns of a few elements", () => {
  it.each(["language", "libraries", "schemas", "wild"] as const)(
    "has the results and costs that it has in one: recorded expressions about %s",
    (name) => {
      let [loops, turns] = [0, 0];
      for (const group of recordedGroups(name)) {
        const self = declareType(group.schema, { isResourceRoot: group.isRoot === true });
        if (self === undefined) throw new Error("no type");
        for (const { expression: text } of group.answers) {
          const expression = compileExpression(text, { self, isOldSelfOptional: group.optionalOldSelf === true });
          if (expression.kind === "rejected") continue;
          const { outcome, count } = inOneTurn(expression, bindingsOf(group));
          const long = inManyTurns(expression, bindingsOf(group), count);
          expect({ text, ...long.outcome }).toEqual({ text, ...outcome });
          loops += long.count > 1 ? 1 : 0;
          turns += long.count;
        }
      }
      expect(turns).toBeGreaterThan(loops);
      expect(loops).toBeGreaterThan(0);
    },
  );

  const SCHEMA = { type: "object", properties: { list: { type: "array", items: { type: "integer" } } } };
  const VALUE = { list: [5, 3, 8, 1, 9] };

  it.each([
    "self.list.all(x, self.list.exists(y, y == x) && self.list.filter(z, z > x).size() >= 0)",
    "self.list.map(x, self.list.map(y, x * y)).map(l, l.map(e, string(e)).join(',')).join(';')",
    "self.list.map(x, x + 1).filter(x, x > 2).map(x, x * 2).sum()",
    "self.list.all(x, x > 0) && self.list.all(x, x > 1) || self.list.exists_one(x, x == 9)",
    "self.list.sortBy(x, -x)[0] + self.list.transformList(i, x, i * x)[2]",
    "self.list.transformMap(i, x, x > 3, [x].map(y, y + i))",
    "self.list.map(x, [x, x].map(y, y / (x - 8)))",
    "(self.list.all(x, x > 3) ? self.list : self.list.map(x, -x)).exists(x, x == -9)",
    "{'a': self.list.map(x, x)}.a[self.list.filter(x, x == 1)[0]]",
    "optional.of(self.list).optMap(l, l.map(x, x + l.map(y, y)[0])).orValue([])",
    "self.list.all(a, self.list.all(b, self.list.all(c, self.list.all(d, a + b + c + d > 0))))",
  ])("has the result and cost that it has in one: %s", (text) => {
    const self = declareType(SCHEMA);
    if (self === undefined) throw new Error("no type");
    const expression = compileExpression(text, { self });
    if (expression.kind === "rejected") throw new Error(JSON.stringify(expression.issues));
    const bindings = (): ExpressionBindings => ({ self: toCelValue(VALUE, SCHEMA) });
    const { outcome, count } = inOneTurn(expression, bindings());
    const long = inManyTurns(expression, bindings(), count);
    expect(long.outcome).toEqual(outcome);
    expect(long.count).toBeGreaterThan(2);
  });
});

/** Turns that are counted, with a clock whose looks take a time. */
function countedTurns(msPerLook: number): {
  readonly turns: Parameters<typeof validateRulesInTurns>[2]["turns"];
  readonly count: () => number;
} {
  let count = 0;
  const pause = async (): Promise<void> => {
    count++;
    await Promise.resolve();
  };
  return { turns: { nowMs: clockOf(msPerLook), pause }, count: () => count };
}

describe("others go on within", () => {
  const list = Array.from({ length: 120 }, (_, index) => index);

  it("a rule, and its message", async () => {
    const broken = {
      rule: "!self.all(x, self.exists(y, y == x))",
      messageExpression: "self.map(x, string(x)).join('')",
    };
    const schema = {
      type: "array",
      items: { type: "integer" },
      "x-kubernetes-validations": [broken, { rule: "self.size() > 500", message: "too short" }],
    };
    const { turns, count } = countedTurns(6);
    const options = { isResourceRoot: false };
    const result = await validateRulesInTurns(schema, list, { ...options, turns });
    expect(result).toEqual(validateRules(schema, list, options));
    expect(result.errors.map(({ detail }) => detail)).toEqual([list.join(""), "too short"]);
    expect(count()).toBeGreaterThan(10);
  });

  const ALL = { hasParams: false, hasAuthorizer: false };
  const bindings = new Map<string, CelValue>([["object", toPlainValue({ list })]]);

  function policyOf(texts: readonly string[]): {
    readonly expressions: readonly PolicyExpression[];
    readonly variables: ReadonlyMap<string, PolicyExpression>;
  } {
    const compiler = new PolicyCompiler({ hasVariables: true });
    const declare = (name: string, text: string): readonly [string, PolicyExpression] => [
      name,
      compiler.declare(name, text, ALL),
    ];
    const variables = new Map([
      declare("odd", "object.list.filter(x, x % 2 == 1)"),
      declare("dear", "object.list.all(a, object.list.all(b, object.list.all(c, a + b + c >= 0)))"),
      declare("pairs", "variables.odd.map(x, variables.odd.filter(y, y < x).size())"),
    ]);
    return { expressions: texts.map((text) => compiler.compile(text, ALL)), variables };
  }

  it("the expressions of a policy, and the variables that they read", async () => {
    const texts = [
      "object.list.exists(x, x == 119 && variables.pairs.size() == 60)",
      "variables.pairs.all(x, x < 60) && object.list.all(x, x in variables.odd || x % 2 == 0)",
      "variables.odd[500] == 1",
    ];
    const { expressions, variables } = policyOf(texts);
    const { turns, count } = countedTurns(6);
    const result = await evaluatePolicy(expressions, bindings, { variables, budget: 10_000_000, turns });
    expect(result).toEqual(await evaluatePolicy(expressions, bindings, { variables, budget: 10_000_000 }));
    expect(result.kind === "finished" && result.values.map((one) => one.kind === "value" && one.value)).toEqual([
      true,
      true,
      false,
    ]);
    expect(count()).toBeGreaterThan(10);
  });

  it("an expression that goes on after a variable which costs too much", async () => {
    const { expressions, variables } = policyOf([
      "object.list.all(x, (x == 3 && variables.dear) || object.list.exists(y, y == x))",
    ]);
    const { turns, count } = countedTurns(0.5);
    const result = await evaluatePolicy(expressions, bindings, { variables, budget: 10_000_000, turns });
    expect(result).toEqual(await evaluatePolicy(expressions, bindings, { variables, budget: 10_000_000 }));
    expect(result).toMatchObject({ values: [{ kind: "value", value: true }] });
    expect(count()).toBeGreaterThan(10);
  });

  it("a mutation", async () => {
    const { expressions, variables } = policyOf(["object.list.map(x, variables.pairs.filter(y, y == x).size())"]);
    const [expression] = expressions;
    if (expression === undefined) throw new Error("no expression");
    const { turns, count } = countedTurns(5);
    const result = await evaluateMutation(expression, bindings, { variables, turns });
    expect(result).toEqual(await evaluateMutation(expression, bindings, { variables }));
    expect(result.kind).toBe("value");
    expect(count()).toBeGreaterThan(10);
  });
});
