import vm from "node:vm";

import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { ts } from "ts-morph";
import { expect } from "vitest";

import type { CommandResult } from "../support/run-command.ts";

type Files = Readonly<Record<string, string>>;

/** Texts that would run code, add lines, keys, or markers, wherever they are printed as they are. */
export const PAYLOADS: Readonly<Record<string, string>> = {
  "double quotes": 'x.io", z: (globalThis.canary = 1), y: "',
  "single quotes": "x'; globalThis.canary = 1; '",
  backticks: "`; globalThis.canary = 1; `${(globalThis.canary = 1)}",
  "a comment closer": "*/ globalThis.canary = 1; /*",
  "a line break": "x\nglobalThis.canary = 1;\ncanary: true\n//",
  "a carriage return": "x\rglobalThis.canary = 1;\rcanary: true\r//",
  "a line separator": "x\u2028globalThis.canary = 1;//",
  "a paragraph separator": "x\u2029globalThis.canary = 1;//",
  "a backslash": '\\"; globalThis.canary = 1; //\\',
  "a marker": "x\n+kubebuilder:rbac:groups=canary,resources=*,verbs=*\n+groupName=canary.io",
  "a document": "x\n---\ncanary: true\n---\n",
  "a template": "{{#if canary}}{{/if}}{{{canary}}}$(canary)${canary}",
  "a change of direction": "x\u202E*/ globalThis.canary = 1; /*\u2066",
  "half a character": "\uD800*/globalThis.canary = 1;/*\uDFFF",
  "a path": "../../../canary",
};

/** Returns the payloads of some names, as pairs of name and text; all of them without names. */
export function payloads(...names: readonly string[]): readonly (readonly [name: string, text: string])[] {
  return Object.entries(PAYLOADS).filter(([name]) => names.length === 0 || names.includes(name));
}

/** Checks that a command refused its input: with a message that has a code, and no word of a defect. */
export function expectRefused({ status, stderr }: CommandResult, code = /\[[A-Z]+(?:_[A-Z]+)+\]/u): void {
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(code) });
  expect(stderr).not.toContain("something went wrong");
}

/** Checks that a command either refused its input and wrote nothing, or wrote files in which nothing is a payload. */
export async function outcomeOf(
  result: CommandResult,
  { before = {}, made }: { readonly before?: Files; readonly made: Files },
): Promise<"harmless" | "refused"> {
  expect(result.stderr).not.toContain("something went wrong");
  if (result.status === 0) {
    await expectHarmless(made);
    return "harmless";
  }
  expectRefused(result);
  expect(made).toEqual(before);
  return "refused";
}

/** Returns the signs in a text that mean something to a terminal. */
export function terminalSigns(text: string): readonly string[] {
  return text.match(/[^\P{Cc}\t\n]|[\u202A-\u202E\u2066-\u2069]/gu) ?? [];
}

/** Checks that nothing in generated files is a payload: sources are parsed and run, manifests are read. */
export async function expectHarmless(files: Files): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    if (/\.m?[tj]s$/u.test(file)) await expectHarmlessSource(file, text);
    else if (/\.ya?ml$/u.test(file))
      expect({ file, keys: keysIn(readYamlDocuments(text)) }).toEqual({ file, keys: [] });
    else if (/(?:^|\/)(?:Makefile|Dockerfile)$|\.sh$/u.test(file))
      expect({ file, isHarmless: !text.includes("canary") }).toEqual({ file, isHarmless: true });
    else if (file.endsWith(".json"))
      expect({ file, keys: keysIn(ts.parseConfigFileTextToJson(file, text).config) }).toEqual({ file, keys: [] });
  }
}

const harmless = new Set<string>();

// Most sources are the same in all projects; each text is parsed and run once.
async function expectHarmlessSource(file: string, text: string): Promise<void> {
  const key = `${file}\n${text}`;
  if (harmless.has(key)) return;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: file.replace(/\.m?js$/u, ".ts"),
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext },
  });
  const messages = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect({ file, messages, names: namesIn(source), markers: markersIn(text) }).toEqual({
    file,
    messages: [],
    names: [],
    markers: [],
  });
  expect({ file, fired: await fires(outputText) }).toEqual({ file, fired: false });
  harmless.add(key);
}

// Code in functions that no import runs counts, too.
function namesIn(node: ts.Node): readonly string[] {
  const own = ts.isIdentifier(node) && node.text === "canary" ? [node.getText()] : [];
  const below: string[] = [];
  node.forEachChild((child) => void below.push(...namesIn(child)));
  return [...own, ...below];
}

function markersIn(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .filter((line) => /^\s*(?:\/\/|\/?\*+)?\s*\+(?:kubebuilder:rbac:groups=|groupName=)canary/u.test(line));
}

/** Reports whether a program, all of whose imports are stand-ins, sets the canary. */
async function fires(code: string): Promise<boolean> {
  const anything = standIn();
  const globals = { console: anything, process: anything, setTimeout: anything, JSON: anything, __stand_in: anything };
  const context = vm.createContext(globals);
  const program = new vm.Script(
    `(async (require, exports, module) => {${code.replaceAll("import.meta", "__stand_in")}\n})`,
  );
  const run = program.runInContext(context) as Program;
  // Programs may miss what they import; what they did before counts.
  await run(() => anything, {}, { exports: {} }).catch(() => undefined);
  return "canary" in context || "canary" in Object.prototype;
}

type Program = (require: () => unknown, exports: object, module: object) => Promise<void>;

// Can be called, constructed, read, and awaited, and yields itself.
function standIn(): unknown {
  const self: unknown = new Proxy(function constructed() {}, {
    get: (_, key) => {
      if (key === "then") return undefined;
      if (key === Symbol.toPrimitive) return () => "";
      if (key === Symbol.iterator) return () => [][Symbol.iterator]();
      return self;
    },
    has: () => true,
    apply: () => self,
    construct: () => self as object,
  });
  return self;
}

function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => keysIn(each));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [...(key === "canary" ? [key] : []), ...keysIn(each)]);
}
