import { describe, expect, it } from "vitest";

import { rewriteImports } from "../../src/machinery/typescript-imports.ts";

const MOVED = new Map([["a/x.ts", "a/b/x.ts"]]);

describe("the imports of a file that moves, or imports what moves", () => {
  it.for<[string, string]>([
    ['import { X } from "./x.ts";', 'import { X } from "./b/x.ts";'],
    ["import type { X } from './x.ts'", "import type { X } from './b/x.ts'"],
    ['export * from "./x.ts";', 'export * from "./b/x.ts";'],
    ['const x = await import("./x.ts");', 'const x = await import("./b/x.ts");'],
    ['import "./y.ts";', 'import "./y.ts";'],
    ['import x from "x.ts";', 'import x from "x.ts";'],
    ['const s = "./x.ts";', 'const s = "./x.ts";'],
  ])("%s", ([before, after]) => {
    expect(rewriteImports(before, { from: "a/main.ts", to: "a/main.ts", moved: MOVED })).toBe(after);
  });

  it("lead where they led when the file itself moves", () => {
    const text =
      'import { Y } from "./y.ts";\nimport { Z } from "../z.ts";\nconst r = path.join(import.meta.dirname, "..", "config");\n';
    expect(rewriteImports(text, { from: "a/x.ts", to: "a/b/x.ts", moved: MOVED })).toBe(
      'import { Y } from "../y.ts";\nimport { Z } from "../../z.ts";\nconst r = path.join(import.meta.dirname, "../..", "config");\n',
    );
  });
});
