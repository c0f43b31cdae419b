import { describe, expect, it } from "vitest";

import { listBundledPackages } from "../../src/image/bundled-packages.ts";

const FILES: Readonly<Record<string, string>> = {
  "/project/package.json": '{"name":"operator"}',
  "/project/node_modules/a/package.json":
    '{"name":"a","version":"1.0.0","license":"MIT","homepage":"https://a.example"}',
  "/project/node_modules/a/esm/package.json": '{"type":"module"}',
  "/project/node_modules/b/package.json": '{"name":"b","version":"2.0.0","license":{"type":"ISC"}}',
  "/project/node_modules/b/node_modules/a/package.json": '{"name":"a","version":"0.9.0","license":"SEE LICENSE IN X"}',
  "/linked/runtime/package.json": '{"name":"@scope/runtime","version":"3.0.0","license":"Apache-2.0"}',
  "/linked/runtime/dist/THIRD-PARTY-LICENSES.md": "# Licenses\n\n## inner 5.0.0 (MIT)\n\n```\n## not 1 (a)\n```\n",
};

function metafile(...inputs: readonly (readonly [file: string, bytesInOutput: number])[]): string {
  const entries = Object.fromEntries(inputs.map(([file, bytesInOutput]) => [file, { bytesInOutput }]));
  return JSON.stringify({ inputs: {}, outputs: { "dist/manager.mjs": { inputs: entries } } });
}

const list = (text: string): readonly string[] =>
  listBundledPackages({ metafile: text, root: "/project", readText: (file) => FILES[file] }).map(
    ({ name, version, license }) => `${name}@${version} ${license ?? "-"}`,
  );

describe("listBundledPackages", () => {
  it("lists packages by the files that went in, those of two versions twice, and what others carry", () => {
    const text = metafile(
      ["cmd/main.ts", 10],
      ["node_modules/b/index.js", 1],
      ["node_modules/b/node_modules/a/index.js", 1],
      ["node_modules/a/esm/index.js", 1],
      ["node_modules/a/esm/other.js", 1],
      ["../linked/runtime/dist/index.js", 1],
      ["disabled:fs", 1],
    );
    expect(list(text)).toEqual([
      "@scope/runtime@3.0.0 Apache-2.0",
      "a@0.9.0 SEE LICENSE IN X",
      "a@1.0.0 MIT",
      "b@2.0.0 ISC",
      "inner@5.0.0 MIT",
    ]);
  });

  it("omits what esbuild read and omitted", () => {
    expect(list(metafile(["cmd/main.ts", 10], ["node_modules/a/index.js", 0]))).toEqual([]);
  });

  it.each(["", "[]", "{}", '{"outputs":1}'])("refuses %j, which is no metafile", (text) => {
    expect(() => list(text)).toThrow(expect.objectContaining({ code: "IMAGE_BUNDLE" }));
  });
});
