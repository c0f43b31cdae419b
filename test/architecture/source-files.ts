import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ts } from "ts-morph";

/** The folder of the repository. */
export const ROOT: string = path.resolve(fileURLToPath(new URL("../..", import.meta.url)));

const SKIPPED = new Set(["node_modules", "dist", ".git", ".kubescaffold", "coverage"]);

/** Lists the files below a folder of the repository, as paths relative to it with forward slashes, in a stable order. */
export function listFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const visit = (relative: string): void => {
    for (const entry of readdirSync(path.join(ROOT, relative), { withFileTypes: true })) {
      if (SKIPPED.has(entry.name)) continue;
      const child = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) visit(child);
      else if (entry.isFile()) found.push(child);
    }
  };
  visit(folder);
  return found.toSorted();
}

/** Lists our own TypeScript sources: bin, src, plugins and the packages, without tests and templates. */
export function listSources(): readonly string[] {
  return ["bin", "src", "plugins", "packages"]
    .flatMap((folder) => listFiles(folder))
    .filter((file) => /\.tsx?$/u.test(file) && !file.endsWith(".d.ts"))
    .filter((file) => !/(^|\/)(test|templates|fixtures|golden)\//u.test(file))
    .filter((file) => !/^packages\/[^/]+\/[^/]+\.ts$/u.test(file));
}

/** Reports whether a script writes a source: from the OpenAPI of Kubernetes, from templates, or from JSON schemas. */
export function isGenerated(source: string): boolean {
  return /^packages\/k8s\/src\/(?:api|tables)\/|^packages\/apiserver\/src\/protobuf\/message-table\.ts$|\/generated\//u.test(
    source,
  );
}

/** Reads a file of the repository. */
export function readSource(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Returns the module specifiers a source imports, re-exports or loads lazily, those of `import type` too. */
export function importsOf(file: string): readonly string[] {
  const known =
    knownImports.get(file) ??
    ts.preProcessFile(readSource(file), true, true).importedFiles.map((imported) => imported.fileName);
  knownImports.set(file, known);
  return known;
}

// Most files are asked about by several tests, and for each part of the repository.
const knownImports = new Map<string, readonly string[]>();
