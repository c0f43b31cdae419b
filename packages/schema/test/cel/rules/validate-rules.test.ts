import { fieldErrorToString, type JSONValue } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { validateRules } from "../../../src/cel/rules/validate-rules.ts";
import { recordedRules } from "../../oracle/rules/rule-answer.ts";

describe("validateRules", () => {
  it("says what upstream says of the same objects, and spends as much", () => {
    const cases = recordedRules("rule-validate");
    expect(cases.length).toBeGreaterThan(170);
    for (const { schema, value, previous, budget = 10_000_000, perCall, answer } of cases) {
      const result = validateRules(schema, value as JSONValue, {
        previous: previous as JSONValue | undefined,
        budget,
        ...(perCall === undefined ? {} : { expressionLimit: perCall }),
      });
      const got = {
        errors: result.errors.map((error) => `${error.type} ${fieldErrorToString(error)}`).sort(),
        warnings: [...result.warnings].sort(),
        used: budget - result.remaining,
      };
      expect({ schema, value, previous, ...got }).toEqual({ schema, value, previous, ...answer });
    }
  });

  it("changes nothing", () => {
    const schema = { type: "object", "x-kubernetes-validations": [{ rule: "self.metadata.name == 'a'" }] };
    const value = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
    expect(validateRules(schema, value)).toEqual({ errors: [], warnings: [], remaining: 10_000_000 - 4 });
  });

  it("reports below a path", () => {
    const schema = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 3" }] };
    const { errors } = validateRules(schema, 1, { path: "spec.size", isResourceRoot: false });
    expect(errors.map(fieldErrorToString)).toEqual(["spec.size: Invalid value: 1: failed rule: self > 3"]);
  });

  it("is content with what has no rules", () => {
    expect(validateRules({ type: "object" }, {}).remaining).toBe(10_000_000);
  });
});
