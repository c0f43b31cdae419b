import { describe, expect, it } from "vitest";

import { fieldErrorToString, OMITTED_VALUE, type FieldError } from "../../src/fields/field-errors.ts";
import * as make from "../../src/fields/field-errors.ts";
import { newInvalid } from "../../src/new-status-error.ts";
import { recordedAnswers } from "../oracle/oracle.ts";

interface Question {
  readonly type: string;
  readonly field: string;
  readonly value?: unknown;
  readonly detail?: string;
  readonly number?: number;
  readonly valid?: readonly string[];
}
interface Answer {
  readonly messages: readonly string[];
  readonly aggregated: string;
  readonly status: unknown;
}

const VALUES = [
  "x",
  "",
  'a"b\n\u00e9\u200b',
  3,
  -1,
  1.5,
  1e21,
  0,
  true,
  null,
  ["a", 1],
  { b: 1, a: "<&>" },
  "\u007f😀\u2028",
];
const QUESTIONS: readonly (readonly Question[])[] = [
  ...VALUES.flatMap((value) => [
    [{ type: "invalid", field: "spec.size", value, detail: "must be positive" }],
    [{ type: "type-invalid", field: "spec.size", value, detail: "" }],
    [{ type: "duplicate", field: "spec.list[0]", value }],
    [{ type: "not-found", field: "spec.ref", value }],
    [{ type: "not-supported", field: "spec.kind", value, valid: ["a", 'b"'] }],
  ]),
  [{ type: "required", field: "metadata.name", detail: "name or generateName is required" }],
  [{ type: "required", field: "spec" }],
  [{ type: "forbidden", field: "spec", detail: "may not be changed" }],
  [{ type: "not-supported", field: "spec.kind", value: "x", valid: [] }],
  [
    { type: "too-long", field: "a", number: 1 },
    { type: "too-long", field: "a", number: 63 },
    { type: "too-long", field: "a", number: -1 },
  ],
  [
    { type: "too-many", field: "a", value: 3, number: 1 },
    { type: "too-many", field: "a", value: 3, number: 2 },
    { type: "too-many", field: "a", value: 3, number: -1 },
  ],
  [{ type: "internal", field: "a", detail: "broken" }],
  [
    { type: "required", field: "a" },
    { type: "required", field: "a" },
  ],
];
const recorded = recordedAnswers<[readonly Question[], Answer]>("field-error", () => QUESTIONS);

describe("field errors", () => {
  it("print as upstream's, alone, together and as the causes of a status", () => {
    expect(recorded.length).toBe(QUESTIONS.length);
    for (const [questions, answer] of recorded) {
      const errors = questions.map(built);
      expect(errors.map(fieldErrorToString)).toEqual(answer.messages);
      expect(make.aggregateFieldErrors(errors)).toBe(answer.aggregated);
      const { apiVersion, kind, ...status } = newInvalid({ group: "demo", kind: "Thing" }, "x", errors).status;
      expect([apiVersion, kind, status]).toEqual(["v1", "Status", answer.status]);
    }
  });
});

describe("a field error without a value", () => {
  it("leaves it out of the message, whatever its kind", () => {
    expect(fieldErrorToString(make.invalidField("a", OMITTED_VALUE, "wrong"))).toBe("a: Invalid value: wrong");
    expect(fieldErrorToString(make.duplicateField("a", OMITTED_VALUE))).toBe("a: Duplicate value");
  });

  it("prints the members of a map in their order, and those of an object sorted", () => {
    const members = [
      ["b", 1],
      ["a", ["<"]],
    ] as const;
    const print = (value: unknown): string => fieldErrorToString(make.invalidField("x", value, ""));
    expect(print(new Map<string, unknown>(members))).toBe('x: Invalid value: {"b":1,"a":["\\u003c"]}');
    expect(print(Object.fromEntries(members))).toBe('x: Invalid value: {"a":["\\u003c"],"b":1}');
  });
});

function built({ type, field, value, detail = "", number = 0, valid = [] }: Question): FieldError {
  switch (type) {
    case "required":
      return make.requiredField(field, detail);
    case "invalid":
      return make.invalidField(field, value, detail);
    case "type-invalid":
      return make.invalidFieldType(field, value, detail);
    case "not-supported":
      return make.unsupportedField(field, value, valid);
    case "duplicate":
      return make.duplicateField(field, value);
    case "not-found":
      return make.notFoundField(field, value);
    case "forbidden":
      return make.forbiddenField(field, detail);
    case "too-long":
      return make.tooLongField(field, number);
    case "too-many":
      return make.tooManyField(field, Number(value), number);
    default:
      return make.internalFieldError(field, detail);
  }
}
