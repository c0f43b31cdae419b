import { parseJson } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { jsonProblem } from "../../src/request/body.ts";

describe("what is wrong with a body that is not JSON", () => {
  it.each([
    ["apiVersion: v1\n", "invalid character 'a' looking for beginning of value"],
    ["\napiVersion: v1\nkind: ConfigMap\n", "invalid character 'a' looking for beginning of value"],
    ['{"a": ', "unexpected end of JSON input"],
    ["", "unexpected end of JSON input"],
  ])("%j", (text, problem) => {
    let found: unknown;
    try {
      parseJson(text);
    } catch (error) {
      found = error;
    }
    expect(jsonProblem(text, found)).toBe(problem);
  });
});
