import { describe, expect, it } from "vitest";

import { listPackages } from "../../src/loader/list-packages.ts";
import { memoryHost } from "../support/memory-host.ts";

const FILES = [
  "main.ts",
  "api/v1/groupversion_info.ts",
  "api/v1/a_types.ts",
  "api/v1/a_types.test.ts",
  "api/v1/zz_generated.schema.ts",
  "api/v2/b_types.ts",
  "api/v2/README.md",
  "nested/package.json",
  "nested/node_modules/x/index.ts",
  "nested/src/c.ts",
  "dist/d.ts",
];
const host = memoryHost(Object.fromEntries(FILES.map((file) => [`/p/${file}`, ""])));

function rootsOf(...paths: readonly string[]): readonly string[] {
  const { packages, diagnostics } = listPackages(host, "/p", paths);
  expect(diagnostics).toEqual([]);
  return packages.flatMap((each) => [...each.roots].map((file) => file.slice("/p/".length)));
}

const ALL = ["main.ts", "api/v1/a_types.ts", "api/v1/groupversion_info.ts", "api/v2/b_types.ts", "nested/src/c.ts"];

describe("paths", () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [["."], ["main.ts"]],
    [["./..."], ALL],
    [["..."], ALL],
    [["/p/..."], ALL],
    [["api/v1"], ["api/v1/a_types.ts", "api/v1/groupversion_info.ts"]],
    [
      ["api/v2/b_types.ts", "api/v1/a_types.ts"],
      ["api/v1/a_types.ts", "api/v2/b_types.ts"],
    ],
    [["api/*"], ["api/v1/a_types.ts", "api/v1/groupversion_info.ts", "api/v2/b_types.ts"]],
    [["api/**/*_types.ts"], ["api/v1/a_types.ts", "api/v2/b_types.ts"]],
    [["**/*.ts"], ALL],
    [
      ["api/v1/a_types.ts", "api/v1"],
      ["api/v1/a_types.ts", "api/v1/groupversion_info.ts"],
    ],
  ])("%j name %j", (paths, roots) => {
    expect(rootsOf(...paths)).toEqual(roots);
  });

  it("of one file keep the others of its folder, which say the group", () => {
    const { packages } = listPackages(host, "/p", ["api/v1/a_types.ts"]);
    expect(packages[0]?.files).toEqual(["/p/api/v1/a_types.ts", "/p/api/v1/groupversion_info.ts"]);
  });

  it.each(["nowhere", "nowhere/...", "nowhere.ts", "api/*.md", "api/v3/*"])(
    "that name nothing are an error: %s",
    (given) => {
      const { diagnostics } = listPackages(host, "/p", [given]);
      expect(diagnostics).toMatchObject([{ code: "LOADER_PATH_NOT_FOUND", severity: "error" }]);
      expect(diagnostics[0]?.message).toContain(`paths=${given}`);
    },
  );
});

it("a folder that cannot be read is an error that names it", () => {
  const locked = {
    ...host,
    listDirectory: (folder: string) => (folder === "/p/api/v2" ? undefined : host.listDirectory(folder)),
  };
  const { diagnostics } = listPackages(locked, "/p", ["./..."]);
  expect(diagnostics).toMatchObject([{ code: "LOADER_UNREADABLE", file: "api/v2" }]);
});

it("omits the folders of other projects, unless a path names them", () => {
  const files = ["PROJECT", "api/v1/a_types.ts", "other/PROJECT", "other/api/v1/o_types.ts"];
  const nested = memoryHost(Object.fromEntries(files.map((file) => [`/p/${file}`, ""])));
  const foldersOf = (paths: string): readonly string[] =>
    listPackages(nested, "/p", [paths]).packages.map(({ directory }) => directory);
  expect(foldersOf("./...")).toEqual(["/p/api/v1"]);
  expect(foldersOf("./other/...")).toEqual(["/p/other/api/v1"]);
});
