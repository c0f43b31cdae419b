import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MadeMemory } from "../../src/generators/made-memory.ts";
import { createRecall } from "../../src/generators/recall-part.ts";
import { runGenerators } from "../../src/generators/run-generators.ts";
import { createProcessMemory } from "../../src/generators/run-memory.ts";
import { generatorInput } from "./generator-input.ts";
import { memoryHost } from "./memory-host.ts";

const ALL = ["crd", "object", "paths=./..."];
const GROUP = "// +groupName=demo.example.com\n// +kubebuilder:object:generate=true\n";

const run = (
  files: Readonly<Record<string, string>>,
  memory = createProcessMemory(),
  words: readonly string[] = ALL,
): ReturnType<typeof runGenerators> => runGenerators({ root: "/p", arguments: words, host: memoryHost(files), memory });

interface Written {
  readonly name: string;
  readonly spec: string;
  readonly top?: string;
  readonly above?: string;
}

// What a kind is made of is named, so that its parts can be left out of it and shared.
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

describe("parts that are the same as in a former run", () => {
  it.each<readonly [string, readonly string[]]>([
    ["all sources", ["rbac:roleName=manager-role", ...ALL]],
    ["one version, whose parts lie outside", ["crd", "object", "paths=./v1"]],
    ["one source", ["crd:relax={CRD_NAME_CONFLICT}", "object", "paths=./v1/a.ts"]],
  ])("make the files and findings that a run without a memory makes, after any edits of %s", async (_, words) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const memory = createProcessMemory();
        const files: Record<string, string> = { ...START };
        await run(files, memory, words);
        for (const { file, text } of changes) {
          if (text === undefined) delete files[file];
          else files[file] = text;
          expect(await run(files, memory, words)).toEqual(await run(files, undefined, words));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are not made again", async () => {
    const memory = createProcessMemory();
    await run(START, memory);
    const before = memory.made.known;
    await run({ ...START, "/p/v1/b.ts": kindOf({ name: "Banana", spec: "Extra", top: "" }) }, memory);
    const after = memory.made.known;
    expect([...before.keys()].filter((key) => !after.has(key))).toEqual([]);
    expect([...before].filter(([key, value]) => after.get(key) !== value)).toEqual([]);
    expect(after.size).toBeGreaterThan(before.size);
  });

  it("are forgotten with what they were made from", async () => {
    const memory = createProcessMemory();
    await run({ "/p/v1/group.ts": GROUP }, memory);
    const { size } = memory.made.known;
    await run(START, memory);
    await run({ "/p/v1/group.ts": GROUP }, memory);
    expect(memory.made.known.size).toBe(size);
  });
});

describe("a conflict of a new kind with one that is not made again", () => {
  it("is found as in a run that remembers nothing, whichever comes first", async () => {
    const above = "// +kubebuilder:resource:shortName=fruit\n";
    for (const name of ["Aprikot", "Zitrone"]) {
      const memory = createProcessMemory();
      const files = { "/p/v1/group.ts": GROUP, "/p/parts.ts": PARTS };
      const first = { ...files, "/p/v1/m.ts": kindOf({ name: "Mango", spec: "string", above }) };
      expect((await run(first, memory)).diagnostics).toEqual([]);
      const both = { ...first, "/p/v1/n.ts": kindOf({ name, spec: "string", above }) };
      const found = await run(both, memory);
      expect(found.diagnostics).toMatchObject([{ code: "CRD_NAME_CONFLICT" }]);
      expect(found).toEqual(await run(both));
    }
  });
});

describe("what a part is made from", () => {
  const recallWith = async (
    files: Readonly<Record<string, string>>,
    memory: MadeMemory,
  ): Promise<ReturnType<typeof createRecall>> => createRecall(await generatorInput(files), memory);

  it("tells makers, declarations, and what they depend on besides apart", async () => {
    const memory = new MadeMemory();
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
    const first = await recallWith(files, memory);
    parts.map((part, index) => first(part, () => index));
    memory.finish({ isClean: true });
    const second = await recallWith(files, memory);
    expect(parts.map((part) => second(part, () => "anew"))).toEqual([...parts.keys()]);
  });

  it("is not remembered of a type whose parameter has the name of something else in its file", async () => {
    const text =
      'import type { T } from "./t.ts";\nexport interface A<T> { a?: T }\nexport interface K { k?: T; a?: A<string> }\n';
    const kind =
      'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\nimport type { K } from "./a.ts";\nexport interface W extends KubernetesObject { spec: K }\n';
    const memory = new MadeMemory();
    const files = { "v1/a.ts": text, "v1/t.ts": "export interface T {}\n", "v1/w.ts": kind };
    (await recallWith(files, memory))({ maker: "one", ids: ["v1/w.ts#W"] }, () => 1);
    memory.finish({ isClean: true });
    expect(memory.known.size).toBe(0);
  });
});
