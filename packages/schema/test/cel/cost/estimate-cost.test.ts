import { describe, expect, it } from "vitest";

import { compileExpression } from "../../../src/cel/compiler/compile-expression.ts";
import { estimateCost } from "../../../src/cel/cost/estimate-cost.ts";
import { type DeclaredType, declaredTypeAt, declareType } from "../../../src/cel/expressions/declared-type.ts";
import { mostRepetitions } from "../../../src/cel/rules/rule-budget.ts";
import {
  additionalSchemaOf,
  itemsOf,
  type JsonSchema,
  propertyOf,
  type ValidationRule,
} from "../../../src/model/json-schema.ts";
import { recordedRules, type RuleCostAnswer } from "../../oracle/rules/rule-answer.ts";

interface Place {
  readonly schema: JsonSchema;
  readonly declared: DeclaredType;
}

// Goes the way of an answer: `.spec.words[]`.
function follow(root: Place, path: string): Place {
  return (path.match(/\[\]|\{\}|\.[^.[{]+/g) ?? []).reduce<Place>(({ schema, declared }, step) => {
    const isList = step === "[]";
    const isMap = step === "{}";
    const name = step.slice(1);
    const next = isList ? itemsOf(schema) : isMap ? additionalSchemaOf(schema) : propertyOf(schema, name);
    const seen = declaredTypeAt(declared, [isList ? "@items" : isMap ? "@values" : name]);
    if (next === undefined || seen === undefined) {
      throw new TypeError(`no ${step} in ${path}`);
    }
    return { schema: next, declared: seen };
  }, root);
}

function costsOf(text: string, declared: DeclaredType, rule: ValidationRule): { min: string; max: string } | string {
  const compiled = compileExpression(text, { self: declared, isOldSelfOptional: rule.optionalOldSelf === true });
  if (compiled.kind === "rejected") {
    return compiled.issues[0].message;
  }
  const { min, max } = estimateCost(compiled.checked, declared);
  return { min: String(min), max: String(max) };
}

interface Asked extends RuleCostAnswer {
  readonly rule: ValidationRule;
  readonly declared: DeclaredType;
}

const asked: readonly Asked[] = recordedRules("rule-cost").flatMap(({ schema, answer }) =>
  answer.costs.map((cost) => {
    const [path = "", index = "0"] = cost.path.split("#");
    const declared = declareType(schema, { isResourceRoot: true });
    if (declared === undefined) {
      throw new TypeError("the schema declares nothing");
    }
    const place = follow({ schema, declared }, path);
    const rule = place.schema["x-kubernetes-validations"]?.[Number(index)] ?? { rule: "" };
    return { ...cost, rule, declared: place.declared };
  }),
);

describe("the estimated cost of an expression", () => {
  it("is upstream's for every function, with and without bounds", () => {
    expect(asked.length).toBeGreaterThan(700);
    for (const { rule, declared, min, max } of asked) {
      expect({ rule: rule.rule, cost: costsOf(rule.rule, declared, rule) }).toEqual({
        rule: rule.rule,
        cost: { min, max },
      });
    }
  });

  it("is upstream's for messages", () => {
    const messages = asked.filter(({ messageMax }) => messageMax !== undefined);
    expect(messages.length).toBe(8);
    for (const { rule, declared, messageMax } of messages) {
      const text = rule.messageExpression ?? "";
      expect({ text, cost: costsOf(text, declared, rule) }).toMatchObject({ text, cost: { max: messageMax } });
    }
  });

  it("counts as many repetitions as upstream where nothing bounds them", () => {
    for (const { path, declared, repeats } of asked) {
      expect({ path, repeats: String(mostRepetitions(declared.minSerializedSize)) }).toEqual({ path, repeats });
    }
  });

  it("names the parts of the object that it depends on", () => {
    const self = declareType({
      type: "object",
      properties: { s: { type: "string" }, l: { type: "array", items: { type: "string" } } },
    });
    const compiled = self && compileExpression("self.l.all(x, x.contains(self.s))", { self });
    expect(compiled?.kind === "compiled" ? estimateCost(compiled.checked, self as DeclaredType).read : []).toEqual(
      expect.arrayContaining([["l"], ["l", "@items"], ["s"]]),
    );
  });
});
