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

const CASES = sourceCases("applyconfiguration", ["applyconfiguration"]);

function generate(root: string, words: readonly string[]): Promise<GenerateResult> {
  return runGenerators({ root, arguments: [...words, "paths=./..."] });
}

describe("the applyconfiguration generator", () => {
  it.each(CASES)("writes what $name asks for, and the same a second time", async (each) => {
    const { files, diagnostics } = await generate(each.input, each.arguments);
    expect(renderDiagnostics(diagnostics)).toBe("");
    expect(files).toHaveLength(1);
    for (const file of files) await expect(file.content).toMatchFileSnapshot(path.join(each.input, file.path));
    expect(await generate(each.input, each.arguments)).toEqual({ files, diagnostics, stdout: "" });
  });

  it("puts the file into the folder that the package names, and imports the types from there", async () => {
    const each = CASES.find(({ name }) => name === "output-package");
    const [file] = (await generate(each?.input ?? "", ["applyconfiguration"])).files;
    expect(file?.path).toBe("api/v1/applyconfiguration/zz_generated.apply.ts");
    expect(file?.content).toContain('from "../boat_types.ts";');
  });

  it.each([
    ["// +groupName=a.example.com", "", []],
    ["// +kubebuilder:ac:generate=true\n// +groupName=a.example.com", "", ["api/v1/zz_generated.apply.ts"]],
    ["// +kubebuilder:ac:generate=true\n// +groupName=a.example.com", "// +kubebuilder:ac:generate=false", []],
    ["// +groupName=a.example.com", "// +kubebuilder:ac:generate=true", ["api/v1/zz_generated.apply.ts"]],
    ["// +kubebuilder:skip\n// +kubebuilder:ac:generate=true\n// +groupName=a.example.com", "", []],
  ])("with %j above the package and %j above the kind it writes %j", async (above, own, paths) => {
    const { files } = await runMemory(above, own);
    expect(files.map((each) => each.path)).toEqual(paths);
  });

  it("refuses a kind of a package without a group, where the kind stands", async () => {
    const { files, diagnostics } = await runMemory("// no group", "// +kubebuilder:ac:generate=true");
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "GENERATE_APPLY_NO_GROUP", file: "api/v1/a_types.ts", line: 4 }]);
  });

  it("puts the header file on top", async () => {
    const above = "// +kubebuilder:ac:generate=true\n// +groupName=a.example.com";
    const words = ["applyconfiguration:headerFile=hack/header.txt,year=2031"];
    const { files } = await runMemory(above, "", words);
    expect(files[0]?.content).toMatch(/^\/\* Copyright 2031 \*\/\n\n\/\/ Code generated/u);
  });
});

function runMemory(above: string, own: string, words = ["applyconfiguration"]): Promise<GenerateResult> {
  const host = memoryHost({
    "/project/hack/header.txt": "/* Copyright YEAR */\n",
    "/project/api/v1/groupversion_info.ts": `${above}\nexport {};\n`,
    "/project/api/v1/a_types.ts": `import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

${own}
export interface A extends KubernetesObject { spec?: { b?: string } }
`,
  });
  return runGenerators({ root: "/project", arguments: [...words, "paths=./..."], host });
}

describe("what it writes", () => {
  const files = CASES.flatMap(({ input }) => ts.sys.readDirectory(path.dirname(input), [".ts"]));
  const written = files.filter((file) => file.endsWith("zz_generated.apply.ts"));

  it(
    "type-checks with the settings of a generated project, uses that it must refuse included",
    { timeout: 120_000 },
    () => {
      const template = readFileSync(path.join(ROOT, "templates", "init", "tsconfig.json.hbs"), "utf8");
      const { compilerOptions } = JSON.parse(template) as { readonly compilerOptions: object };
      const settings = { ...compilerOptions, customConditions: ["@kubescaffold/source"] };
      const { options } = ts.parseJsonConfigFileContent({ compilerOptions: settings, files }, ts.sys, ROOT);
      const program = ts.createProgram(files, options, compilerHost(options));
      const checked = files.filter((file) => file.endsWith("zz_generated.apply.ts") || file.endsWith("uses.ts"));
      const found = checked.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
      expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
    },
  );

  it.each(["oxfmt", "oxlint"])("is as %s of a generated project wants it", async (tool) => {
    const root = temporaryFolder();
    const config = `.${tool}rc.json`;
    const settings = JSON.parse(readFileSync(path.join(ROOT, "templates", "init", `${config}.hbs`), "utf8")) as object;
    const copies = written.map((file, index) => [`api/${index}.ts`, readFileSync(file, "utf8")] as const);
    writeFiles(root, { [config]: JSON.stringify({ ...settings, ignorePatterns: [] }), ...Object.fromEntries(copies) });
    const words = tool === "oxfmt" ? ["--check", "api"] : ["api"];
    const { status, output } = await runProgram(path.join(ROOT, "node_modules", ".bin", tool), words, { cwd: root });
    expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
    expect(copies.length).toBe(CASES.length);
  });
});
