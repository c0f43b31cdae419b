import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

import { importCrds, readCrds, verifyImport } from "../src/importer/index.ts";
import { runGenerators } from "../src/index.ts";
import { memoryHost } from "./support/memory-host.ts";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const COMPILER = "ts-morph";

const TYPES = `// +groupName=demo.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Boat extends KubernetesObject {
  spec: {
    // +kubebuilder:validation:Minimum=1
    /** How many sails it has. */
    sails: int32;
  };
}
`;

describe("the entry point", () => {
  it("generates from files in memory what the importer turns into the same types", async () => {
    const host = memoryHost({ "/project/api/v1/boat_types.ts": TYPES });
    const { files, diagnostics } = await runGenerators({
      root: "/project",
      arguments: ["crd", "paths=./api/..."],
      host,
    });
    expect(diagnostics).toEqual([]);
    expect(files.map((file) => file.path)).toEqual(["config/crd/demo.example.com_boats.yaml"]);
    const crds = readCrds(readYamlDocuments(files[0]?.content ?? ""), "boats.yaml");
    const { files: sources } = importCrds({
      crds,
      folderOf: (group, version) => `${group}/${version}`,
      structSchema: () => undefined,
    });
    expect(sources.map((file) => file.content).join("\n")).toContain("sails: int32;");
    const { verdicts, problems } = await verifyImport(crds, sources);
    expect([problems, verdicts.flatMap(({ differences }) => differences)]).toEqual([[], []]);
  });
});

describe("what a program loads at once", () => {
  const { exports } = JSON.parse(readFileSync(path.join(FOLDER, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly "@kubescaffold/source"?: string }>>;
  };

  it.each([
    [".", true],
    ["./arguments", false],
    ["./cache", false],
    ["./descriptions", false],
    ["./diagnostics", false],
    ["./importer", true],
    ["./markers", false],
    ["./runs", false],
    ["./typescript", false],
  ])("with %s has the compiler: %s", async (name, hasCompiler) => {
    const imports = await importedAtOnce(exports[name]?.["@kubescaffold/source"] ?? "");
    expect(imports.includes(COMPILER)).toBe(hasCompiler);
  });

  it("is known of every entry point", () => {
    const names = Object.keys(exports).filter((name) => name !== "./package.json");
    expect(names).toHaveLength(9);
  });
});

// What the entry point and the chunks that it always loads import of other packages.
async function importedAtOnce(source: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: { entry: source },
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    metafile: true,
    write: false,
  });
  const loaded = new Set<string>();
  const load = (output: string): void => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path: name, kind } of metafile.outputs[output]?.imports ?? [])
      if (kind === "import-statement") load(name);
  };
  load("out/entry.js");
  return [...loaded];
}
