import { builtinModules } from "node:module";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { importsOf, listSources } from "./source-files.ts";

// What each part may import of ours; `*` stands for every part. A part is the longest key that a file's path starts with.
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "bin/": ["src/cli/", "src/scaffolds/", "src/plugin/", "plugins/"],
  "src/diagnostics/": ["k8s"],
  "src/cache/": ["src/diagnostics/"],
  "src/loader/": ["k8s", "src/diagnostics/", "src/cache/"],
  "src/markers/": ["k8s", "src/diagnostics/", "src/loader/"],
  "src/generators/": ["k8s", "schema", "src/diagnostics/", "src/cache/", "src/loader/", "src/markers/"],
  "src/importer/": ["k8s", "src/diagnostics/", "src/loader/", "src/markers/", "src/generators/"],
  "src/go-project/": ["k8s", "src/project/", "src/machinery/", "src/importer/", "src/generators/"],
  "src/project/": ["k8s", "src/diagnostics/"],
  "src/machinery/": ["k8s", "src/diagnostics/", "src/cache/"],
  "src/image/": ["k8s", "src/diagnostics/", "src/cache/", "src/machinery/"],
  "src/plugin/": ["k8s", "src/machinery/", "src/project/", "src/diagnostics/"],
  "src/scaffolds/": ["k8s", "src/plugin/"],
  "src/git/": ["src/generators/"],
  "src/changes/": ["k8s", "src/diagnostics/", "src/project/", "src/machinery/", "src/plugin/"],
  "src/doctor/": [
    "src/git/",
    "k8s",
    "schema",
    "src/diagnostics/",
    "src/project/",
    "src/machinery/",
    "src/plugin/",
    "src/generators/",
    "src/changes/",
  ],
  "src/upgrade/": ["k8s", "src/git/", "src/machinery/", "src/project/", "src/changes/"],
  "src/cli/": [
    "k8s",
    "schema",
    "envtest",
    "src/plugin/",
    "src/project/",
    "src/machinery/",
    "src/diagnostics/",
    "src/generators/",
    "src/importer/",
    "src/image/",
    "src/go-project/",
    "src/cache/",
    "src/git/",
    "src/changes/",
    "src/doctor/",
    "src/upgrade/",
  ],
  "src/index.ts": ["*"],
  "plugins/": ["k8s", "schema", "src/plugin/"],
  "packages/k8s/": [],
  "packages/schema/": ["k8s"],
  "packages/runtime/": ["k8s", "schema"],
  "packages/apiserver/": ["k8s", "schema"],
  "packages/envtest/": ["k8s", "schema", "runtime", "apiserver"],
};

// The one door of each library: the parts whose sources may import it.
const LIBRARY_DOORS: Readonly<Record<string, readonly string[]>> = {
  commander: ["src/cli/"],
  "@clack/prompts": ["src/cli/"],
  chokidar: ["src/cli/"],
  handlebars: ["src/machinery/"],
  "ts-morph": ["src/loader/", "src/machinery/type-markers.ts", "src/machinery/typescript-imports.ts"],
  yaml: ["src/project/", "src/generators/schemapatch/"],
  ajv: ["src/project/", "src/plugin/"],
  execa: ["src/cli/", "src/git/", "src/upgrade/", "src/doctor/", "src/plugin/", "packages/envtest/"],
  "js-yaml": ["packages/k8s/src/yaml/"],
  "@marcbachmann/cel-js": ["packages/schema/src/cel/"],
  picomatch: ["src/loader/"],
  re2js: ["packages/schema/"],
  undici: ["packages/runtime/src/rest/", "packages/apiserver/src/admission/", "packages/envtest/src/"],
  pino: ["packages/runtime/src/log/"],
  "prom-client": ["packages/runtime/src/metrics/"],
  "@peculiar/x509": ["packages/apiserver/src/certificates/", "packages/runtime/src/manager/self-signed-certificate.ts"],
  "reflect-metadata": [
    "packages/apiserver/src/certificates/",
    "packages/runtime/src/manager/self-signed-certificate.ts",
  ],
  "tar-stream": ["src/image/", "packages/envtest/src/"],
};

