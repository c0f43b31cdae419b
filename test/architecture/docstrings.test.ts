import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ENTRY_POINTS, publicExports } from "./public-exports.ts";
import { listSources, readSource, ROOT } from "./source-files.ts";

// `controller-runtime: pkg/reconcile.Reconciler`, alone on its line.
const UPSTREAM_LINE = /^ *\* (?<symbol>(?:controller-runtime|client-go|apimachinery|k8s\.io\/utils): [\w./-]+)$/u;
const UPSTREAM_START = /^ *\*? *(?:controller-runtime|client-go|apimachinery|k8s\.io\/utils): /u;

describe("public entry points", () => {
  it.each(ENTRY_POINTS)("every export of %s has a docstring", (entryPoint) => {
    const undocumented = publicExports(path.join(ROOT, entryPoint)).filter(({ isDocumented }) => !isDocumented);
    expect(undocumented.map(({ name }) => name)).toEqual([]);
  });

  // The patterns in the exports of @kubescaffold/k8s are the API groups of Kubernetes, whose fields the documentation of Kubernetes describes.
  it.each(ENTRY_POINTS)("every member of an interface or a class of %s has a docstring", (entryPoint) => {
    const undocumented = publicExports(path.join(ROOT, entryPoint)).flatMap((each) => each.undocumentedMembers);
    expect(undocumented).toEqual([]);
  });

  it.each(ENTRY_POINTS)("%s opens with a paragraph on what it is", (entryPoint) => {
    expect(readFileSync(path.join(ROOT, entryPoint), "utf8").startsWith("/**")).toBe(true);
  });

  it("name the upstream symbol that they mirror in one form", () => {
    const wrong = listSources().flatMap((file) =>
      readSource(file)
        .split("\n")
        .filter((line) => UPSTREAM_START.test(line) && !UPSTREAM_LINE.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(wrong).toEqual([]);
  });

  // `node scripts/record-upstream-symbols.mjs` records the list from the Go sources.
  it("name only symbols that upstream declares", () => {
    const recorded = readSource("test/architecture/upstream-symbols.txt")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const named = listSources().flatMap((file) =>
      readSource(file)
        .split("\n")
        .flatMap((line) => UPSTREAM_LINE.exec(line)?.groups?.["symbol"] ?? []),
    );
    expect([...new Set(named)].toSorted()).toEqual(recorded);
  });
});
