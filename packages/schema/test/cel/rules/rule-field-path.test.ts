import { describe, expect, it } from "vitest";

import { readRuleFieldPath } from "../../../src/structural/rule-field-path.ts";

const schema = {
  type: "object",
  properties: {
    a: { type: "string" },
    "it's": { type: "string" },
    "x.y": { type: "object", properties: { b: { type: "string" } } },
    m: { type: "object", additionalProperties: { type: "object", properties: { v: { type: "string" } } } },
  },
};

describe("the fieldPath of a rule", () => {
  it.each([
    [".a", "a"],
    ["['x.y'].b", "x.y.b"],
    ["['it\\'s']", "it's"],
    [".m['k.e'].v", "m[k.e].v"],
    [".m.key.v", "m[key].v"],
  ])("%s is printed as %s", (text, printed) => {
    expect(readRuleFieldPath(text, schema)).toBe(printed);
  });

  it.each(["a", ".b", ".a.b", "[a]", "['a'", "['a']b", "..a", ".", ".m['\\q']", "''"])("%s leads nowhere", (text) => {
    expect(readRuleFieldPath(text, schema)).toBeUndefined();
  });
});
