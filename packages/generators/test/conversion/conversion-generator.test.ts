import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../../../../test/architecture/source-files.ts";
import { compilerHost, ts } from "../../../../test/support/compiler.ts";
import { runProgram } from "../../../../test/support/run-program.ts";
import { temporaryFolder, writeFiles } from "../../../../test/support/temporary-folder.ts";
import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { sourceCases } from "../support/golden-cases.ts";
import { memoryHost } from "../support/memory-host.ts";

const CASES = sourceCases("conversion", ["object", "conversion"]);

function generate(root: string, words: readonly string[]): Promise<GenerateResult> {
  return runGenerators({ root, arguments: [...words, "paths=./..."] });
}

describe("the conversion generator", () => {
  it.each(CASES)("writes the conversions of $name, and the same a second time", async (each) => {
    const { files, diagnostics } = await generate(each.input, each.arguments);
    expect(renderDiagnostics(diagnostics)).toBe("");
    expect(files.filter((file) => file.path.endsWith("_conversion.ts"))).toHaveLength(1);
    for (const file of files) await expect(file.content).toMatchFileSnapshot(path.join(each.input, file.path));
    expect(await generate(each.input, each.arguments)).toEqual({ files, diagnostics, stdout: "" });
  });

  it("writes nothing without a marker", async () => {
    expect(await runMemory("")).toMatchObject({ files: [], diagnostics: [] });
  });

  it.each([
    ["kind=B,hub=v1", "GENERATE_CONVERSION_NO_KIND", "api/v1alpha1 has no kind of this name"],
    ["kind=A,hub=v2", "GENERATE_CONVERSION_NO_HUB", "the sources have no other version v2 of it"],
    ["kind=A,hub=v1alpha1", "GENERATE_CONVERSION_NO_HUB", "the sources have no other version v1alpha1 of it"],
    ["kind=A", "MARKER_MISSING_ARGUMENT", "hub"],
  ])("refuses the marker %s, where it stands", async (words, code, message) => {
    const { files, diagnostics } = await runMemory(`// +kubescaffold:conversion:${words}`);
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([{ file: "api/v1alpha1/groupversion_info.ts", line: 2 }]);
    expect(diagnostics[0]?.code).toBe(code);
    expect(diagnostics[0]?.message).toContain(message);
  });

  it("puts the header file on top", async () => {
    const words = ["conversion:headerFile=hack/header.txt,year=2031"];
    const { files, diagnostics } = await runMemory("// +kubescaffold:conversion:kind=A,hub=v1", words);
    expect(renderDiagnostics(diagnostics)).toBe("");
    expect(files.map((each) => each.path)).toEqual(["api/v1alpha1/zz_generated.a_conversion.ts"]);
    expect(files[0]?.content).toMatch(/^\/\* Copyright 2031 \*\/\n\n\/\/ Code generated/u);
  });
});

function runMemory(marker: string, words = ["conversion"]): Promise<GenerateResult> {
  const types = `import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface A extends KubernetesObject { spec?: { b?: string } }
`;
  const host = memoryHost({
    "/project/hack/header.txt": "/* Copyright YEAR */\n",
    "/project/api/v1/groupversion_info.ts": "// +groupName=a.example.com\nexport {};\n",
    "/project/api/v1/a_types.ts": types,
    "/project/api/v1alpha1/groupversion_info.ts": `// +groupName=a.example.com\n${marker}\nexport {};\n`,
    "/project/api/v1alpha1/a_types.ts": types,
  });
  return runGenerators({ root: "/project", arguments: [...words, "paths=./..."], host });
}

describe("the written conversions", () => {
  const files = CASES.flatMap(({ input }) => ts.sys.readDirectory(path.dirname(input), [".ts"]));

  it(
    "type-check with the settings of a generated project, and require functions for what differs",
    { timeout: 120_000 },
    () => {
      const template = readFileSync(path.join(ROOT, "templates", "init", "tsconfig.json.hbs"), "utf8");
      const { compilerOptions } = JSON.parse(template) as { readonly compilerOptions: object };
      const settings = { ...compilerOptions, customConditions: ["@kubescaffold/source"] };
      const { options } = ts.parseJsonConfigFileContent({ compilerOptions: settings, files }, ts.sys, ROOT);
      const program = ts.createProgram(files, options, compilerHost(options));
      const checked = files.filter((file) => file.endsWith("_conversion.ts") || file.endsWith("uses.ts"));
      const found = checked.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
      expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
    },
  );

  it.each(["oxfmt", "oxlint"])("are as %s of a generated project wants them", async (tool) => {
    const root = temporaryFolder();
    const config = `.${tool}rc.json`;
    const settings = JSON.parse(readFileSync(path.join(ROOT, "templates", "init", `${config}.hbs`), "utf8")) as object;
    const copies = files
      .filter((file) => file.endsWith("_conversion.ts"))
      .map((file, index) => [`api/${String(index)}.ts`, readFileSync(file, "utf8")] as const);
    writeFiles(root, { [config]: JSON.stringify({ ...settings, ignorePatterns: [] }), ...Object.fromEntries(copies) });
    const words = tool === "oxfmt" ? ["--check", "api"] : ["api"];
    const { status, output } = await runProgram(path.join(ROOT, "node_modules", ".bin", tool), words, { cwd: root });
    expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
    expect(copies.length).toBe(CASES.length);
  });
});
