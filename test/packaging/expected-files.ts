import { readdirSync } from "node:fs";
import path from "node:path";

import { readSource, ROOT } from "../architecture/source-files.ts";
import type { PackedFile } from "./tarball.ts";

const SERVING_PAGE = "dashboard";

// The bundles of these hold libraries of others, whose licenses go along.
const HOLDING_LIBRARIES: ReadonlySet<string> = new Set([
  "apiserver",
  "cluster",
  "dashboard",
  "envtest",
  "generators",
  "runtime",
]);

/** Returns the files that the library in a folder of `packages` publishes: the modules and the declarations that its exports lead to. */
export function filesOfLibrary(folder: string, packed: ReadonlyMap<string, PackedFile>): readonly string[] {
  const modules = new Set<string>();
  for (const entry of [...entriesOf(packed), ...programsOf(packed)]) reachable(packed, entry, modules);
  const licenses = HOLDING_LIBRARIES.has(folder) ? ["dist/THIRD-PARTY-LICENSES.md"] : [];
  return [
    "LICENSE",
    "README.md",
    "package.json",
    "dist/sbom.cdx.json",
    ...licenses,
    ...(folder === SERVING_PAGE ? filesOfPage() : []),
    ...dataOf(packed),
    ...modules,
    ...declarationsOf(packed),
  ].toSorted();
}

// Exports without conditions are files that are read, such as the tables of other versions of Kubernetes.
function dataOf(packed: ReadonlyMap<string, PackedFile>): readonly string[] {
  const { exports } = JSON.parse(packed.get("package.json")?.text ?? "") as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.values(exports)
    .filter((target) => typeof target === "string" && target.includes("*"))
    .flatMap((target) => filesFitting(packed, path.posix.normalize(target as string)));
}

// The page of the dashboard is what Vite built.
function filesOfPage(): readonly string[] {
  const assets = readdirSync(path.join(ROOT, "packages", "dashboard", "dist", "page", "assets"));
  return ["index.html", ...assets.map((name) => `assets/${name}`)].map((name) => `dist/page/${name}`);
}

/** Returns the files that the program publishes: the bundled scripts, and the modules and declarations that its exports lead to. */
export function filesOfProgram(packed: ReadonlyMap<string, PackedFile>): readonly string[] {
  const modules = new Set<string>();
  for (const entry of entriesOf(packed)) reachable(packed, entry, modules);
  return [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "package.json",
    "dist/THIRD-PARTY-LICENSES.md",
    "dist/commands.cjs",
    "dist/program.cjs",
    "dist/sbom.cdx.json",
    "dist/scaffold.cjs",
    "dist/ts-morph.cjs",
    "dist/ts-parser.cjs",
    ...modules,
    ...declarationsOf(packed),
  ].toSorted();
}

/** Returns the exports of a package that name one module each. */
export function importsOfPackage(folder: string): readonly string[] {
  const { name, exports } = JSON.parse(readSource(path.posix.join(folder, "package.json"))) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.keys(exports)
    .filter((key) => !key.includes("*") && key !== "./package.json")
    .map((key) => path.posix.join(name, key));
}

// A pattern among the exports stands for every file that it fits.
function programsOf(packed: ReadonlyMap<string, PackedFile>): readonly string[] {
  const { bin = {} } = JSON.parse(packed.get("package.json")?.text ?? "") as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  return Object.values(bin);
}

function entriesOf(packed: ReadonlyMap<string, PackedFile>, condition = "default"): readonly string[] {
  const { exports } = JSON.parse(packed.get("package.json")?.text ?? "") as {
    readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  return Object.values(exports)
    .flatMap((target) => target[condition] ?? [])
    .map((target) => path.posix.normalize(target))
    .flatMap((target) => filesFitting(packed, target));
}

function filesFitting(packed: ReadonlyMap<string, PackedFile>, target: string): readonly string[] {
  const [start = "", end] = target.split("*");
  return end === undefined
    ? [target]
    : [...packed.keys()].filter((file) => file.startsWith(start) && file.endsWith(end));
}

function declarationsOf(packed: ReadonlyMap<string, PackedFile>): ReadonlySet<string> {
  const declarations = new Set<string>();
  for (const entry of entriesOf(packed, "types")) reachable(packed, entry, declarations);
  return declarations;
}

// What a module or a declaration of a package imports, at once or later.
function reachable(
  packed: ReadonlyMap<string, PackedFile>,
  file: string,
  found = new Set<string>(),
): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = packed.get(file)?.text ?? "";
  for (const [, specifier = ""] of text.matchAll(/\b(?:from|import)\s*\(?"(\.\.?\/[^"]+\.[jt]s)"/gu)) {
    const imported = path.posix.join(path.posix.dirname(file), specifier);
    reachable(packed, file.endsWith(".d.ts") ? imported.replace(/\.[jt]s$/u, ".d.ts") : imported, found);
  }
  return found;
}
