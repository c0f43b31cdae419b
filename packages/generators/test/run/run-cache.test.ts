import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ByteStore } from "../../src/cache/memo.ts";
import { type CachedRunResult, type RunStore, runGeneratorsCached } from "../../src/run/run-cache.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const kindOf = (name: string, spec: string): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Part } from "../parts/part.ts";
export interface ${name} extends KubernetesObject {
  spec: { own: ${spec}; part?: Part };
}
`;
const PROJECT: Readonly<Record<string, string>> = {
  "api/v1/a_types.ts": kindOf("Apple", "string"),
  "api/v1/b_types.ts": kindOf("Banana", "boolean"),
  "api/parts/part.ts": "export interface Part { size?: string }\n",
  "internal/controller.ts": "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\nexport {};\n",
  "hack/header.txt": "# Header\n",
};
const WORDS = ["crd:headerFile=hack/header.txt", "rbac:roleName=r", "paths=./..."];

/** A disk whose files change, with what was generated on it. */
class Desk {
  readonly files: Map<string, string>;
  readonly #records = new Map<string, string>();
  readonly kept = new Map<string, Uint8Array>();
  runs = 0;

  constructor(files: Readonly<Record<string, string>> = PROJECT) {
    this.files = new Map(Object.entries(files));
  }

  readonly store: RunStore = {
    read: (key) => this.#records.get(key),
    write: (key, text) => {
      this.runs += 1;
      this.#records.set(key, text);
    },
  };

  readonly sources: ByteStore = {
    read: (key) => this.kept.get(key),
    write: (key, bytes) => void this.kept.set(key, bytes),
  };

  get host(): ReturnType<typeof memoryHost> {
    return memoryHost(Object.fromEntries([...this.files].map(([file, text]) => [`/p/${file}`, text])));
  }

  /** Runs with the memory, and puts what is generated on the disk. */
  async run(words: readonly string[] = WORDS, build = "one"): Promise<CachedRunResult> {
    const result = await runGeneratorsCached({
      root: "/p",
      arguments: words,
      host: this.host,
      cache: { runs: this.store, build, sources: this.sources },
      readOutput: (file) => this.files.get(file),
    });
    for (const { path, content } of result.files) this.files.set(path, content);
    return result;
  }
}

describe("a run that is remembered", () => {
  it("is not run again while it sees the same and its files are there", async () => {
    const desk = new Desk();
    const first = await desk.run();
    expect([first.files.length, first.unchanged]).toEqual([3, []]);
    const second = await desk.run();
    expect(second.files).toEqual([]);
    expect(second.unchanged).toEqual(first.files.map((file) => file.path));
    expect(desk.runs).toBe(1);
  });

  it("gives its warnings and its text again", async () => {
    const desk = new Desk({ ...PROJECT, "api/v1/c.ts": "// +kubebuilder:nonsense\nexport {};\n" });
    const words = [...WORDS, "output:stdout"];
    const first = await desk.run(words);
    const { unchanged: _, ...second } = await desk.run(words);
    expect(first.diagnostics).toMatchObject([{ severity: "warning", sourceLine: "// +kubebuilder:nonsense" }]);
    expect({ ...second, unchanged: [] }).toEqual(first);
    expect(desk.runs).toBe(1);
  });

  it.each<readonly [string, (desk: Desk) => void]>([
    ["a source", (desk) => desk.files.set("api/v1/a_types.ts", kindOf("Apple", "boolean"))],
    ["a type that a source imports", (desk) => desk.files.set("api/parts/part.ts", "export interface Part {}\n")],
    ["a new source", (desk) => desk.files.set("api/v1/c_types.ts", kindOf("Cherry", "string"))],
    ["a source that is gone", (desk) => desk.files.delete("api/v1/b_types.ts")],
    ["the header", (desk) => desk.files.set("hack/header.txt", "# Other\n")],
    ["a generated file", (desk) => desk.files.set("config/rbac/role.yaml", "by hand\n")],
    ["a generated file that is gone", (desk) => desk.files.delete("config/rbac/role.yaml")],
  ])("is run again after a change of %s", async (_, change) => {
    const desk = new Desk();
    await desk.run();
    change(desk);
    expect((await desk.run()).files.length).toBeGreaterThan(0);
    expect(desk.runs).toBe(2);
  });

  it("belongs to one build and one command line", async () => {
    const desk = new Desk();
    await desk.run();
    await desk.run(WORDS, "two");
    await desk.run(["crd", "paths=./..."]);
    expect(desk.runs).toBe(3);
  });

  it("is not remembered when it found errors", async () => {
    const desk = new Desk({ ...PROJECT, "api/v1/a_types.ts": kindOf("Apple", "Date") });
    expect((await desk.run()).diagnostics).toMatchObject([{ severity: "error" }]);
    expect(desk.runs).toBe(0);
  });

  it.each(["", "{", "null", "[]", '{"observations":1}'])("is run when its record is %j", async (rubbish) => {
    const desk = new Desk();
    const result = await runGeneratorsCached({
      root: "/p",
      arguments: WORDS,
      host: desk.host,
      cache: { runs: { read: () => rubbish, write: () => undefined }, build: "one" },
      readOutput: () => undefined,
    });
    expect(result.files).toHaveLength(3);
  });
});

it("after any edits the files are those of a run that remembers nothing", async () => {
  const path = fc.constantFrom(
    ...Object.keys(PROJECT),
    "api/v1/c_types.ts",
    "api/v2/d_types.ts",
    "config/rbac/role.yaml",
  );
  const text = fc.oneof(
    fc
      .tuple(fc.constantFrom("Apple", "Cherry"), fc.constantFrom("string", "boolean", "Date", "Nowhere"))
      .map(([name, spec]) => kindOf(name, spec)),
    fc.constantFrom(
      "",
      "export interface Part { size?: boolean }\n",
      "// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get\n",
      "not TypeScript {",
    ),
  );
  const edit = fc.record({ path, text: fc.option(text) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 5 }), async (rounds) => {
      const desk = new Desk();
      for (const edits of [[], ...rounds]) {
        for (const each of edits) {
          if (each.text === null) desk.files.delete(each.path);
          else desk.files.set(each.path, each.text);
        }
        const { files, unchanged, ...found } = await desk.run();
        const rerun = await runGenerators({ root: "/p", arguments: WORDS, host: desk.host });
        expect(found).toEqual({ stdout: rerun.stdout, diagnostics: rerun.diagnostics });
        expect([...files.map((file) => file.path), ...unchanged]).toEqual(rerun.files.map((file) => file.path));
        for (const file of rerun.files) expect(desk.files.get(file.path)).toBe(file.content);
      }
    }),
    { numRuns: 60 },
  );
});
