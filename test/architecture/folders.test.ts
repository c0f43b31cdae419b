import path from "node:path";

import { describe, expect, it } from "vitest";

import { importsOf, isGenerated, listFiles, listSources } from "./source-files.ts";

const LARGEST_FOLDER = 25;

// Entry points, which tests run as a whole, and folders of types alone.
const WITHOUT_TESTS = new Set([
  "bin",
  "src",
  "packages/apiserver/src",
  "packages/cluster/src",
  "packages/dashboard/src/server",
  "packages/envtest/src",
  "packages/runtime/src",
  "packages/runtime/src/event",
]);

const folders = groupByFolder(listSources().filter((file) => !isGenerated(file)));

describe("every folder of hand-written sources", () => {
  it(`has at most ${LARGEST_FOLDER} files`, () => {
    const large = [...folders].filter(([, files]) => files.length > LARGEST_FOLDER);
    expect(large.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
  });

  it("has tests in the folder at the mirrored path or above it, or tests that import it", () => {
    const tests = [...listFiles("test"), ...listFiles("plugins"), ...listFiles("packages")].filter((file) =>
      file.endsWith(".test.ts"),
    );
    const tested = new Set(tests.map((file) => path.posix.dirname(file)));
    for (const test of tests) for (const folder of foldersImportedBy(test)) tested.add(folder);
    const bare = [...folders.keys()].filter(
      (folder) =>
        !WITHOUT_TESTS.has(folder) &&
        !tested.has(folder) &&
        !foldersUpFrom(testFolderOf(folder)).some((each) => tested.has(each)),
    );
    expect(bare).toEqual([]);
  });
});

function groupByFolder(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files)
    groups.set(path.posix.dirname(file), [...(groups.get(path.posix.dirname(file)) ?? []), file]);
  return groups;
}

function foldersImportedBy(test: string): readonly string[] {
  return importsOf(test)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => path.posix.dirname(path.posix.join(path.posix.dirname(test), specifier)));
}

function foldersUpFrom(folder: string): readonly string[] {
  const parent = path.posix.dirname(folder);
  return parent === "." ? [folder] : [folder, ...foldersUpFrom(parent)];
}

// Plugins keep their tests beside their sources.
function testFolderOf(folder: string): string {
  const plugin = /^plugins\/[^/]+/u.exec(folder)?.[0];
  if (plugin !== undefined) return `${plugin}/test`;
  return folder.replace(/^src(?=\/|$)/u, "test").replace(/^(?<owner>packages\/[^/]+)\/src/u, "$<owner>/test");
}
