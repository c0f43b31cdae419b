import { readFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../../../../test/architecture/source-files.ts";
import { compilerHost, ts } from "../../../../test/support/compiler.ts";
import { runProgram } from "../../../../test/support/run-program.ts";
import { temporaryFolder, writeFiles } from "../../../../test/support/temporary-folder.ts";
import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { sourceCases } from "../support/golden-cases.ts";
import { memoryHost } from "../support/memory-host.ts";

const CASES = sourceCases("object", ["object"]);

function generate(root: string, words: readonly string[]): Promise<GenerateResult> {
  return runGenerators({ root, arguments: [...words, "paths=./..."] });
}

describe("the object generator", () => {
  it.each(CASES)("writes the schemas of $name beside their types, and the same a second time", async (each) => {
    const { files, diagnostics } = await generate(each.input, each.arguments);
    expect(renderDiagnostics(diagnostics)).toBe("");
    for (const file of files) await expect(file.content).toMatchFileSnapshot(path.join(each.input, file.path));
    expect(await generate(each.input, each.arguments)).toEqual({ files, diagnostics, stdout: "" });
  });

  it("writes nothing for a package that is not chosen", async () => {
    const each = CASES.find(({ name }) => name === "not-chosen");
    expect((await generate(each?.input ?? "", ["object"])).files).toEqual([]);
  });
});

describe("kinds that look alike", () => {
  it("name their own parts, not those of one another", async () => {
    const source = ["Alpha", "Beta"].map(
      (kind) => `
export interface ${kind}Status { /** text */ conditions?: string[]; observedGeneration?: int64 }
/** +kubebuilder:object:root=true */
export interface ${kind} extends KubernetesObject { status?: ${kind}Status }
`,
    );
    const text = `// +groupName=example.com
// +kubebuilder:object:generate=true
import type { int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
${source.join("")}`;
    const host = memoryHost({ "/project/api/v1/types.ts": text });
    const { files } = await runGenerators({ root: "/project", arguments: ["object", "paths=./..."], host });
    const uses = [...(files[0]?.content ?? "").matchAll(/status: (\w+)\.schema/gu)].map(([, name]) => name);
    expect(uses).toEqual(["AlphaStatusSchema", "BetaStatusSchema"]);
  });
});

describe("what it writes", () => {
  const written = CASES.flatMap(({ input }) => ts.sys.readDirectory(input, [".ts"])).filter((file) =>
    file.endsWith("zz_generated.schema.ts"),
  );

  it("type-checks with the settings of a generated project", { timeout: 120_000 }, () => {
    const template = readFileSync(path.join(ROOT, "templates", "init", "tsconfig.json.hbs"), "utf8");
    const { compilerOptions } = JSON.parse(template) as { readonly compilerOptions: object };
    const settings = { ...compilerOptions, customConditions: ["@kubescaffold/source"] };
    const { options } = ts.parseJsonConfigFileContent({ compilerOptions: settings, files: written }, ts.sys, ROOT);
    const program = ts.createProgram(written, options, compilerHost(options));
    const found = written.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });

  it.each(["oxfmt", "oxlint"])("is as %s of a generated project wants it", async (tool) => {
    const root = temporaryFolder();
    const config = `.${tool}rc.json`;
    const settings = JSON.parse(readFileSync(path.join(ROOT, "templates", "init", `${config}.hbs`), "utf8")) as object;
    const copies = written.map((file, index) => [`api/${index}.ts`, readFileSync(file, "utf8")] as const);
    writeFiles(root, { [config]: JSON.stringify({ ...settings, ignorePatterns: [] }), ...Object.fromEntries(copies) });
    const words = tool === "oxfmt" ? ["--check", "api"] : ["api"];
    const { status, output } = await runProgram(path.join(ROOT, "node_modules", ".bin", tool), words, { cwd: root });
    expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
    expect(copies.length).toBeGreaterThan(4);
  });
});

describe("the output rules", () => {
  let files: Readonly<Record<string, string>>;
  beforeAll(() => {
    const { input } = CASES.find(({ name }) => name === "package-chosen") ?? { input: "" };
    const names = ["groupversion_info.ts", "garden_types.ts", "plant_types.ts"];
    files = Object.fromEntries(
      names.map((name) => [`/project/api/v1/${name}`, readFileSync(path.join(input, "api", "v1", name), "utf8")]),
    );
  });

  async function placed(...rules: readonly string[]): Promise<readonly (readonly [string, string])[]> {
    const result = await runGenerators({
      root: "/project",
      arguments: ["object", "paths=./...", ...rules],
      host: memoryHost(files),
    });
    expect(renderDiagnostics(result.diagnostics)).toBe("");
    return result.files.map(({ path: place, content }) => [
      place,
      /from "(\.[^"]*garden_types\.ts)"/u.exec(content)?.[1] ?? "",
    ]);
  }

  it.each([
    [[], "api/v1/zz_generated.schema.ts", "./garden_types.ts"],
    [["output:object:artifacts:config=config"], "api/v1/zz_generated.schema.ts", "./garden_types.ts"],
    [["output:artifacts:config=config,code=code"], "code/zz_generated.schema.ts", "../api/v1/garden_types.ts"],
    [["output:dir=schemas/all"], "schemas/all/zz_generated.schema.ts", "../../api/v1/garden_types.ts"],
  ])("%j put the file at %s, which imports its types from %s", async (rules, place, imported) => {
    expect(await placed(...rules)).toEqual([[place, imported]]);
  });
});
