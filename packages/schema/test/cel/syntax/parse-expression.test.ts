import { expect, test } from "vitest";

import { childrenOf, type CelNode } from "../../../src/cel/expressions/expression-tree.ts";
import { parseExpression } from "../../../src/cel/syntax/parse-expression.ts";

function parse(text: string): ReturnType<typeof parseExpression> {
  return parseExpression(text, { isFunction: (name) => name === "sets.contains", isType: (name) => name === "net.IP" });
}

function root(text: string): CelNode {
  const parsed = parse(text);
  if (parsed.kind === "failed") throw new TypeError(parsed.message);
  return parsed.root;
}

test("nodes stand where a server sees them: at operators, dots and brackets", () => {
  const text = "(self . a) /* no */";
  expect(parse(text).kind).toBe("failed");
  const offsets = [
    "a  +  b",
    "f (1)",
    "a . b",
    "a .b (1)",
    "a [0]",
    "a ? b : c",
    "!a",
    "[1]",
    "'🎉' + a",
    "( a ) == b // c",
  ].map((one) => root(one).offset);
  expect(offsets).toEqual([3, 2, 2, 5, 2, 2, 0, 0, 4, 6]);
});

test("names with dots are types and functions where there are such", () => {
  expect(root("net.IP")).toMatchObject({ kind: "ident", name: "net.IP", offset: 3 });
  expect(root("net.ip").kind).toBe("select");
  expect(root("sets.contains(a)")).toMatchObject({ kind: "call", function: "sets.contains", target: undefined });
  expect(root("sets.other(a)")).toMatchObject({ kind: "call", function: "other" });
});

test("macros are written out, their variables named", () => {
  expect(root("a.all(x, x)")).toMatchObject({ kind: "comprehension", variable: "x", accumulator: "@result" });
  expect(root("a.transformMap(k, v, v)")).toMatchObject({ kind: "comprehension", variable: "k", secondVariable: "v" });
  expect(root("has(a.b)")).toMatchObject({ kind: "select", field: "b", isPresenceTest: true });
  expect(root("a.all(x, y, z, w)")).toMatchObject({ kind: "call", function: "all" });
});

test("a minus belongs to the number behind it, and signs in pairs cancel out", () => {
  expect(root("-9223372036854775808")).toMatchObject({ kind: "literal", value: -(2n ** 63n) });
  expect(root("- 1.5")).toMatchObject({ kind: "literal", value: -1.5 });
  expect(root("--a")).toMatchObject({ kind: "ident", name: "a" });
  expect(root("!!!a")).toMatchObject({ kind: "call", function: "!_" });
  expect(childrenOf(root("-(1)"))).toMatchObject([{ kind: "literal", value: 1n }]);
});

test("the dialect that the library lacks is read too", () => {
  expect(root("[?a, b]")).toMatchObject({ optionalIndices: new Set([0]) });
  expect(root("{?'k': v, 'l': w}")).toMatchObject({ entries: [{ isOptional: true }, { isOptional: false }] });
  expect(root(".5")).toMatchObject({ value: 0.5 });
  expect(root("bR'\\x'")).toMatchObject({ value: new Uint8Array([0x5c, 0x78]) });
  expect(root(".self")).toMatchObject({ kind: "ident", name: "self" });
});

test("what CEL does not allow is rejected where it stands, though the library reads it", () => {
  const places = ["f(1,)", "a ? b ? 1 : 2 : 3", "!-a", "'\\q'", "b'\\u0041'", "9223372036854775808", "a b"].map(
    (text) => {
      const parsed = parse(text);
      return parsed.kind === "failed" ? parsed.offset : undefined;
    },
  );
  expect(places).toEqual([4, 6, 1, 0, 0, 0, 2]);
});
