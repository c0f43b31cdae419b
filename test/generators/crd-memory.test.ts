import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { runGenerators } from "../../src/generators/run-generators.ts";
import { createRunMemory } from "../../src/generators/run-memory.ts";
import { memoryHost } from "./memory-host.ts";

const kindOf = (spec: string): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Widget extends KubernetesObject {
  spec: ${spec};
}
`;
const run = (files: Readonly<Record<string, string>>, memory = createRunMemory()): ReturnType<typeof runGenerators> =>
  runGenerators({ root: "/p", arguments: ["crd", "paths=./..."], host: memoryHost(files), memory });

describe("CRDs that are not affected by a change", () => {
  const GROUP = "// +groupName=demo.example.com\n";
  const TEXTS = ["string", "boolean", "Part", "Date", "{ part?: Part[] }", '"a" | "b"'];
  const source = fc
    .tuple(
      fc.constantFrom("Apple", "Banana", "Cherry"),
      fc.constantFrom(...TEXTS),
      fc.constantFrom(GROUP, "", "// +kubebuilder:nonsense\n", "// +kubebuilder:validation:Optional\n"),
    )
    .map(([name, spec, top]) =>
      kindOf(spec).replace("Widget", name).replace(GROUP, `${top}import type { Part } from "../parts.ts";\n`),
    );
  const edit = fc.record({
    file: fc.constantFrom("/p/v1/a.ts", "/p/v1/b.ts", "/p/v2/a.ts", "/p/v2/group.ts"),
    text: fc.oneof(source, fc.constantFrom(undefined, GROUP, "broken {")),
  });
  const parts = fc.constantFrom(
    "export interface Part { size?: string }\n",
    "export interface Part {}\n",
    "export type Part = boolean;\n",
  );
  const change = fc.oneof(
    edit,
    parts.map((text) => ({ file: "/p/parts.ts", text })),
  );

  it("are those of a run without a memory after any edits", async () => {
    const start = {
      "/p/parts.ts": "export interface Part { size?: string }\n",
      "/p/v1/group.ts": GROUP,
      "/p/v2/group.ts": GROUP,
      "/p/v1/a.ts": kindOf("string").replace("Widget", "Apple"),
      "/p/v1/c.ts": kindOf("boolean").replace("Widget", "Damson"),
    };
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const memory = createRunMemory();
        const files: Record<string, string> = { ...start };
        await run(files, memory);
        for (const { file, text } of changes) {
          if (text === undefined) delete files[file];
          else files[file] = text;
          expect(await run(files, memory)).toEqual(await run(files));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("are not made again", async () => {
    const memory = createRunMemory();
    const files = { "/p/v1/a.ts": kindOf("string"), "/p/v1/b.ts": kindOf("string").replace("Widget", "Gadget") };
    await run(files, memory);
    const before = new Map(memory.crds?.made.map(({ crd }) => [crd.draft.kind, crd]));
    await run({ ...files, "/p/v1/b.ts": kindOf("boolean").replace("Widget", "Gadget") }, memory);
    const after = new Map(memory.crds?.made.map(({ crd }) => [crd.draft.kind, crd]));
    expect(["Widget", "Gadget"].map((kind) => before.get(kind) === after.get(kind))).toEqual([true, false]);
  });
});
