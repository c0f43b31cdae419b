/** The code of all pages compiles, with the imports that a reader adds, and with `docs-code/fixtures.ts` for what a reader has. */
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { publicExports } from "../architecture/public-exports.ts";
import { listFiles, readSource, ROOT } from "../architecture/source-files.ts";
import { runProgram } from "../support/run-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A block of code of a page. */
interface CodeBlock {
  readonly page: string;
  /** The line of the page before the first line of the code. */
  readonly line: number;
  readonly code: string;
}

/** What the compiler reports of a block, by its index. */
interface Diagnostic {
  readonly index: number;
  readonly line: number;
  readonly text: string;
}

const FIXTURES = path.join(ROOT, "test", "e2e", "docs-code", "fixtures.ts");
// A name of several modules is imported from the first one.
const MODULES: readonly (readonly [name: string, source: string])[] = [
  [FIXTURES, FIXTURES],
  ...[
    ["@kubescaffold/runtime", "runtime/src/index.ts"],
    ["@kubescaffold/k8s", "k8s/src/index.ts"],
    ["@kubescaffold/k8s/meta/v1", "k8s/src/api/meta/v1.ts"],
    ["@kubescaffold/k8s/core/v1", "k8s/src/api/core/v1.ts"],
    ["@kubescaffold/k8s/apps/v1", "k8s/src/api/apps/v1.ts"],
    ["@kubescaffold/k8s/batch/v1", "k8s/src/api/batch/v1.ts"],
    ["@kubescaffold/envtest", "envtest/src/index.ts"],
    ["@kubescaffold/envtest/fake-client", "envtest/src/fake-client/index.ts"],
  ].map(([name = "", file = ""]) => [name, path.join(ROOT, "packages", file)] as const),
  [path.join(ROOT, "src", "plugin", "index.ts"), path.join(ROOT, "src", "plugin", "index.ts")],
];
const OTHER_NAMES = new Map([
  ["expect", 'import { expect } from "vitest";'],
  ["path", 'import path from "node:path";'],
  ["once", 'import { once } from "node:events";'],
]);
// Only the reader's own project has these modules.
const NOT_INSTALLED = ["@opentelemetry/sdk-node"];
const SYNTAX = /^error TS1\d{3}:/u;
const UNKNOWN_NAME = /^error TS(?:2304|2503|2552|2693|18004): .*?'(?<name>[^']+)'/u;
const LINE = /^(?<file>[^(]+)\((?<line>\d+),\d+\): (?<text>error TS.*)$/u;

const blocks = listFiles("")
  .filter((file) => /^(?:[^/]+|(?:docs|examples|packages|plugins)\/.*)\.md$/u.test(file) && file !== "CHANGELOG.md")
  .filter((file) => !/\/(?:test|templates)\//u.test(file))
  .flatMap(codeBlocksOf);

// What projects set on top of `strict`; the settings of new projects are among them.
const SETTINGS: readonly Readonly<Record<string, boolean>>[] = [
  {},
  { noUncheckedIndexedAccess: true },
  { noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true },
];

describe("the code of the pages", () => {
  it("compiles", { timeout: 300_000 }, async () => {
    expect(blocks.length).toBeGreaterThan(100);
    const folder = temporaryFolder();
    await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const texts = await complete(folder, blocks.map(withFixtures));
    for (const settings of SETTINGS) {
      const diagnostics = await compile(folder, texts, settings);
      const messages = diagnostics.map(({ index, line, text }) => {
        const { page = "", line: start = 0 } = blocks[index] ?? {};
        return `${page}:${String(start + line)} ${text}`;
      });
      expect({ settings, messages }).toEqual({ settings, messages: [] });
    }
  });
});

function codeBlocksOf(page: string): readonly CodeBlock[] {
  const found = readSource(page).matchAll(/^(?<indent>[ \t]*)```ts\n(?<code>[\s\S]*?)^[ \t]*```$/gmu);
  return [...found].map(({ groups = {}, index, input }) => ({
    page,
    line: input.slice(0, index).split("\n").length,
    code: (groups["code"] ?? "").replaceAll(new RegExp(`^${groups["indent"] ?? ""}`, "gmu"), ""),
  }));
}

// Completes blocks that are members of a class, and then the imports.
async function complete(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const broken = (await compile(folder, texts)).filter(({ text }) => SYNTAX.test(text));
  const members = new Set(broken.map(({ index }) => index));
  const whole = texts.map((text, index) => (members.has(index) ? asMembers(text) : text));
  const unknown = (await compile(folder, whole)).flatMap(({ index, text }) => {
    const name = UNKNOWN_NAME.exec(text)?.groups?.["name"];
    return name === undefined ? [] : [{ index, name }];
  });
  return whole.map((text, index) => {
    const names = new Set(unknown.filter((each) => each.index === index).map(({ name }) => name));
    // The name is also that of a global class.
    if (/\bRequest\b/u.test(text) && !/\bRequest\b[^}]*\} from/u.test(text)) names.add("Request");
    return [text, ...[...names].flatMap(importOf)].join("\n");
  });
}

// What a page imports from files of a project is in the fixtures, and what a method has is there without `this`.
function withFixtures({ code }: CodeBlock): string {
  const text = code.replaceAll(/(?<=from )"\.{1,2}\/[^"]+"/gu, JSON.stringify(FIXTURES));
  return /^\s*(?:export )?class /mu.test(text) || /^ {2}async /mu.test(text)
    ? text
    : text.replaceAll("this.client", "client");
}

function asMembers(code: string): string {
  return `abstract class Part extends (await import(${JSON.stringify(FIXTURES)})).GuestbookReconciler { ${code}}`;
}

async function compile(
  folder: string,
  texts: readonly string[],
  settings: Readonly<Record<string, boolean>> = {},
): Promise<readonly Diagnostic[]> {
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleDetection: "force",
    types: ["node"],
    allowImportingTsExtensions: true,
    strict: true,
    ...settings,
    skipLibCheck: true,
    noEmit: true,
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  await Promise.all(texts.map(async (text, index) => await writeFile(path.join(folder, `${String(index)}.ts`), text)));
  const compiler = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { output } = await runProgram(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { cwd: folder });
  return output.split("\n").flatMap((each) => {
    const { file = "", line = "", text = "" } = LINE.exec(each)?.groups ?? {};
    const index = Number(/^(?<index>\d+)\.ts$/u.exec(file)?.groups?.["index"] ?? Number.NaN);
    const isExpected = NOT_INSTALLED.some((name) => text.includes(`'${name}'`));
    return Number.isNaN(index) || isExpected ? [] : [{ index, line: Number(line), text }];
  });
}

const exported = MODULES.map(([name, source]) => ({
  name,
  names: new Set(publicExports(source).map((each) => each.name.split(".", 1)[0])),
}));

function importOf(name: string): readonly string[] {
  const other = OTHER_NAMES.get(name);
  if (other !== undefined) return [other];
  const module = exported.find(({ names }) => names.has(name));
  return module === undefined ? [] : [`import { ${name} } from ${JSON.stringify(module.name)};`];
}
