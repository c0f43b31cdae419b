import { describe, expect, it } from "vitest";

import type { CelValue, PolicyExpression } from "../../../src/cel/index.ts";
import { CelAuthorizer, evaluatePolicy, PolicyCompiler, toPlainValue } from "../../../src/cel/index.ts";

const ALL = { hasParams: false, hasAuthorizer: true };

function bindings(object: unknown, decide: (verb: string) => boolean = () => true): Map<string, CelValue> {
  const authority = {
    decide: ({ verb }: { readonly verb: string }) => ({ allowed: decide(verb), reason: "" }),
    forServiceAccount: () => authority,
  };
  return new Map<string, CelValue>([
    ["object", toPlainValue(object as never)],
    ["oldObject", null],
    ["authorizer", new CelAuthorizer(authority)],
  ]);
}

function compiled(
  text: string,
  compiler: PolicyCompiler = new PolicyCompiler({ hasVariables: false }),
): PolicyExpression {
  return compiler.compile(text, ALL);
}

describe("PolicyCompiler", () => {
  it("declares variables with their types, and loses those of objects", () => {
    const compiler = new PolicyCompiler({ hasVariables: true });
    compiler.declare("sizes", "[1, 2]", ALL);
    compiler.declare("user", "request.userInfo", ALL);
    expect(compiler.compile("variables.sizes == 'a'", ALL)).toMatchObject({
      kind: "rejected",
      issues: expect.stringContaining("applied to '(list(int), string)'") as string,
    });
    expect(compiler.compile("variables.user.anything", ALL)).toMatchObject({ kind: "compiled" });
    expect(compiler.compile("variables.later", ALL)).toMatchObject({ kind: "rejected" });
  });

  it("refuses other types than those that an expression may have", () => {
    const compiler = new PolicyCompiler({ hasVariables: false });
    expect(compiler.compile("1.5", ALL, ["bool"])).toMatchObject({ detail: "must evaluate to bool but got double" });
    expect(compiler.compile("duration('1s')", ALL, ["string", "null_type"])).toMatchObject({
      detail: "must evaluate to one of [string null_type] but got google.protobuf.Duration",
    });
    expect(compiler.compile("null", ALL, ["string", "null_type"])).toMatchObject({ kind: "compiled" });
  });

  it("reports what cannot be instantiated as an internal error", () => {
    expect(compiled("int('a') == 1")).toMatchObject({ kind: "rejected", isInternal: true, issues: undefined });
  });
});

describe("evaluatePolicy", () => {
  it("evaluates a variable once for all expressions, and counts its cost once", async () => {
    const compiler = new PolicyCompiler({ hasVariables: true });
    const asked: string[] = [];
    const check = "authorizer.group('').resource('pods').check('get').allowed()";
    const variables = new Map([["may", compiler.declare("may", check, ALL)]]);
    const expressions = [compiled("variables.may", compiler), compiled("variables.may && variables.may", compiler)];
    const values = bindings({}, (verb) => {
      asked.push(verb);
      return true;
    });
    const evaluation = await evaluatePolicy(expressions, values, { variables, budget: 400_000 });
    expect(evaluation).toMatchObject({ kind: "finished", values: [{ value: true }, { value: true }] });
    expect(asked).toEqual(["get"]);
    expect(await evaluatePolicy(expressions, values, { variables, budget: 300_000 })).toMatchObject({
      kind: "exhausted",
    });
  });

  it("ends an expression that is too expensive, and goes on with the next", async () => {
    const check = "authorizer.path('/').check('get').allowed()";
    const expressions = [compiled(`${check} && ${check} && ${check}`), compiled("true")];
    const evaluation = await evaluatePolicy(expressions, bindings({}), { budget: 10_000_000 });
    expect(evaluation).toMatchObject({
      kind: "finished",
      values: [{ message: expect.stringContaining("actual cost limit exceeded") as string }, { value: true }],
    });
  });

  it("reports what an expression throws as it is", async () => {
    const values = bindings({}, () => {
      throw new RangeError("not now");
    });
    await expect(
      evaluatePolicy([compiled("authorizer.path('/').check('get').allowed()")], values, { budget: 1e7 }),
    ).rejects.toThrow("not now");
  });
});
