import { fieldErrorToString } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { checkRules, ruleChecks } from "../../../src/cel/rules/check-rules.ts";
import { deepEqual } from "../../../src/json/deep-equal.ts";
import type { JsonSchema, ValidationRule } from "../../../src/model/json-schema.ts";
import { checkStructural } from "../../../src/structural/check-structural.ts";
import { recordedRules } from "../../oracle/rules/rule-answer.ts";

function inSpec(schema: JsonSchema): JsonSchema {
  return { type: "object", properties: { spec: schema } };
}

const words = (rule: ValidationRule, bounds: JsonSchema = {}): JsonSchema => ({
  type: "array",
  items: { type: "string" },
  ...bounds,
  "x-kubernetes-validations": [rule],
});

// The parser is not upstream's own: where the syntax is wrong, the place is the same and the words are not.
const withoutSyntaxWords = (line: string): string => line.replace(/(Syntax error: )[^\n]*/g, "$1…");

describe("checkStructural with rules", () => {
  it("says what upstream says of the same schemas", () => {
    const cases = recordedRules("rule-check");
    expect(cases.length).toBeGreaterThan(120);
    for (const { schema, old, answer } of cases) {
      const errors = checkStructural(schema, {
        previous: old === undefined ? [] : [old],
        isUnchanged: old !== undefined && deepEqual(old, schema),
        rules: ruleChecks,
      });
      const got = errors.map((error) => withoutSyntaxWords(`${error.type} ${fieldErrorToString(error)}`)).sort();
      expect({ schema, old, errors: got }).toEqual({
        schema,
        old,
        errors: answer.errors.map(withoutSyntaxWords).sort(),
      });
    }
  });
});

describe("checkRules", () => {
  it("finds nothing wrong with a sound rule", () => {
    expect(checkRules(inSpec(words({ rule: "self.size() < 5" })))).toEqual([]);
  });

  it.each([
    ["form", { rule: " " }],
    ["form", { rule: "true", reason: "Nonsense" }],
    ["compile", { rule: "self.a == 1" }],
    ["result-type", { rule: "self.size()" }],
    ["message-compile", { rule: "true", messageExpression: "self.size()" }],
    ["optional-old-self", { rule: "true", optionalOldSelf: true }],
  ] as const)("calls it %s when the rule is %j", (problem, rule) => {
    expect(checkRules(inSpec(words(rule))).map((found) => found.problem)).toEqual([problem]);
  });

  it("names the fields without bounds that make a rule too expensive", () => {
    const schema = inSpec({
      type: "object",
      additionalProperties: {
        type: "array",
        items: {
          type: "object",
          properties: { name: { type: "string" }, size: { type: "integer" }, mode: { type: "string", enum: ["A"] } },
        },
        "x-kubernetes-validations": [{ rule: "self.all(x, self.exists(y, x.name == y.name && x.mode == 'A'))" }],
      },
    });
    const [cost] = checkRules(schema);
    expect(cost).toMatchObject({
      problem: "cost",
      error: {
        type: "FieldValueForbidden",
        field: "spec.validation.openAPIV3Schema.properties[spec].additionalProperties.x-kubernetes-validations[0].rule",
      },
      wayOut: "add maxProperties to spec, maxItems to spec{}, maxLength to spec{}[].name",
      unbounded: [
        { path: "spec", keyword: "maxProperties" },
        { path: "spec{}", keyword: "maxItems" },
        { path: "spec{}[].name", keyword: "maxLength" },
      ],
    });
  });

  it("names no field that has a bound", () => {
    const rule = { rule: "self.all(x, self.all(y, self.all(z, x + y == z)))" };
    const findings = checkRules(inSpec(words(rule, { maxItems: 900 })));
    expect(findings[0]?.unbounded).toEqual([{ path: "spec[]", keyword: "maxLength" }]);
  });

  it("reports below the path it is given", () => {
    const [found] = checkRules(inSpec(words({ rule: "self.a" })), { path: "openAPIV3Schema" });
    expect(found?.error.field).toBe("openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule");
  });

  it("lets a rule cost what it did before where the schema has not changed", () => {
    const schema = inSpec({ ...words({ rule: "self.all(x, self.exists(y, x == y))" }, { maxItems: 80 }) });
    const problems = (isUnchanged: boolean): readonly string[] =>
      checkRules(schema, { isUnchanged }).map(({ problem }) => problem);
    expect(problems(false)).toContain("cost");
    expect(problems(true)).not.toContain("cost");
  });
});
