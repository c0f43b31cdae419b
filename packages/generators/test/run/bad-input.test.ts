import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { type GenerateResult, runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const kindOf = (spec: string, below = ""): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Widget extends KubernetesObject {
  spec: ${spec};
}
${below}`;
const nested = (levels: number): string => `${"{ a: ".repeat(levels)}string${" }".repeat(levels)}`;
const chain = (levels: number): string =>
  Array.from({ length: levels }, (_, index) => `interface T${index} { a: T${index + 1} }\n`).join("") +
  `type T${levels} = string;\n`;
const withMarker = (marker: string): string => kindOf("string").replace("  spec", `  // ${marker}\n  spec`);
const MEGABYTE = "a".repeat(1_000_000);

const CASES: Readonly<Record<string, readonly [code: string, place: string, files: Readonly<Record<string, string>>]>> =
  {
    "a source that does not parse": ["LOADER_SYNTAX", "v1/a.ts:6:1", { "v1/a.ts": kindOf("string", "}") }],
    "a type that contains itself": [
      "GENERATE_RECURSIVE_TYPE",
      "v1/a.ts:6:25",
      { "v1/a.ts": kindOf("Node", "interface Node { next?: Node }") },
    ],
    "types that are each other": [
      "GENERATE_RECURSIVE_TYPE",
      "v1/a.ts:6:22",
      { "v1/a.ts": kindOf("A", "type A = B; type B = A;") },
    ],
    "types that extend each other": [
      "GENERATE_RECURSIVE_TYPE",
      "v1/a.ts:7:21",
      { "v1/a.ts": kindOf("A", "interface A extends B {}\ninterface B extends A {}") },
    ],
    "a generic type that grows": [
      "GENERATE_RECURSIVE_TYPE",
      "v1/a.ts:6:22",
      { "v1/a.ts": kindOf("G<string>", "interface G<T> { a?: G<T[]> }") },
    ],
    "imports in a circle": [
      "GENERATE_UNKNOWN_TYPE",
      "v1/a.ts:5:9",
      {
        "v1/a.ts": kindOf("X").replace("import", 'import type { X } from "./b.ts";\nimport'),
        "v1/b.ts": 'export type { X } from "./a.ts";',
      },
    ],
    "a type that is not there": ["GENERATE_UNKNOWN_TYPE", "v1/a.ts:4:9", { "v1/a.ts": kindOf("Nowhere") }],
    "a module that is not there": [
      "GENERATE_UNKNOWN_TYPE",
      "v1/a.ts:5:9",
      { "v1/a.ts": kindOf("X").replace("import", 'import type { X } from "./none.ts";\nimport') },
    ],
    "a source of 10 MB": [
      "LOADER_TOO_LARGE",
      "v1/a.ts",
      { "v1/a.ts": kindOf("string", "export const a = 1;\n".repeat(525_000)) },
    ],
    "a binary file": ["LOADER_BINARY", "v1/a.ts", { "v1/a.ts": "G@\0\u0011" }],
    "a text in UTF-16": ["LOADER_BINARY", "v1/a.ts", { "v1/a.ts": kindOf("string").split("").join("\0") }],
    "a marker of 1 MB": [
      "MARKER_TOO_LONG",
      "v1/a.ts:4:6",
      { "v1/a.ts": withMarker(`+kubebuilder:validation:Pattern=${MEGABYTE}`) },
    ],
    "a value that is long": [
      "MARKER_BAD_ARGUMENT",
      "v1/a.ts:4:6",
      { "v1/a.ts": withMarker(`+kubebuilder:validation:Maximum=${MEGABYTE.slice(0, 200_000)}`) },
    ],
    "a value of braces": [
      "MARKER_SYNTAX",
      "v1/a.ts:4:6",
      { "v1/a.ts": withMarker(`+kubebuilder:default=${"{".repeat(200_000)}`) },
    ],
    "types of 1,000 levels": ["LOADER_TOO_DEEP", "v1/a.ts:4:1284", { "v1/a.ts": kindOf(nested(1000)) }],
    "types of 100,000 levels": ["LOADER_TOO_DEEP", "v1/a.ts:4:1284", { "v1/a.ts": kindOf(nested(100_000)) }],
    "parentheses of 100,000 levels": [
      "LOADER_TOO_DEEP",
      "v1/a.ts:4:264",
      { "v1/a.ts": kindOf(`${"(".repeat(100_000)}string`) },
    ],
    "named types of 1,000 levels": ["GENERATE_TOO_DEEP", "v1/a.ts:260:21", { "v1/a.ts": kindOf("T0", chain(1000)) }],
    "lists of 100,000 levels": ["LOADER_TOO_DEEP", "v1/a.ts", { "v1/a.ts": kindOf(`string${"[]".repeat(100_000)}`) }],
    "Windows line ends and a byte order mark": [
      "GENERATE_UNSUPPORTED_TYPE",
      "v1/a.ts:4:9",
      { "v1/a.ts": `\uFEFF${kindOf("Date").replaceAll("\n", "\r\n")}` },
    ],
  };

function run(words: readonly string[], files: Readonly<Record<string, string>>): Promise<GenerateResult> {
  const host = memoryHost(Object.fromEntries(Object.entries(files).map(([file, text]) => [`/p/${file}`, text])));
  return runGenerators({ root: "/p", arguments: words, host });
}

interface Finding {
  readonly made: number;
  readonly code: string;
  readonly place: string;
  readonly isExplained: boolean;
}

// What a run says when it finds one thing wrong: short, with a hint, and without a stack.
function findingOf({ files, stdout, diagnostics }: GenerateResult): Finding {
  const [first] = diagnostics;
  const text = renderDiagnostics(diagnostics);
  return {
    made: files.length + stdout.length,
    code: diagnostics.map((each) => each.code).join(),
    place:
      first === undefined || first.file === ""
        ? ""
        : [first.file, ...(first.line === 0 ? [] : [first.line, first.column])].join(":"),
    isExplained: first?.hint !== undefined && !/\n\s+at /u.test(text) && text.length < 3000,
  };
}

function finding(code: string, place: string): Finding {
  return { made: 0, code, place, isExplained: true };
}

describe("bad input is one finding with its place, and nothing is made", () => {
  it.each(Object.entries(CASES))("%s", async (_, [code, place, files]) => {
    expect(findingOf(await run(["crd", "paths=./..."], files))).toEqual(finding(code, place));
  });

  it("types of 240 levels are fine", async () => {
    const { files, diagnostics } = await run(["crd", "paths=./..."], { "v1/a.ts": kindOf(nested(240)) });
    expect([files.length, diagnostics.filter((each) => each.severity === "error")]).toEqual([1, []]);
  });

  it("a tsconfig that is missing, or wrong", async () => {
    const files = { "v1/a.ts": kindOf("string") };
    expect(findingOf(await run(["crd", "paths=tsconfig.json"], files))).toEqual(finding("LOADER_PATH_NOT_FOUND", ""));
    const wrong = { ...files, "tsconfig.json": '{\n  "include": "v1"\n}\n' };
    expect(findingOf(await run(["crd", "paths=tsconfig.json"], wrong))).toEqual(
      finding("LOADER_TSCONFIG", "tsconfig.json:2:14"),
    );
    const { files: made } = await run(["crd", "paths=tsconfig.json"], {
      ...files,
      "tsconfig.json": '{ "include": ["v1"] }',
    });
    expect(made).toHaveLength(1);
  });

  it("a source and a folder that cannot be read", async () => {
    const host = memoryHost({ "/p/v1/a.ts": kindOf("string"), "/p/v2/a.ts": kindOf("string") });
    const run = (broken: Partial<typeof host>): Promise<GenerateResult> =>
      runGenerators({ root: "/p", arguments: ["crd", "paths=./..."], host: { ...host, ...broken } });
    const readFile = (file: string): string | undefined => (file.includes("v2") ? undefined : host.readFile(file));
    expect(findingOf(await run({ readFile }))).toEqual(finding("LOADER_UNREADABLE", "v2/a.ts"));
    const listDirectory: typeof host.listDirectory = (folder) =>
      folder.endsWith("v2") ? undefined : host.listDirectory(folder);
    expect(findingOf(await run({ listDirectory }))).toEqual(finding("LOADER_UNREADABLE", "v2"));
  });
});

it("links in a circle, links to nothing and links to sources end", async () => {
  const root = temporaryFolder({
    "api/v1/a.ts": kindOf("string"),
    "elsewhere.txt": kindOf("boolean").replaceAll("Widget", "Gadget"),
  });
  symlinkSync(root, path.join(root, "api", "circle"), "dir");
  symlinkSync("self.ts", path.join(root, "api", "v1", "self.ts"));
  symlinkSync("nowhere.ts", path.join(root, "api", "v1", "nowhere.ts"));
  symlinkSync(path.join(root, "elsewhere.txt"), path.join(root, "api", "v1", "b.ts"));
  mkdirSync(path.join(root, "api", "v1", "folder.ts"));
  const { files, diagnostics } = await runGenerators({ root, arguments: ["crd", "paths=./..."] });
  expect(diagnostics).toEqual([]);
  expect(files.map((file) => path.basename(file.path))).toEqual([
    "demo.example.com_gadgets.yaml",
    "demo.example.com_widgets.yaml",
  ]);
});
