import { writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { pack } from "tar-stream";
import { expect, it } from "vitest";

import { importScript } from "../support/import-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Check = (file: string) => Promise<readonly string[]>;
const { lintTarball, checkTypes } = await importScript<{ readonly lintTarball: Check; readonly checkTypes: Check }>(
  "release/check-packages.mjs",
);
const { importExports } = await importScript<{ readonly importExports: Check }>("release/import-exports.mjs");

const MANIFEST = {
  name: "demo",
  version: "1.0.0",
  license: "MIT",
  type: "module",
  engines: { node: ">=20" },
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./parts/*": { types: "./dist/parts/*.d.ts", default: "./dist/parts/*.js" },
    "./package.json": "./package.json",
  },
};
const FILES = {
  "package.json": JSON.stringify(MANIFEST),
  "dist/index.js": "export const one = 1;\n",
  "dist/index.d.ts": "export declare const one: number;\n",
  "dist/parts/a.js": "export const a = 1;\n",
  "dist/parts/a.d.ts": "export declare const a: number;\n",
  "dist/parts/b/c.js": "export const c = 1;\n",
  "dist/parts/b/c.d.ts": "export declare const c: number;\n",
};

async function tarballOf(files: Readonly<Record<string, string>>): Promise<string> {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) archive.entry({ name: `package/${name}` }, text);
  archive.finalize();
  const file = path.join(temporaryFolder(), "demo.tgz");
  writeFileSync(file, gzipSync(await buffer(archive)));
  return file;
}

it("a sound package passes the checks of its manifest and of its types", async () => {
  const file = await tarballOf(FILES);
  expect([await lintTarball(file), await checkTypes(file)]).toEqual([[], []]);
});

it("a package whose types lead to no file, or that has none, fails the check of types", async () => {
  const types = 'export * from "./missing";\n';
  expect(await checkTypes(await tarballOf({ ...FILES, "dist/index.d.ts": types }))).toContainEqual(
    expect.stringContaining("InternalResolutionError"),
  );
  const { "dist/index.d.ts": _, ...untyped } = FILES;
  expect(await checkTypes(await tarballOf(untyped))).toContainEqual(expect.stringContaining("UntypedResolution"));
});

it("a package whose exports lead to no file fails the check of its manifest", async () => {
  const { "dist/index.js": _, ...missing } = FILES;
  expect(await lintTarball(await tarballOf(missing))).toContainEqual(expect.stringContaining("./dist/index.js"));
});

it("every export is imported, those of a pattern too, and one that cannot be fails", async () => {
  expect(await importExports(temporaryFolder(FILES))).toEqual(["demo", "demo/parts/a", "demo/parts/b/c"]);
  const broken = temporaryFolder({ ...FILES, "dist/parts/b/c.js": 'import "./missing.js";\n' });
  await expect(importExports(broken)).rejects.toThrow("missing.js");
});
