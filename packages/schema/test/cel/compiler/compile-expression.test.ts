import { describe, expect, test } from "vitest";

import { createCostTracker } from "../../../src/cel/cost/cost-tracker.ts";
import { estimateCost } from "../../../src/cel/cost/estimate-cost.ts";
import type { DeclaredType } from "../../../src/cel/expressions/declared-type.ts";
import { KUBERNETES_FUNCTIONS } from "../../../src/cel/functions/kubernetes-functions.ts";
import { compileExpression, declareType, formatCelType, optionalValue, toCelValue } from "../../../src/cel/index.ts";
import { encodeValue } from "../encode-value.ts";
import { formatSignature } from "../format-signature.ts";
import { type RecordedAnswer, recordedFunctions, type RecordedGroup, recordedGroups } from "../recorded.ts";

/** Expressions that we answer differently, and why; packages/schema/README.md lists them for users. */
const KNOWN_DIFFERENCES: ReadonlySet<string> = new Set([
  // Messages of Protocol Buffers cannot be written.
  "google.protobuf.Duration{seconds: 1}",
]);

/** Names that no expression can call: old spellings, and a selection that the checker treats by itself. */
const UNDECLARED: ReadonlySet<string> = new Set(["_?._", "_in_", "in", "__not_strictly_false__"]);

const UNLIMITED = 1e15;

describe.each(["language", "libraries", "schemas", "wild"] as const)("recorded answers about %s", (name) => {
  for (const [index, group] of recordedGroups(name).entries()) {
    test(`all ${String(group.answers.length)} answers of group ${String(index)} are those of kube-apiserver`, () => {
      const answers = group.answers.filter(({ expression }) => !KNOWN_DIFFERENCES.has(expression));
      const ours = answers.map(({ expression }) => answer(group, expression));
      expect(ours).toEqual(answers.map((one) => expected(one)));
    });
  }
});

test("an expression that is known to differ does differ", () => {
  const groups = recordedGroups("language");
  const differing = groups.flatMap((group) =>
    group.answers.filter((one) => JSON.stringify(answer(group, one.expression)) !== JSON.stringify(expected(one))),
  );
  expect(new Set(differing.map(({ expression }) => expression))).toEqual(KNOWN_DIFFERENCES);
});

test("the declared functions are those of the server's environment", () => {
  const declared = Object.fromEntries(
    Array.from(KUBERNETES_FUNCTIONS.values(), ({ name, overloads }) => [
      name,
      Object.fromEntries(overloads.map((overload) => [overload.id, formatSignature(overload)])),
    ]),
  );
  const recorded = Object.entries(recordedFunctions()).filter(([name]) => !UNDECLARED.has(name));
  expect(declared).toEqual(Object.fromEntries(recorded));
});

test("a rule about transitions mentions oldSelf", () => {
  const self = declared({ schema: { type: "integer" } });
  const uses = ["self > oldSelf", "self > 1", "[1].all(x, oldSelf == x)"].map((rule) => {
    const compiled = compileExpression(rule, { self });
    return compiled.kind === "compiled" && compiled.usesOldSelf;
  });
  expect(uses).toEqual([true, false, true]);
});

test("what an observer throws ends the evaluation and comes out as it is", () => {
  const compiled = compileExpression("self > 1 || true", { self: declared({ schema: { type: "integer" } }) });
  const reason = new Error("enough");
  const stop = (): never => {
    throw reason;
  };
  const observer = { attribute: stop, qualifier: stop, call: stop, list: stop, map: stop, message: stop };
  expect(() => compiled.kind === "compiled" && compiled.evaluate({ self: 1n }, observer)).toThrow(reason);
});

// Upstream's sentences about syntax are those of its parser generator; ours are not compared.
function expected({ issues, outputType, value, error, cost, estimate }: RecordedAnswer): unknown {
  if (issues === undefined) return { outputType, value: withoutFormats(value), error, cost, estimate };
  const [first] = issues;
  const isAtStart = first?.line === 0;
  return { rejectedAt: isAtStart ? "1:1" : `${String(first?.line)}:${String(first?.column)}` };
}

function withoutFormats(value: unknown): unknown {
  return value === undefined
    ? undefined
    : (JSON.parse(
        JSON.stringify(value, (key, part: unknown) => (key === "kubernetes.NamedFormat" ? "a format" : part)),
      ) as unknown);
}

function answer(group: RecordedGroup, expression: string): unknown {
  const isResourceRoot = group.isRoot === true;
  const self = declared(group);
  const compiled = compileExpression(expression, { self, isOldSelfOptional: group.optionalOldSelf === true });
  if (compiled.kind === "rejected") {
    const [first] = compiled.issues;
    return { rejectedAt: `${String(first.line)}:${String(first.column)}` };
  }
  const tracker = createCostTracker(UNLIMITED);
  const old = group.oldSelf === undefined ? undefined : toCelValue(group.oldSelf, group.schema, { isResourceRoot });
  const oldSelf = group.optionalOldSelf === true ? optionalValue(old) : old;
  const bindings = {
    self: toCelValue(group.self, group.schema, { isResourceRoot }),
    ...(oldSelf !== undefined && { oldSelf }),
  };
  const result = compiled.evaluate(bindings, tracker);
  return {
    outputType: formatCelType(compiled.outputType).replaceAll("@self", "selfType"),
    value: result.kind === "value" ? encodeValue(result.value) : undefined,
    error: result.kind === "error" ? result.message : undefined,
    cost: tracker.spent(),
    estimate: Number(estimateCost(compiled.checked, self).max),
  };
}

function declared({ schema, isRoot = false }: Pick<RecordedGroup, "schema" | "isRoot">): DeclaredType {
  const self = declareType(schema, { isResourceRoot: isRoot });
  expect(self).toBeDefined();
  return self as DeclaredType;
}
