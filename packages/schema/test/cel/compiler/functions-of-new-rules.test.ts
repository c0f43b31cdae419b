/**
 * The functions that new rules of CRDs may call in each minor version; recorded is what the environment of k8s.io/apiserver 0.34.4, 0.35.4, 0.36.3,
 * and 0.37.2 (`environment.MustBaseEnvSet(DefaultCompatibilityVersion()).NewExpressionsEnv()`) reports for an expression, where `self` is a map of
 * lists of integers. `all` stands for four equal answers.
 */
import { readFileSync } from "node:fs";

import { SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { compileExpression, type DeclaredType, declareType } from "../../../src/cel/index.ts";
import { checkRules } from "../../../src/cel/rules/check-rules.ts";

type Answers = Readonly<Partial<Record<string, readonly string[]>>>;

const recorded = Object.entries(
  JSON.parse(readFileSync(new URL("../recorded/new-rule-functions.json", import.meta.url), "utf8")) as Readonly<
    Record<string, Answers>
  >,
);

const SELF = {
  type: "object",
  additionalProperties: { type: "array", maxItems: 5, items: { type: "integer" } },
  maxProperties: 5,
} as const;

const DECLARED = declareType(SELF) as DeclaredType;

describe.each(SUPPORTED_MINORS)("Kubernetes %s", (kubernetesVersion) => {
  it.each(recorded)("%s", (expression, answers) => {
    const compiled = compileExpression(expression, { self: DECLARED, kubernetesVersion });
    const issues = compiled.kind === "rejected" ? compiled.issues : [];
    expect(issues.map(({ line, column, message }) => `ERROR: <input>:${line}:${column}: ${message}`)).toEqual(
      answers["all"] ?? answers[kubernetesVersion],
    );
  });
});

it("the rules of a schema may call the functions of the version", () => {
  const spec = { ...SELF, "x-kubernetes-validations": [{ rule: "self.all(k, self[k].distinct() == self[k])" }] };
  const schema = { type: "object", properties: { spec } } as const;
  expect(checkRules(schema)).toEqual([]);
  expect(checkRules(schema, { kubernetesVersion: "1.35" })).toEqual([]);
  expect(
    checkRules(schema, { kubernetesVersion: "1.34" }).map(({ problem, error }) => [problem, error.detail]),
  ).toEqual([["compile", expect.stringContaining("undeclared reference to 'distinct' (in container '')")]]);
});
