import { describe, expect, it } from "vitest";

import { checkJsonDepth, DEEPEST_JSON, JsonDepthError, parseJson } from "../../src/json/json-depth.ts";

describe("parseJson", () => {
  it("parses values of 10,000 levels and refuses deeper ones", () => {
    expect(parseJson(lists(DEEPEST_JSON))).toHaveLength(1);
    expect(() => parseJson(lists(DEEPEST_JSON + 1))).toThrow(new JsonDepthError("["));
    expect(parseJson(objects(DEEPEST_JSON))).toHaveProperty("a");
    expect(() => parseJson(objects(DEEPEST_JSON + 1))).toThrow(new JsonDepthError("{"));
  });

  it("survives a million levels", () => {
    expect(() => parseJson(lists(1_000_000))).toThrow("invalid character '[' exceeded max depth");
    expect(() => parseJson("[".repeat(3_000_000))).toThrow("invalid character '[' exceeded max depth");
  });

  it("tells texts that are not JSON from those that are too deep as well", () => {
    expect(() => parseJson("[".repeat(10_000))).toThrow(SyntaxError);
    expect(() => parseJson(`${"[".repeat(20_000)}}`)).toThrow(JsonDepthError);
    expect(() => parseJson(`["${"[".repeat(20_000)}\\"[`)).toThrow(SyntaxError);
  });
});

describe("checkJsonDepth", () => {
  it("counts the levels above", () => {
    const value: unknown = JSON.parse(lists(10));
    expect(() => checkJsonDepth(value, DEEPEST_JSON - 10)).not.toThrow();
    expect(() => checkJsonDepth(value, DEEPEST_JSON - 9)).toThrow(JsonDepthError);
    expect(() => checkJsonDepth("text", DEEPEST_JSON)).not.toThrow();
  });
});

function lists(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

function objects(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}
