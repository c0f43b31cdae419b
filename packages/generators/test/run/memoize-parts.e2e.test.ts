import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

import { Memo } from "../../src/cache/memo.ts";
import { createPartMemo } from "../../src/contract/memoize-parts.ts";
import { GENERATORS } from "../../src/run/generator-table.ts";
import { createProcessCaches } from "../../src/run/process-caches.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { generatorInput } from "../support/generator-input.ts";
import { memoryHost } from "../support/memory-host.ts";

const ALL = ["crd", "object", "paths=./..."];
const GROUP = "// +groupName=demo.example.com\n// +kubebuilder:object:generate=true\n";

const run = (
  files: Readonly<Record<string, string>>,
  caches = createProcessCaches(),
  words: readonly string[] = ALL,
): ReturnType<typeof runGenerators> => runGenerators({ root: "/p", arguments: words, host: memoryHost(files), caches });

interface Written {
  readonly name: string;
  readonly spec: string;
  readonly top?: string;
  readonly above?: string;
}

// What a kind consists of is named, so that its parts can be omitted from it and shared.
const kindOf = ({ name, spec, top = GROUP, above = "" }: Written): string => `${top}
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Condition } from "@kubescaffold/k8s/meta/v1";
import type { ResourceRequirements } from "@kubescaffold/k8s/core/v1";
import type { Extra, Part, Box, MODE } from "../parts.ts";

export interface ${name}Spec {
  own: ${spec};
  beside?: { first?: string; second?: string; third?: string };
}
${above}export interface ${name} extends KubernetesObject {
  spec: ${name}Spec;
}
`;
const PARTS = `export interface Extra { name?: string }
export interface Part { size?: string; extra?: Extra }
export interface Box<T> { value?: T }
export const MODE = "fast";
`;
const START = {
  "/p/parts.ts": PARTS,
  "/p/v1/group.ts": GROUP,
  "/p/v2/group.ts": GROUP,
  "/p/v1/a.ts": kindOf({ name: "Apple", spec: "string", top: "" }),
  "/p/v1/c.ts": kindOf({ name: "Damson", spec: "Part", top: "" }),
};

const source = fc
  .record({
    name: fc.constantFrom("Apple", "Banana", "Cherry"),
    spec: fc.constantFrom(
      "string",
      "boolean",
      "Part",
      "Date",
      "{ part?: Part[] }",
      '"a" | "b"',
      "Box<Extra>",
      "typeof MODE",
      'Part["extra"]',
      "ResourceRequirements",
      "Condition[]",
      "Pick<Part, 'size'>",
    ),
    top: fc.constantFrom(GROUP, "", "// +kubebuilder:nonsense\n", "// +kubebuilder:validation:Optional\n"),
    above: fc.constantFrom(
      "",
      "// +kubebuilder:resource:shortName=fruit\n",
      "// +kubebuilder:resource:path=fruits,scope=Cluster\n",
      "// +kubebuilder:storageversion\n",
      "// +kubebuilder:object:generate=false\n",
      "// +kubescaffold:relax=CRD_NONSENSE\n",
      "// +kubebuilder:rbac:groups=apps,resources=deployments;pods,verbs=get\n",
      "// +kubebuilder:rbac:groups=apps,resources=pods,verbs=list;get,namespace=here\n",
      "// +kubebuilder:rbac:groups=apps,nonsense=true\n",
    ),
  })
  .map(kindOf);
const edit = fc.record({
  file: fc.constantFrom("/p/v1/a.ts", "/p/v1/b.ts", "/p/v2/a.ts"),
  text: fc.oneof({ weight: 4, arbitrary: source }, fc.constantFrom(undefined, "broken {")),
});
const packageEdit = fc.record({
  file: fc.constantFrom("/p/v1/group.ts", "/p/v2/group.ts"),
  text: fc.constantFrom(
    undefined,
    GROUP,
    GROUP.replace("demo", "other"),
    `${GROUP}// +versionName=v1beta1\n`,
    `${GROUP}// +kubebuilder:validation:Optional\n`,
    "// +groupName=demo.example.com\n",
    `${GROUP}// +kubebuilder:skip\n`,
  ),
});
const partsEdit = fc
  .constantFrom(
    PARTS,
    PARTS.replace("size?: string", "size?: string; other?: boolean"),
    PARTS.replace('"fast"', '"slow"'),
    `// +kubebuilder:validation:Optional\n\n${PARTS.replaceAll("?:", ":")}`,
    PARTS.replace("export interface Extra { name?: string }", 'export type Extra = "x";'),
    PARTS.replace("export interface Extra", "// +kubescaffold:relax=CRD_NONSENSE\nexport interface Unused {}\n$&"),
  )
  .map((text) => ({ file: "/p/parts.ts", text }));
const change = fc.oneof({ weight: 3, arbitrary: edit }, packageEdit, partsEdit);

