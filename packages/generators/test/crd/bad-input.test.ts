import { expect, it } from "vitest";

import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

it("a type nested a thousand levels deep has a schema", async () => {
  const result = await generate(`spec: string${"[]".repeat(1000)}`);
  expect(result.diagnostics).toEqual([]);
  expect(result.files[0]?.content.match(/items:/gu)).toHaveLength(1000);
});

it("a chain of two hundred named types has a schema", async () => {
  const chain = Array.from({ length: 200 }, (_, index) => `type T${index} = T${index + 1};`).join("\n");
  const result = await generate("spec: T0", `${chain}\ntype T200 = string;`);
  expect(result.diagnostics).toEqual([]);
  expect(result.files).toHaveLength(1);
});

it("a generic type that grows without end is one error", async () => {
  const result = await generate("spec: Grow<string>", "type Grow<T> = { next?: Grow<T | null>; other?: Grow<T[]> };");
  expect(result.diagnostics.map((each) => each.code)).toContain("GENERATE_RECURSIVE_TYPE");
  expect(result.files).toEqual([]);
});

it("a circle of aliases is an error", async () => {
  const result = await generate("spec: A; keys: keyof B; list: E", "type A = B; type B = A; type E = E | 'x';");
  expect(result.diagnostics.map((each) => each.severity)).toContain("error");
});

function generate(members: string, rest = ""): Promise<GenerateResult> {
  const text = `// +groupName=g.example.com\nimport type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Widget extends KubernetesObject { ${members} }\n${rest}`;
  return runGenerators({ root: "/p", arguments: ["crd", "paths=./..."], host: memoryHost({ "/p/v1/a.ts": text }) });
}