// Inside the runtime, lowest layer first: a folder imports only from folders before it in this list, or from itself.
const RUNTIME_LAYERS: readonly (readonly string[])[] = [
  ["clock", "log", "metrics"],
  ["http-server"],
  ["workqueue", "config", "rest", "healthz"],
  ["discovery"],
  ["client"],
  ["recorder", "controllerutil", "event", "reconcile"],
  ["finalizer", "predicate", "cache"],
  ["handler"],
  ["source"],
  ["webhook", "leader-election"],
  ["manager"],
  ["controller"],
  ["builder"],
];

describe("import directions", () => {
  it("every import between parts is one the table allows", () => {
    const violations = listSources().flatMap((file) =>
      importsOf(file).flatMap((specifier) => judgePart(file, specifier)),
    );
    expect(violations).toEqual([]);
  });

  it("a library enters through its one door", () => {
    const violations = listSources().flatMap((file) =>
      importsOf(file)
        .filter((specifier) => isLibrary(specifier))
        .filter((specifier) => !(LIBRARY_DOORS[libraryOf(specifier)] ?? []).some((door) => file.startsWith(door)))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(violations).toEqual([]);
  });

  it("the folders of the runtime import only from lower layers", () => {
    const layerOf = new Map(
      RUNTIME_LAYERS.flatMap((folders, level) => folders.map((folder) => [folder, level] as const)),
    );
    const violations = listSources()
      .filter((file) => file.startsWith("packages/runtime/src/") && file.split("/").length > 4)
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
          .filter((target) => isAbove(layerOf, file, target))
          .map((target) => `${file} imports ${target}`),
      );
    expect(violations).toEqual([]);
  });

  it("every folder of the runtime has its layer", () => {
    const known = new Set(RUNTIME_LAYERS.flat());
    const folders = new Set(
      listSources().flatMap((file) => /^packages\/runtime\/src\/([^/]+)\//u.exec(file)?.[1] ?? []),
    );
    expect([...folders].filter((folder) => !known.has(folder))).toEqual([]);
  });
});

function judgePart(file: string, specifier: string): readonly string[] {
  const target = targetPart(file, specifier);
  const from = partOf(file);
  if (target === undefined || target === from) return [];
  const allowed = ALLOWED[from] ?? [];
  if (allowed.includes("*") || allowed.includes(target)) return [];
  return [`${file} imports ${specifier}`];
}

function targetPart(file: string, specifier: string): string | undefined {
  const ours = /^@kubescaffold\/([^/]+)/u.exec(specifier)?.[1];
  if (ours !== undefined) return partOf(file) === `packages/${ours}/` ? partOf(file) : ours;
  if (specifier === "kubescaffold/plugin") return "src/plugin/";
  if (!specifier.startsWith(".")) return undefined;
  return partOf(path.posix.join(path.posix.dirname(file), specifier));
}

function partOf(file: string): string {
  return (
    Object.keys(ALLOWED)
      .filter((part) => file.startsWith(part))
      .toSorted((left, right) => right.length - left.length)[0] ?? file
  );
}

function isLibrary(specifier: string): boolean {
  if (specifier.startsWith(".") || specifier.startsWith("@kubescaffold/") || specifier.startsWith("kubescaffold"))
    return false;
  return !specifier.startsWith("node:") && !builtinModules.includes(specifier);
}

function libraryOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

function isAbove(layerOf: ReadonlyMap<string, number>, file: string, target: string): boolean {
  const [from, to] = [file, target].map((each) => each.split("/")[3] ?? "");
  const [fromLevel, toLevel] = [layerOf.get(from ?? ""), layerOf.get(to ?? "")];
  if (from === to || fromLevel === undefined || toLevel === undefined) return false;
  return toLevel >= fromLevel;
}
