import { describe, expect, it } from "vitest";

import {
  applyConfigurationOf,
  type CelValue,
  evaluateMutation,
  jsonPatchOf,
  PolicyCompiler,
  type PolicyExpression,
  toPlainValue,
} from "../../../src/cel/index.ts";

const MUTATION = { hasParams: false, hasAuthorizer: false, isMutation: true };
const OBJECT = { metadata: { name: "a", labels: { b: "c" } }, spec: { replicas: 2, parts: [{ name: "p" }] } };

function compiled(text: string): PolicyExpression {
  return new PolicyCompiler({ hasVariables: true }).compile(text, MUTATION);
}

function detail(text: string): string {
  const expression = compiled(text);
  return expression.kind === "rejected" ? expression.detail : "accepted";
}

async function evaluated(text: string): Promise<CelValue> {
  const outcome = await evaluateMutation(compiled(text), new Map([["object", toPlainValue(OBJECT)]]), {
    variables: new Map(),
  });
  if (outcome.kind === "error") throw new TypeError(outcome.message);
  return outcome.value;
}

async function applied(text: string): Promise<unknown> {
  const outcome = applyConfigurationOf(await evaluated(text));
  return outcome.kind === "value" ? outcome.value : outcome.message;
}

async function patched(text: string): Promise<unknown> {
  const outcome = jsonPatchOf(await evaluated(text));
  return outcome.kind === "value" ? outcome.value : outcome.message;
}

describe("messages", () => {
  it("have types by their names, in mutations alone", () => {
    expect(detail("Object{spec: Object.spec{replicas: 1}}")).toBe("accepted");
    expect(detail('[JSONPatch{op: "add", path: "/a", value: 1}]')).toBe("accepted");
    expect(detail("Other{}")).toContain("undeclared reference to 'Other'");
    const outside = new PolicyCompiler({ hasVariables: false }).compile("Object{}", { ...MUTATION, isMutation: false });
    expect(outside).toMatchObject({ kind: "rejected", detail: expect.stringContaining("'Object'") as string });
  });

  it("have fields that are checked where their types are known", () => {
    expect(detail("JSONPatch{op: 1}")).toContain(
      "<input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'",
    );
    expect(detail("Object{?a: 1}")).toContain("expected type 'optional_type(int)' but found 'int'");
  });

  it.each([
    ["Object{a: 1, b: {'c': 2},}", { a: 1, b: { c: 2 } }],
    ["Object { // a comment\n a\n:\n1 }", { a: 1 }],
    [
      ".Object{namespace: 1, map: Object.map{all: [Object.map.all{has: 2}]}}",
      { namespace: 1, map: { all: [{ has: 2 }] } },
    ],
    ["Object{a: true ? Object.a{b: 1} : Object.a{}}", { a: { b: 1 } }],
    ["Object{a: [1, 2].map(x, Object.a{b: x})}", { a: [{ b: 1 }, { b: 2 }] }],
    ["Object{?a: optional.none(), ?b: object.spec[?'replicas'], ?c: optional.ofNonZeroValue(Object{})}", { b: 2 }],
    ["Object{spec: object.spec, labels: object.metadata.labels}", { spec: OBJECT.spec, labels: { b: "c" } }],
    [
      "Object{a: Object{b: 1}.b, c: has(Object{b: 1}.c), d: Object{b: 1} == Object{b: 2 - 1}}",
      { a: 1, c: false, d: true },
    ],
  ])("of %s have these fields", async (text, expected) => {
    expect(await applied(text)).toEqual(expected);
  });

  it("with fields that are no names are refused", () => {
    expect(detail('Object{"a": 1}')).toContain("mismatched input");
    expect(detail("Object{in: 1}")).toContain("mismatched input");
    expect(detail("{a{}: 1}")).toContain("undeclared reference to 'a'");
  });

  it("cost 40 each", async () => {
    const nested = (depth: number): string => (depth === 0 ? "1" : `[Object{a: ${nested(depth - 1)}}][0]`);
    const loops = "[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, %)))";
    const cost = async (text: string): Promise<string> => {
      const outcome = await evaluateMutation(compiled(`Object{a: ${loops.replace("%", text)}}`), new Map(), {
        variables: new Map(),
      });
      return outcome.kind === "error" ? outcome.message : "fine";
    };
    expect(await cost(nested(1))).toBe("fine");
    expect(await cost(nested(20))).toContain("actual cost limit exceeded");
  });
});

describe("apply configurations", () => {
  it("are refused if a type has another name than its field", async () => {
    expect(await applied("Object{spec: Object.other{}}")).toBe(
      'type mismatch: unexpected type name "Object.other", expected "Object.spec", which matches field name path from root Object type',
    );
  });

  it("keep literals of maps in lists as what no schema takes", async () => {
    expect(await applied("Object{a: [{'b': 1}]}")).toEqual({ a: [expect.objectContaining({ text: "map[b:1]" })] });
    expect(await applied("Object{a: object.spec.parts}")).toEqual({ a: [{ name: "p" }] });
  });
});

describe("JSON patches", () => {
  it("have the values of JSON", async () => {
    expect(
      await patched(`[JSONPatch{op: "add", path: "/" + jsonpatch.escapeKey("a/b~c"), value: {"t": dyn(timestamp("2020-01-01T00:00:00Z")), "b": dyn(b"abc"),
        "i": dyn(9223372036854775807), "d": dyn(duration("90s")), "l": dyn([{"m": null}]), "o": dyn(Object.a{b: 1})}}, JSONPatch{op: "move", from: "/a", path: ""}]`),
    ).toEqual([
      {
        op: "add",
        path: "/a~1b~0c",
        value: {
          t: "2020-01-01T00:00:00Z",
          b: "YWJj",
          i: "9223372036854775807",
          d: "90s",
          l: [{ m: null }],
          o: { b: 1 },
        },
      },
      { op: "move", from: "/a", path: "" },
    ]);
  });

  it("are refused with values that JSON does not have", async () => {
    expect(await patched('[JSONPatch{op: "add", value: quantity("1")}]')).toContain(
      "type conversion error from 'Quantity'",
    );
    expect(await patched('[JSONPatch{op: "add", value: {1: 2}}]')).toContain(
      "unsupported type conversion from 'int' to string",
    );
  });
});
