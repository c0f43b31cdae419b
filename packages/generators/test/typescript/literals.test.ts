import vm from "node:vm";

import fc from "fast-check";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import {
  blockComment,
  jsonText,
  lineComment,
  memberName,
  propertyKey,
  quotedText,
  stringLiteral,
  valueLiteral,
} from "../../src/typescript/literals.ts";

const TEXT = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "*/",
        "//",
        "`",
        "${",
        "}",
        '"',
        "'",
        "\\",
        "\n",
        "\r",
        "\u2028",
        "\u2029",
        "\u202E",
        "\uD800",
        "\0",
        "\t",
      ),
    )
    .map((parts) => parts.join("")),
);

function evaluate(expression: string): unknown {
  const { outputText, diagnostics } = ts.transpileModule(`(${expression})`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  expect(diagnostics).toEqual([]);
  return vm.runInNewContext(outputText);
}

describe("literals of TypeScript", () => {
  it("evaluate to the text that they consist of, whatever it holds", () => {
    fc.assert(
      fc.property(TEXT, fc.boolean(), (text, isAscii) => {
        const literal = stringLiteral(text, { isAscii });
        expect(evaluate(literal)).toBe(text);
        expect(literal).toMatch(isAscii ? /^[ -~]*$/u : /^[^\p{C}\p{Zl}\p{Zp}]*$/u);
        expect(JSON.parse(quotedText(text))).toBe(text);
      }),
    );
  });

  it("hold every value of JSON, own properties of any name among them", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(TEXT, fc.constant("__proto__")), fc.jsonValue()), (value) => {
        expect(JSON.stringify(evaluate(valueLiteral(value)))).toBe(JSON.stringify(value));
        expect(JSON.parse(jsonText(value) ?? "")).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("keep a property called __proto__ from being the prototype", () => {
    expect(propertyKey("__proto__")).toBe('["__proto__"]');
    expect(Object.keys(evaluate(`{ ${propertyKey("__proto__")}: { polluted: true } }`) as object)).toEqual([
      "__proto__",
    ]);
    expect(memberName("__proto__")).toBe("__proto__");
    expect(memberName("a-b")).toBe('"a-b"');
  });

  it("show characters that nobody sees as escapes", () => {
    expect(stringLiteral("a\u202Eb\u200Bc\u2028")).toBe(String.raw`"a\u202eb\u200bc\u2028"`);
    expect(stringLiteral("größe 😀")).toBe('"größe 😀"');
    expect(stringLiteral('say "hi"')).toBe(`'say "hi"'`);
  });
});

describe("comments", () => {
  it("are not ended by a text in them", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(evaluate(`/* ${blockComment(text)} */ // ${lineComment(text)}\n1`)).toBe(1);
        expect(blockComment(text)).not.toMatch(/\*\/|[\n\r\u2028\u2029]/u);
      }),
    );
  });
});
