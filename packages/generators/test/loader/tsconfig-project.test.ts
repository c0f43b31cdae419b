import { describe, expect, it } from "vitest";

import { listProject } from "../../src/loader/tsconfig-project.ts";
import { memoryHost } from "../support/memory-host.ts";

const SOURCES = Object.fromEntries(
  ["api/v1/a.ts", "api/v1/a.test.ts", "internal/b.ts", "node_modules/x/c.ts", "shared/src/d.ts"].map((file) => [
    `/p/${file}`,
    "",
  ]),
);

function filesOf(configs: Readonly<Record<string, string>>): readonly string[] {
  const host = memoryHost({ ...SOURCES, ...configs });
  const { files, diagnostics } = listProject(host, "/p", "/p/tsconfig.json");
  expect(diagnostics).toEqual([]);
  return files;
}

function problemOf(configs: Readonly<Record<string, string>>): readonly object[] {
  return listProject(memoryHost({ ...SOURCES, ...configs }), "/p", "/p/tsconfig.json").diagnostics;
}

describe("the sources of a project", () => {
  it("are those of files, include and exclude, with comments and trailing commas in the file", () => {
    expect(
      filesOf({ "/p/tsconfig.json": '{ "include": ["api", "internal"], /* no */ "exclude": ["**/*.test.ts"], }' }),
    ).toEqual(["/p/api/v1/a.ts", "/p/internal/b.ts"]);
    expect(filesOf({ "/p/tsconfig.json": '{ "files": ["shared/src/d.ts"] }' })).toEqual(["/p/shared/src/d.ts"]);
  });

  it("are all below when nothing is said, without libraries", () => {
    expect(filesOf({ "/p/tsconfig.json": "{}" })).toEqual([
      "/p/api/v1/a.test.ts",
      "/p/api/v1/a.ts",
      "/p/internal/b.ts",
      "/p/shared/src/d.ts",
    ]);
  });

  it("are inherited by extends", () => {
    const base = '{ "include": ["../internal"] }';
    expect(filesOf({ "/p/tsconfig.json": '{ "extends": "./config/base.json" }', "/p/config/base.json": base })).toEqual(
      ["/p/internal/b.ts"],
    );
  });

  it("are those of the projects that it refers to, also when they refer to each other", () => {
    expect(
      filesOf({
        "/p/tsconfig.json": '{ "files": [], "references": [{ "path": "shared" }, { "path": "tsconfig.api.json" }] }',
        "/p/shared/tsconfig.json": '{ "include": ["src"], "references": [{ "path": "../tsconfig.json" }] }',
        "/p/tsconfig.api.json": '{ "include": ["api"] }',
      }),
    ).toEqual(["/p/api/v1/a.test.ts", "/p/api/v1/a.ts", "/p/shared/src/d.ts"]);
  });
});

describe("a configuration that is wrong", () => {
  it("is reported at its place", () => {
    expect(problemOf({ "/p/tsconfig.json": '{\n  "include": "api"\n}\n' })).toMatchObject([
      { code: "LOADER_TSCONFIG", severity: "error", file: "tsconfig.json", line: 2, column: 14 },
    ]);
  });

  it("may be one that it extends, or miss that", () => {
    expect(problemOf({ "/p/tsconfig.json": '{ "extends": "./none.json" }' })).toMatchObject([
      { code: "LOADER_TSCONFIG" },
    ]);
    expect(
      problemOf({ "/p/tsconfig.json": '{ "extends": "./a.json" }', "/p/a.json": '{ "extends": "./tsconfig.json" }' }),
    ).toMatchObject([{ code: "LOADER_TSCONFIG" }]);
  });
});
