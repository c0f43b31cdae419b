import { describe, expect, it } from "vitest";

import { FORBIDDEN_PHRASES } from "./forbidden-phrases.ts";
import { listFiles, readSource } from "./source-files.ts";

// All texts are read, which takes long on a busy machine.
const LIVENESS_MS = 600_000;
const FOLDERS = [
  "bin",
  "src",
  "plugins",
  "test",
  "scripts",
  "hack",
  "bench",
  "docs",
  "templates",
  "examples",
  "packages",
];
const PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
const TEXT = /\.(?:ts|mjs|md|hbs|yaml|yml|go)$|(?:^|\/)(?:Makefile|Dockerfile|PROJECT)$/u;
// Recorded and generated files repeat the texts of others, recordings are found by the names of steps in rows, and the table of phrases contains what it forbids.
const EXEMPT =
  /\/(?:generated|recorded|corpus|node_modules)\/|zz_generated\.|^packages\/k8s\/src\/(?:api|tables)\/|\/conformance\/rows\/|\/golden\/[^/]+\/|^test\/architecture\/forbidden-phrases/u;

// Texts that a phrase is part of for a reason.
const ALLOWED: readonly (readonly [file: string, line: string])[] = [
  // Projects recognize generated files of a chart by this line.
  ["plugins/helm/chart/chart-files.ts", "Made of config/ by `scaffold edit --plugins=helm/v2-alpha`"],
];

const FILES = [...FOLDERS.flatMap((folder) => listFiles(folder)), ...PAGES].filter(
  (file) => TEXT.test(file) && !EXEMPT.test(file),
);

describe("hand-written texts", () => {
  it("use the terms of the field, not paraphrases", { timeout: LIVENESS_MS }, () => {
    const found = FILES.flatMap((file) => findPhrases(file));
    expect(found).toEqual([]);
  });

  it.each(FORBIDDEN_PHRASES.map(({ pattern, instead }) => [String(pattern), instead] as const))(
    "have a replacement for %s",
    (_, instead) => {
      expect(FORBIDDEN_PHRASES.filter(({ pattern }) => pattern.test(instead))).toEqual([]);
    },
  );
});

function findPhrases(file: string): readonly string[] {
  return readSource(file)
    .split("\n")
    .flatMap((line, index) =>
      FORBIDDEN_PHRASES.filter(({ pattern }) => pattern.test(line) && !isAllowed(file, line)).map(
        ({ pattern, instead }) => `${file}:${String(index + 1)}: "${pattern.exec(line)?.[0] ?? ""}": write ${instead}`,
      ),
    );
}

function isAllowed(file: string, line: string): boolean {
  return ALLOWED.some(([allowed, text]) => allowed === file && line.includes(text));
}
