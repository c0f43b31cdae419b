import { type FieldErrorType, invalidField } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { withRuleErrors } from "../src/rule-errors.ts";

const errorOf = (type: FieldErrorType) => ({ type, field: "spec.a", badValue: 1, detail: "" });
const BROKEN_RULE = invalidField("spec", {}, "a must be below b");

describe("the errors of rules", () => {
  it.each(["FieldValueInvalid", "FieldValueDuplicate", "FieldValueForbidden"] as const)(
    "follow one of the kind %s",
    (type) => {
      expect(withRuleErrors([errorOf(type)], () => [BROKEN_RULE])).toEqual([errorOf(type), BROKEN_RULE]);
    },
  );

  it.each([
    "FieldValueNotSupported",
    "FieldValueRequired",
    "FieldValueTooLong",
    "FieldValueTooMany",
    "FieldValueTypeInvalid",
  ] as const)("are not looked for after one of the kind %s, and a note says so", (type) => {
    const errors = withRuleErrors([errorOf(type)], () => {
      throw new Error("rules were checked");
    });
    expect(errors).toEqual([
      errorOf(type),
      expect.objectContaining({ field: "<nil>", detail: expect.stringContaining("rules were not checked") }),
    ]);
  });
});
