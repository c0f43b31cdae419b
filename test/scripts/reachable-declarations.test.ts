import { expect, it } from "vitest";

import { importScript } from "../support/import-script.ts";

const { reachableDeclarations } = await importScript<{
  readonly reachableDeclarations: (manifest: object, files: ReadonlyMap<string, string>) => ReadonlySet<string>;
}>("reachable-declarations.mjs");

it("declarations are kept if an export leads to them, directly or through others", () => {
  const files = new Map([
    ["dist/index.d.ts", 'export * from "./a.ts";\nimport type { B } from "./b/b.js";\nimport "./effects.ts";\n'],
    ["dist/a.d.ts", 'export type C = typeof import("./c.ts");\nexport { D } from\n  "./folder";\n'],
    ["dist/b/b.d.ts", 'import type { A } from "../a.ts";\nimport x from "elsewhere";\n'],
    ["dist/c.d.ts", "export {};\n"],
    ["dist/effects.d.ts", "export {};\n"],
    ["dist/folder/index.d.ts", "export {};\n"],
    ["dist/parts/one.d.ts", "export {};\n"],
    ["dist/internal.d.ts", 'import "./a.ts";\n'],
  ]);
  const exports = {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./parts/*": { types: "./dist/parts/*.d.ts" },
    "./package.json": "./package.json",
  };
  expect([...files.keys()].filter((name) => !reachableDeclarations({ exports }, files).has(name))).toEqual([
    "dist/internal.d.ts",
  ]);
});
