import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import * as names from "../../src/fields/names.ts";
import { recordedAnswers } from "../oracle/oracle.ts";

const CHECKS: Record<string, (value: string) => readonly string[]> = {
  dns1123Label: names.dns1123LabelErrors,
  dns1123Subdomain: names.dns1123SubdomainErrors,
  dns1035Label: names.dns1035LabelErrors,
  qualifiedName: names.qualifiedNameErrors,
  labelValue: names.labelValueErrors,
  wildcardSubdomain: names.wildcardSubdomainErrors,
  configMapKey: names.configMapKeyErrors,
  environmentVariable: names.environmentVariableErrors,
  portName: names.portNameErrors,
  httpHeaderName: names.httpHeaderNameErrors,
  cIdentifier: names.cIdentifierErrors,
};

const recorded = recordedAnswers<[string, Record<string, string[]>]>("names", () => [
  "",
  "a",
  "A",
  "a-b",
  "-a",
  "a-",
  "a.b",
  "a..b",
  ".",
  "..",
  "..a",
  "a_b",
  "_a",
  "1a",
  "9",
  "*.a",
  "*.a.b",
  "*",
  "a/b",
  "/b",
  "a/",
  "a/b/c",
  "A/b",
  "é",
  "a b",
  "a\n",
  "http-1",
  "a--b",
  "x".repeat(63),
  "x".repeat(64),
  "x".repeat(253),
  "x".repeat(254),
  `${"x".repeat(254)}/y`,
  `a/${"x".repeat(64)}`,
  "é".repeat(40),
  "x".repeat(16),
  ...fc.sample(fc.stringMatching(/^[-a-zA-Z0-9._/*]{1,8}$/), { numRuns: 400, seed: 41 }),
]);

describe("the checks of names", () => {
  it.each(Object.keys(CHECKS))("answer with upstream's sentences on recorded texts: %s", (check) => {
    expect(recorded.length).toBeGreaterThan(400);
    expect(recorded.map(([value]) => [value, CHECKS[check]?.(value)])).toEqual(
      recorded.map(([value, answers]) => [value, answers[check]]),
    );
  });

  it("check the numbers of ports", () => {
    expect(names.portNumberErrors(80)).toEqual([]);
    expect(names.portNumberErrors(0)).toEqual(["must be between 1 and 65535, inclusive"]);
  });
});

describe("maskTrailingDash", () => {
  it("lets a generateName end in a dash", () => {
    expect(names.dns1123SubdomainErrors(names.maskTrailingDash("web-"))).toEqual([]);
    expect(names.maskTrailingDash("-")).toBe("-");
  });
});
