import { expect, it } from "vitest";

import { buildId } from "../../../src/cli/generating/run-store.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const scriptOf = (digit: string): string => `exports.a = 1;\n//${digit.repeat(64)}\n`;

const BUILD = { "program.cjs": scriptOf("a"), "commands.cjs": scriptOf("b"), "ts-morph.cjs": scriptOf("c") };

it.each(Object.keys(BUILD))("a build is known by the hash at the end of %s", (name) => {
  const root = temporaryFolder(BUILD);
  const first = buildId(root);
  expect(first).toBe(`${"a".repeat(64)} ${"b".repeat(64)} ${"c".repeat(64)}`);
  writeFiles(root, { [name]: scriptOf("d") });
  expect(buildId(root)).not.toBe(first);
});

it("sources are no build, nor are scripts without a hash", () => {
  expect(buildId()).toBeUndefined();
  expect(buildId(temporaryFolder({ ...BUILD, "ts-morph.cjs": "" }))).toBeUndefined();
});
