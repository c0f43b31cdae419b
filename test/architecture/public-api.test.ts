import path from "node:path";

import { describe, expect, it } from "vitest";

import { ENTRY_POINTS, INTERNAL_ENTRY_POINTS, publicExports } from "./public-exports.ts";
import { ROOT } from "./source-files.ts";

describe("the public API", () => {
  // A changed file is a change that users see: the commit has the type `feat` or `fix`, then run with --update.
  it.each([...ENTRY_POINTS, ...INTERNAL_ENTRY_POINTS])("of %s is the reviewed one", async (entryPoint) => {
    const names = [...new Set(publicExports(path.join(ROOT, entryPoint)).map(({ name }) => name))].toSorted();
    const file = `./public-api/${entryPoint
      .replace(/^packages\//u, "")
      .replaceAll("/", "-")
      .replace(/\.ts$/u, "")}.api.txt`;
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(file);
  });
});
