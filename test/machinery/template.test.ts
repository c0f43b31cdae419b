import { describe, expect, it } from "vitest";

import { compileTemplate, templateNames } from "../../src/machinery/compile-template.ts";
import { renderTemplate } from "../../src/machinery/template.ts";

function render(text: string, values: Readonly<Record<string, unknown>>): string {
  return renderTemplate({ path: "a.ts", template: () => compileTemplate(text) }, values);
}

describe("a template", () => {
  it("never escapes, since it writes code", () => {
    expect(render("const a = {{value}};", { value: "<'&\">" })).toBe("const a = <'&\">;");
  });

  it.each([
    ["a value", "{{kind}}"],
    ["a condition", "{{#if kind}}a{{/if}}"],
    ["the other branch", "{{#if known}}a{{else}}{{kind}}{{/if}}"],
    ["a list", "{{#each kind}}a{{/each}}"],
  ])("fails for a name without a value in %s", (_, text) => {
    expect(() => render(text, { known: true })).toThrow('cannot render a.ts: missing value for "kind"');
  });

  it("fails for a name that an item of a list does not have", () => {
    expect(() => render("{{#each items}}{{nmae}}{{/each}}", { items: [{ name: "a" }] })).toThrow(
      /cannot render a\.ts: .*nmae/u,
    );
  });

  it("fails with its path when it cannot be read", () => {
    expect(() => render("{{#if a}}", { a: true })).toThrow(expect.objectContaining({ code: "SCAFFOLD_TEMPLATE" }));
  });

  it("writes double braces that are behind a backslash", () => {
    expect(render("$\\{{ github.ref }}", {})).toBe("${{ github.ref }}");
  });

  it("knows the names it looks up", () => {
    expect(templateNames("{{a}}{{#if b}}{{c}}{{else}}{{d}}{{/if}}{{#each e}}{{f}}{{@index}}{{/each}}")).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
  });
});
