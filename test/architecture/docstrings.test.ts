import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ENTRY_POINTS, publicExports } from "./public-exports.ts";
import { ROOT } from "./source-files.ts";

describe("public entry points", () => {
  it.each(ENTRY_POINTS)("every export of %s has a docstring", (entryPoint) => {
    const undocumented = publicExports(path.join(ROOT, entryPoint)).filter(({ isDocumented }) => !isDocumented);
    expect(undocumented.map(({ name }) => name)).toEqual([]);
  });

  it.each(ENTRY_POINTS)("%s opens with a paragraph on what it is", (entryPoint) => {
    expect(readFileSync(path.join(ROOT, entryPoint), "utf8").startsWith("/**")).toBe(true);
  });
});
