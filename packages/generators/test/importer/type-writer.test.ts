import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { structSchema } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { temporaryFolder, writeFiles } from "../../../../test/support/temporary-folder.ts";
import { readCrds } from "../../src/importer/crd-facts.ts";
import { importCrds, type ImportedFile } from "../../src/importer/import-crds.ts";
import { crdOf, roundTrip } from "./crd-sample.ts";
import { SYNTHETIC } from "./synthetic-crds.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

describe("the types that are written", () => {
  it("pass the compiler at its strictest, without anything that needs more than erasing", () => {
    const compilerOptions = {
      target: "ES2023",
      module: "NodeNext",
      customConditions: ["@kubescaffold/source"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      isolatedDeclarations: true,
      declaration: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    };
    const config = JSON.stringify({ compilerOptions, include: ["case*/**/*.ts"] });
    expect(findFaults("typescript/bin/tsc", ["-p", "."], { "tsconfig.json": config })).toBe("");
  });

  it("pass the linter", () => {
    const config = JSON.parse(readFileSync(path.join(ROOT, ".oxlintrc.json"), "utf8")) as {
      readonly rules: Readonly<Record<string, unknown>>;
    };
    // Files of APIs have kubebuilder's names, and are as long as the APIs.
    const rules = { ...config.rules, "unicorn/filename-case": "off", "max-lines": "off" };
    const text = JSON.stringify({ ...config, rules, ignorePatterns: [] });
    expect(findFaults("oxlint/bin/oxlint", [], { ".oxlintrc.json": text })).toBe("");
  });

  it("are one type for one shape, unless uses need different texts of it", async () => {
    const { types } = await roundTrip([crdOf(SYNTHETIC["types of one shape with different texts"] ?? {})]);
    expect(types).toContain("  a?: ThingA;\n");
    expect(types).toContain("  b?: ThingA;\n");
    expect(types).toContain("  c?: ThingA;\n");
    expect(types).toContain("  d?: ThingA[];\n");
    expect(types).toContain("  e?: ThingEItem[];\n");
    expect(types).toContain("/** An item. */\nexport interface ThingEItem {");
  });

  it("put long unions below one another", async () => {
    const { types } = await roundTrip([crdOf(SYNTHETIC["a long enum"] ?? {})]);
    expect(types).toContain('  a?:\n    | "Value|Number0"\n    | "Value|Number1"\n');
  });

  it("say null in the type", async () => {
    const { types } = await roundTrip([crdOf(SYNTHETIC["null"] ?? {})]);
    expect(types).toContain("  a?: string | null;\n");
    expect(types).toContain("  c?: (string | null)[] | null;\n");
  });
});

function synthetic(): readonly ImportedFile[] {
  return Object.values(SYNTHETIC).flatMap((spec, index) => {
    const crds = readCrds([crdOf(spec)], "test");
    return importCrds({ crds, structSchema, folderOf: () => `case${index}` }).files;
  });
}

// Runs a program of the repository in a folder that has its packages and the files; returns what it finds fault with.
function findFaults(program: string, args: readonly string[], files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  writeFiles(folder, { "package.json": '{"type":"module"}', ...files });
  for (const { path: file, content } of synthetic()) writeFiles(folder, { [file]: content });
  // The linter would follow the link and read all packages.
  if (program.startsWith("typescript"))
    symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "junction");
  const { status, stdout } = spawnSync(process.execPath, [path.join(ROOT, "node_modules", program), ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? "" : stdout;
}
