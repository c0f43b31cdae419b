import { describe, expect, it } from "vitest";

import { readYaml, readYamlDocuments } from "../../src/yaml/read-yaml.ts";

const EXCESSIVE = "document contains excessive aliasing";

describe("aliases in YAML", () => {
  it("refuses lists of lists of aliases", () => {
    const lines = Array.from(
      { length: 9 },
      (_, depth) => `a${depth + 1}: &a${depth + 1} [${aliases(`a${depth}`, 10)}]`,
    );
    expect(() => readYamlDocuments(["a0: &a0 [x]", ...lines].join("\n"))).toThrow(EXCESSIVE);
  });

  it("counts the length of scalars", () => {
    const text = `a: &a ${"x".repeat(30_000)}\nb: [${aliases("a", 10_000)}]\n`;
    expect(() => readYaml(text, { file: "long.yaml" })).toThrow(
      /^long\.yaml:2:\d+: document contains excessive aliasing$/,
    );
  });

  it("counts keys, and aliases that are keys", () => {
    const key = "k".repeat(60_000);
    expect(() => readYaml(`a: &a {${key}: 1}\nb: [${aliases("a", 1000)}]\n`)).toThrow(EXCESSIVE);
    const maps = Array(1000).fill("{*a : 1}").join(", ");
    expect(() => readYaml(`a: &a ${key}\nb: [${maps}]\n`)).toThrow(EXCESSIVE);
  });

  it("counts what is merged into mappings", () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(", ");
    const merges = Array(2000).fill("{<<: *a}").join(", ");
    expect(() => readYaml(`a: &a {${keys}}\nb: [${merges}]\n`)).toThrow(EXCESSIVE);
  });

  it("counts the aliases of all documents of a text together", () => {
    const document = `a: &a ${"x".repeat(3000)}\nb: [${aliases("a", 500)}]\n`;
    expect(readYamlDocuments(document)).toHaveLength(1);
    expect(() => readYamlDocuments(Array(20).fill(document).join("---\n"))).toThrow(EXCESSIVE);
  });

  it("refuses an alias inside of what it stands for", () => {
    expect(() => readYaml("a: &a [*a]")).toThrow("yaml:1:9: anchor 'a' value contains itself");
    expect(() => readYaml("a: &a {b: {c: *a}}")).toThrow("anchor 'a' value contains itself");
  });

  it("refuses nesting beyond 1000 levels, by aliases too", () => {
    for (const [open, inner, close] of [
      ["[", "1", "]"],
      ['{"a":', "1", "}"],
      ["{a: ", "", "}"],
      ["- ", "a", ""],
      ["[a: ", "1", "]"],
    ] as const) {
      const text = (levels: number): string => open.repeat(levels) + inner + close.repeat(levels);
      const levels = open === "[a: " ? 500 : 1000;
      expect(readYaml(text(levels))).toBeTypeOf("object");
      expect(() => readYaml(text(levels + 1))).toThrow("exceeded max depth of 1000");
      expect(() => readYaml(text(100_000))).toThrow("exceeded max depth of 1000");
    }
    const halves = `- &a ${nested(600)}\n- ${nested(600, "*a")}\n`;
    expect(() => readYaml(halves)).toThrow("yaml:2:604: exceeded max depth of 1000");
  });

  it("reads mappings and lists that share their parts", () => {
    const defaults = Array.from({ length: 50 }, (_, index) => `  k${index}: ${index}`).join("\n");
    const services = Array.from({ length: 90 }, (_, index) => `s${index}:\n  <<: *defaults\n  name: s${index}`);
    const value = readYaml(`defaults: &defaults\n${defaults}\n${services.join("\n")}\n`) as Record<string, object>;
    expect(value["s89"]).toMatchObject({ k0: 0, k49: 49, name: "s89" });
  });

  it("takes the last anchor of a name", () => {
    expect(readYaml("[&a 1, *a, &a 2, *a]")).toEqual([1, 1, 2, 2]);
    expect(readYaml("[&a [&a x], *a]")).toEqual([["x"], "x"]);
  });
});

function aliases(name: string, count: number): string {
  return Array(count).fill(`*${name}`).join(", ");
}

function nested(levels: number, inner: string = ""): string {
  return "[".repeat(levels) + inner + "]".repeat(levels);
}
