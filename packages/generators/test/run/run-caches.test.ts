import { expect, it } from "vitest";

import { createProcessCaches } from "../../src/run/process-caches.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const kindOf = (spec: string): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Widget extends KubernetesObject {
  spec: ${spec};
}
`;
const run = (
  files: Readonly<Record<string, string>>,
  caches = createProcessCaches(),
): ReturnType<typeof runGenerators> =>
  runGenerators({ root: "/p", arguments: ["crd", "paths=./..."], host: memoryHost(files), caches });

it("runs with caches return what runs without them return, whatever changed in between", async () => {
  const caches = createProcessCaches();
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
  for (const files of states) expect(await run(files, caches)).toEqual(await run(files));
});

it("a source whose text is the same is not parsed again", async () => {
  const caches = createProcessCaches();
  const files = { "/p/v1/a.ts": kindOf("string"), "/p/v1/b.ts": "export {};\n" };
  await run(files, caches);
  const before = new Map(caches.sources);
  await run({ ...files, "/p/v1/b.ts": "export const b = 1;\n" }, caches);
  expect([
    caches.sources.get("v1/a.ts") === before.get("v1/a.ts"),
    caches.sources.get("v1/b.ts") === before.get("v1/b.ts"),
  ]).toEqual([true, false]);
});
