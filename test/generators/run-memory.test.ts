import { expect, it } from "vitest";

import { runGenerators } from "../../src/generators/run-generators.ts";
import { createProcessMemory } from "../../src/generators/run-memory.ts";
import { memoryHost } from "./memory-host.ts";

const kindOf = (spec: string): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Widget extends KubernetesObject {
  spec: ${spec};
}
`;
const run = (
  files: Readonly<Record<string, string>>,
  memory = createProcessMemory(),
): ReturnType<typeof runGenerators> =>
  runGenerators({ root: "/p", arguments: ["crd", "paths=./..."], host: memoryHost(files), memory });

it("runs with a memory yield what runs without yield, whatever changed between them", async () => {
  const memory = createProcessMemory();
  const states = [
    { "/p/v1/a.ts": kindOf("string"), "/p/v1/b.ts": "export {};\n" },
    {
      "/p/v1/a.ts": kindOf("Part").replace("import", 'import type { Part } from "./b.ts";\nimport'),
      "/p/v1/b.ts": "export interface Part {}\n",
    },
    { "/p/v1/a.ts": "broken {" },
    { "/p/v1/a.ts": kindOf("boolean") },
    { "/p/v1/a.ts": kindOf("string"), "/p/v1/b.ts": "export {};\n" },
  ];
  for (const files of states) expect(await run(files, memory)).toEqual(await run(files));
});

it("a source whose text is the same is not parsed again", async () => {
  const memory = createProcessMemory();
  const files = { "/p/v1/a.ts": kindOf("string"), "/p/v1/b.ts": "export {};\n" };
  await run(files, memory);
  const before = new Map(memory.sources);
  await run({ ...files, "/p/v1/b.ts": "export const b = 1;\n" }, memory);
  expect([
    memory.sources.get("v1/a.ts") === before.get("v1/a.ts"),
    memory.sources.get("v1/b.ts") === before.get("v1/b.ts"),
  ]).toEqual([true, false]);
});