describe("parts with unchanged inputs", () => {
  it.each<readonly [string, readonly string[]]>([
    ["all sources", ["rbac:roleName=manager-role", ...ALL]],
    ["one version, whose parts lie outside", ["crd", "object", "paths=./v1"]],
    ["one source", ["crd:relax={CRD_NAME_CONFLICT}", "object", "paths=./v1/a.ts"]],
  ])("yield the files and findings of a run without caches, after any edits of %s", async (_, words) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const caches = createProcessCaches();
        const files: Record<string, string> = { ...START };
        await run(files, caches, words);
        for (const { file, text } of changes) {
          if (text === undefined) delete files[file];
          else files[file] = text;
          expect(await run(files, caches, words)).toEqual(await run(files, undefined, words));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are not computed again", async () => {
    const caches = createProcessCaches();
    await run(START, caches);
    const before = caches.parts.known;
    await run({ ...START, "/p/v1/b.ts": kindOf({ name: "Banana", spec: "Extra", top: "" }) }, caches);
    const after = caches.parts.known;
    expect([...before.keys()].filter((key) => !after.has(key))).toEqual([]);
    expect([...before].filter(([key, value]) => after.get(key) !== value)).toEqual([]);
    expect(after.size).toBeGreaterThan(before.size);
  });

  it("are dropped with their inputs", async () => {
    const caches = createProcessCaches();
    await run({ "/p/v1/group.ts": GROUP }, caches);
    const { size } = caches.parts.known;
    await run(START, caches);
    await run({ "/p/v1/group.ts": GROUP }, caches);
    expect(caches.parts.known.size).toBe(size);
  });
});

describe("a conflict of a new kind with a cached one", () => {
  it("is reported as by a run without caches, whichever kind comes first", async () => {
    const above = "// +kubebuilder:resource:shortName=fruit\n";
    for (const name of ["Aprikot", "Zitrone"]) {
      const caches = createProcessCaches();
      const files = { "/p/v1/group.ts": GROUP, "/p/parts.ts": PARTS };
      const first = { ...files, "/p/v1/m.ts": kindOf({ name: "Mango", spec: "string", above }) };
      expect((await run(first, caches)).diagnostics).toEqual([]);
      const both = { ...first, "/p/v1/n.ts": kindOf({ name, spec: "string", above }) };
      const found = await run(both, caches);
      expect(found.diagnostics).toMatchObject([{ code: "CRD_NAME_CONFLICT" }]);
      expect(found).toEqual(await run(both));
    }
  });
});

describe("a run with a finding and cached parts", () => {
  it("runs each generator once", async () => {
    const caches = createProcessCaches();
    await run(START, caches);
    const load = vi.spyOn(GENERATORS[0] as { load: () => unknown }, "load");
    try {
      const edited = { ...START, "/p/v1/a.ts": kindOf({ name: "Apple", spec: "Date", top: "" }) };
      const { diagnostics } = await run(edited, caches);
      expect(diagnostics.map(({ severity }) => severity)).toContain("error");
      expect(load).toHaveBeenCalledTimes(1);
    } finally {
      load.mockRestore();
    }
  });
});

describe("the key of a part", () => {
  const memoWith = async (
    files: Readonly<Record<string, string>>,
    memory: Memo,
  ): Promise<ReturnType<typeof createPartMemo>> => createPartMemo(await generatorInput(files), memory);

  it("separates generators, declarations, and further inputs", async () => {
    const memory = new Memo();
    const files = { "v1/a.ts": "export interface A {}\nexport interface B {}\n" };
    const parts = [
      { maker: "one", ids: ["v1/a.ts#A"] },
      { maker: "two", ids: ["v1/a.ts#A"] },
      { maker: "one", ids: ["v1/a.ts#B"] },
      { maker: "one", ids: ["v1/a.ts#A", "v1/a.ts#B"] },
      { maker: "one", ids: ["v1/a.ts#A"], more: false },
      { maker: "one", ids: ["v1/a.ts#A"], more: 0 },
      { maker: "one", ids: ["v1/a.ts#A"], more: -0 },
      { maker: "one", ids: ["v1/a.ts#A"], more: "0" },
    ];
    const first = await memoWith(files, memory);
    parts.map((part, index) => first(part, () => index));
    memory.finish({ isClean: true });
    const second = await memoWith(files, memory);
    expect(parts.map((part) => second(part, () => "again"))).toEqual([...parts.keys()]);
  });

  it("is missing for a type whose type parameter shares its name with another declaration of the file", async () => {
    const text =
      'import type { T } from "./t.ts";\nexport interface A<T> { a?: T }\nexport interface K { k?: T; a?: A<string> }\n';
    const kind =
      'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\nimport type { K } from "./a.ts";\nexport interface W extends KubernetesObject { spec: K }\n';
    const memory = new Memo();
    const files = { "v1/a.ts": text, "v1/t.ts": "export interface T {}\n", "v1/w.ts": kind };
    (await memoWith(files, memory))({ maker: "one", ids: ["v1/w.ts#W"] }, () => 1);
    memory.finish({ isClean: true });
    expect(memory.known.size).toBe(0);
  });
});
