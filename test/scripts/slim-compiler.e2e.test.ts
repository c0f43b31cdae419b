import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";
import { ts } from "ts-morph";
import { beforeAll, describe, expect, it } from "vitest";

import { listSources, ROOT } from "../architecture/source-files.ts";
import { runSuccessfully } from "../support/run-program.ts";

const SCRIPT = pathToFileURL(path.join(ROOT, "scripts", "slim-compiler.mjs")).href;

interface SlimCompiler {
  readonly compilerFile: () => string;
  readonly namesOfCompiler: (folders: readonly string[]) => readonly string[];
  readonly slimCompiler: (names: readonly string[], source?: string) => string;
}

const SMALL_COMPILER = [
  "((module) => {",
  '"use strict";',
  "var typescript_exports = {};",
  "__export(typescript_exports, { read: () => parse, other: () => parse });",
  "function parse() { return Diagnostics.first; }",
  "var Diagnostics = { first: diag(1) };",
  "var sys = (() => { return nodeSystem(); })();",
  "if (sys && sys.getEnvironmentVariable) { setLevel(sys.getEnvironmentVariable('LEVEL')); }",
  "function getServicesObjectAllocator() { return { getNodeConstructor: () => 1, getTypeConstructor: () => 2 }; }",
  "0 && (module.exports = { read });",
].join("\n");

type Compiler = typeof ts;
type Parsed = ts.SourceFile & { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] };

let slim: Compiler;
let text = "";

// As the build makes it: what is named, bundled into one script.
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-"));
  const program = `import { namesOfCompiler, slimCompiler } from ${JSON.stringify(SCRIPT)};
    import { writeFileSync } from "node:fs";
    writeFileSync("compiler.mjs", slimCompiler(namesOfCompiler(${JSON.stringify([path.join(ROOT, "src"), path.join(ROOT, "packages", "generators", "src")])})));`;
  await runSuccessfully(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
  const outfile = path.join(folder, "compiler.cjs");
  const entryPoints = [path.join(folder, "compiler.mjs")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs", minifySyntax: true });
  text = readFileSync(outfile, "utf8");
  slim = createRequire(import.meta.url)(outfile) as Compiler;
  rmSync(folder, { recursive: true });
}, 120_000);

// All of a tree that a reader of it can see, as text.
function outlineOf(compiler: Compiler, name: string, text: string): string {
  const options = { languageVersion: ts.ScriptTarget.ES2023, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const file = compiler.createSourceFile(name, text, options, true, ts.ScriptKind.TS) as Parsed;
  const lines: string[] = [];
  const visit = (node: ts.Node, depth: number): void => {
    lines.push(
      `${" ".repeat(depth)}${node.kind} ${node.getStart()} ${node.end} ${node.flags} ${textOf(compiler, node)}`,
    );
    for (const { pos, end, kind } of compiler.getLeadingCommentRanges(text, node.pos) ?? [])
      lines.push(`comment ${pos} ${end} ${kind}`);
    node.forEachChild((child) => visit(child, depth + 1));
  };
  visit(file, 0);
  const errors = file.parseDiagnostics.map(({ start, length, code, messageText }) => {
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    return `${line} ${character} ${length} ${code} ${compiler.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  return [...lines, ...errors].join("\n");
}

function textOf(compiler: Compiler, node: ts.Node): string {
  return compiler.isIdentifier(node) || compiler.isStringLiteralLike(node) ? node.text : "";
}

describe("the compiler that the program is built with", () => {
  it("is built from a source of the form it expects alone", async () => {
    const { slimCompiler } = (await import(SCRIPT)) as SlimCompiler;
    const compiler = slimCompiler(["read"], SMALL_COMPILER);
    expect(compiler).toContain("export { parse as read };");
    expect(compiler).not.toContain("setLevel");
  });

  it.each([
    ["another beginning", "((module) => {", "((exports) => {"],
    ["another end", "0 && (module.exports = {", "module.exports = ({"],
    ["another list of exports", "__export(typescript_exports, {", "__export(typescript_exports);({"],
    ["no export of a name that we use", "read: () => parse, ", ""],
    ["two variables in one declaration", "var typescript_exports = {};", "var typescript_exports = {}, other = 1;"],
    ["other constructors", "getTypeConstructor: () => 2", "typeConstructor: () => 2"],
    ["no constructors", "getServicesObjectAllocator", "getAllocator"],
    ["another use of the system", "if (sys && sys.", "if (system && sys."],
  ])("is not built from a source with %s", async (_, from, to) => {
    const { slimCompiler } = (await import(SCRIPT)) as SlimCompiler;
    expect(SMALL_COMPILER).toContain(from);
    expect(() =>
      slimCompiler(
        ["read"],
        SMALL_COMPILER.replace(from, () => to),
      ),
    ).toThrow(/the compiler inside of ts-morph is not what it was/u);
  });

  it("is a small part of the whole one", () => {
    expect(text.length).toBeLessThan(2_000_000);
  });

  it("loads no module of Node, since our sources pass their own disk", () => {
    // The build leaves the clock of Node out.
    const names = [...text.matchAll(/\brequire\("(?<name>[\w:/]+)"\)/gu)].map(({ groups }) => groups?.["name"]);
    expect(names.filter((name) => name !== "perf_hooks")).toEqual([]);
  });

  it("parses sources as the whole one does", () => {
    for (const file of listSources().filter((_, index) => index % 5 === 0)) {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      expect([file, outlineOf(slim, file, text) === outlineOf(ts, file, text)]).toEqual([file, true]);
    }
  });

  it("finds the same errors in what does not parse", () => {
    const text = readFileSync(path.join(ROOT, "packages/generators/src/loader/read-file.ts"), "utf8");
    for (let cut = 101; cut < text.length; cut += 1009) {
      const broken = [
        text.slice(0, cut),
        text.slice(cut),
        `${text.slice(0, cut)} @( \`\${ class 1 ${text.slice(cut + 9)}`,
      ];
      for (const each of broken) expect(outlineOf(slim, "a.ts", each)).toBe(outlineOf(ts, "a.ts", each));
    }
  });

  it("resolves modules and reads configurations as the whole one does", () => {
    const host: ts.ModuleResolutionHost = {
      fileExists: (each) => existsSync(each),
      readFile: (each) => ts.sys.readFile(each),
      realpath: (each) => each,
    };
    const parse = (compiler: Compiler): unknown => {
      const file = path.join(ROOT, "tsconfig.test.json");
      const source = compiler.readJsonConfigFile(file, (each) => ts.sys.readFile(each));
      const { options, fileNames, errors } = compiler.parseJsonSourceFileConfigFileContent(source, ts.sys, ROOT);
      return { options: { ...options, configFile: undefined }, fileNames, errors: errors.map(({ code }) => code) };
    };
    expect(parse(slim)).toEqual(parse(ts));
    const modules = [
      "vitest",
      "./source-commit.test.ts",
      "@kubescaffold/k8s/yaml",
      "nowhere",
      "../support/run-program.js",
    ];
    for (const moduleResolution of [ts.ModuleResolutionKind.NodeNext, ts.ModuleResolutionKind.Bundler]) {
      const options = { moduleResolution, module: ts.ModuleKind.NodeNext };
      for (const name of modules) {
        const resolve = (compiler: Compiler): unknown =>
          compiler.resolveModuleName(name, path.join(ROOT, "test/scripts/a.ts"), options, host).resolvedModule;
        expect([name, resolve(slim)]).toEqual([name, resolve(ts)]);
      }
    }
  });
});
