import path from "node:path";

import { expect, it } from "vitest";

import { buildId } from "../../../src/cli/generating/run-store.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const scriptOf = (digit: string): string => `exports.a = 1;\n//${digit.repeat(64)}\n`;

it("a build is known by the hashes at the end of its scripts", () => {
  const root = temporaryFolder({ "program.cjs": scriptOf("a"), "ts-morph.cjs": scriptOf("b") });
  const program = path.join(root, "program.cjs");
  const first = buildId(program);
  expect(first).toBe(`${"a".repeat(64)} ${"b".repeat(64)}`);
  writeFiles(root, { "ts-morph.cjs": scriptOf("c") });
  expect(buildId(program)).not.toBe(first);
});

it("sources are no build, nor are scripts without a hash", () => {
  expect(buildId()).toBeUndefined();
  const root = temporaryFolder({ "program.cjs": scriptOf("a"), "ts-morph.cjs": "" });
  expect(buildId(path.join(root, "program.cjs"))).toBeUndefined();
});
