import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { typeCheck } from "../support/type-check.ts";

const IDIOMS = readFileSync(new URL("reconciler-idioms.ts", import.meta.url), "utf8");

const PROJECT = {
  target: "ES2023",
  lib: ["ES2023"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: ["node"],
  strict: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

const FLAGS = [
  "exactOptionalPropertyTypes",
  "noUncheckedIndexedAccess",
  "noPropertyAccessFromIndexSignature",
  "noImplicitReturns",
  "noUnusedLocals",
] as const;

const SETTINGS = [[], ...FLAGS.map((flag) => [flag]), FLAGS].map((flags) => ({
  flags,
  name: flags.join(", ") || "strict alone",
}));

describe("the idioms of everyday reconcilers", () => {
  it.each(SETTINGS)("compile with the settings $name", ({ flags }) => {
    const compilerOptions = { ...PROJECT, ...Object.fromEntries(flags.map((flag) => [flag, true])) };
    const found = typeCheck({ "tsconfig.json": JSON.stringify({ compilerOptions }), "internal/idioms.ts": IDIOMS });
    expect(found).toEqual([]);
  });
});
