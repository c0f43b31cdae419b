import fc from "fast-check";
import { expect, test } from "vitest";

import { compileExpression } from "../../src/cel/compiler/compile-expression.ts";
import { declareType } from "../../src/cel/expressions/declared-type.ts";
import { KUBERNETES_FUNCTIONS } from "../../src/cel/functions/kubernetes-functions.ts";
import { CelError, type CelValue } from "../../src/cel/values/cel-value.ts";
import { compareTexts, equalValues } from "../../src/cel/values/equality.ts";
import { escapePropertyName, unescapePropertyName } from "../../src/cel/values/property-names.ts";
import { toCelValue } from "../../src/cel/values/schema-value.ts";

const schema = {
  type: "object",
  properties: {
    n: { type: "integer" },
    x: { type: "number" },
    s: { type: "string" },
    list: { type: "array", items: { type: "integer" } },
    map: { type: "object", additionalProperties: { type: "string" } },
    any: { "x-kubernetes-int-or-string": true },
  },
};
const self = declareType(schema);
const value = toCelValue({ n: 1, x: 0.5, s: "a", list: [2, 1], map: { a: "b" }, any: "1" }, schema);

const METHODS = [...KUBERNETES_FUNCTIONS.values()].flatMap(({ name, overloads }) =>
  /^\w+$/.test(name) && overloads.some(({ isMember }) => isMember) ? [name] : [],
);
const FUNCTIONS = [...KUBERNETES_FUNCTIONS.values()].flatMap(({ name, overloads }) =>
  /^[\w.]+$/.test(name) && overloads.some(({ isMember }) => !isMember) ? [name] : [],
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      "1",
      "0",
      "-1",
      "1u",
      "1.5",
      "'a'",
      "b'a'",
      "true",
      "null",
      "[]",
      "{}",
      "[1, 2]",
      "{'a': 1}",
      "x",
      "int",
    ),
    fc.constantFrom(
      "self",
      "self.n",
      "self.x",
      "self.s",
      "self.list",
      "self.map",
      "self.any",
      "self.?s",
      "oldSelf.n",
      "dyn(self.n)",
    ),
    binary(tie("expression")),
    call(tie("expression")),
    fc
      .tuple(tie("expression"), fc.constantFrom("all", "exists", "map", "filter"), tie("expression"))
      .map(([a, m, b]) => `${a}.${m}(x, ${b})`),
    fc.tuple(tie("expression"), tie("expression"), tie("expression")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `${a}[${b}]`),
  ),
}));

function binary(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const operator = fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in");
  return fc.tuple(part, operator, part).map(([left, sign, right]) => `(${left} ${sign} ${right})`);
}

function call(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const args = fc.array(part, { maxLength: 2 }).map((parts) => parts.join(", "));
  const method = fc
    .tuple(part, fc.constantFrom(...METHODS), args)
    .map(([target, name, rest]) => `${target}.${name}(${rest})`);
  return fc.oneof(
    method,
    fc.tuple(fc.constantFrom(...FUNCTIONS), args).map(([name, rest]) => `${name}(${rest})`),
  );
}

type Outcome = "value" | "error" | "rejected" | "rejected at no place";

function run(text: string): Outcome {
  if (self === undefined) throw new TypeError("the schema declares nothing");
  const compiled = compileExpression(text, { self });
  if (compiled.kind === "compiled") return compiled.evaluate({ self: value, oldSelf: value }).kind;
  const [{ offset, line, column }] = compiled.issues;
  const isPlace = line > 0 && column >= (text === "" ? 0 : 1) && offset <= Array.from(text).length;
  return isPlace ? "rejected" : "rejected at no place";
}

test("every expression of the grammar is compiled or rejected, and every compiled one has a value or an error", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(expression, (text) => {
      seen.add(run(text));
    }),
    { numRuns: 1000 },
  );
  expect(seen).toEqual(new Set(["value", "error", "rejected"]));
});

test("every text is compiled or rejected", () => {
  const token = fc.constantFrom(
    "self",
    ".",
    "?",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "'",
    '"',
    "\\",
    "1",
    "u",
    "-",
    "!",
    ",",
    ":",
    "&&",
    "🎉",
    "rb'",
    "has",
  );
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(token).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(["value", "error", "rejected"]).toContain(run(one));
    }),
    { numRuns: 1000 },
  );
});

test("deep nesting is rejected, not a crash", () => {
  const deep = 24_000;
  for (const text of [
    `${"(".repeat(deep)}1${")".repeat(deep)}`,
    `${"[".repeat(deep)}${"]".repeat(deep)}`,
    "-".repeat(deep),
    `1${" + 1".repeat(deep)}`,
  ]) {
    expect(run(text)).toBe("rejected");
  }
});

test("a property name that can be escaped is found again", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z_./-][A-Za-z0-9_./-]*$/), (name) => {
      const escaped = escapePropertyName(name);
      const isAmbiguous = /__[^_]+__/.test(name) || /_{3}/.test(name);
      expect(isAmbiguous || escaped === undefined || unescapePropertyName(escaped) === name).toBe(true);
    }),
  );
});

test("texts are ordered by code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (left, right) => {
      expect(compareTexts(left, right)).toBe(Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))));
    }),
  );
});

test("equality of JSON values is reflexive and symmetric", () => {
  const json = { "x-kubernetes-preserve-unknown-fields": true };
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const [a, b]: readonly CelValue[] = [toCelValue(left as never, json), toCelValue(right as never, json)];
      if (a === undefined || b === undefined || a instanceof CelError || b instanceof CelError) return;
      expect(equalValues(a, a)).toBe(true);
      expect(equalValues(a, b)).toBe(equalValues(b, a));
    }),
  );
});
