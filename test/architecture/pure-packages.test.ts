import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { importsOf, listSources, readSource } from "./source-files.ts";

// What computes and nothing else, of the modules of Node and of packages/platform; types alone are in every module.
const PURE_MODULES: Readonly<Record<string, readonly string[]>> = {
  "packages/k8s/src/": [
    "@kubescaffold/platform",
    // Frames are compressed, and are data of a stream that the caller connects.
    "node:stream",
    "node:zlib",
  ],
  "packages/schema/src/": ["@kubescaffold/platform"],
};

// Compression hands out its data in a later turn of the event loop, which is no time that passes.
const AFTER_A_TURN = "packages/k8s/src/spdy/headers.ts";
const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "performance", "fetch"]);
const MENTION = new RegExp(`\\b(?:process|${[...TIMERS].join("|")})\\b`, "u");

describe.each(Object.entries(PURE_MODULES))("the sources in %s", (folder, pure) => {
  const sources = listSources().filter((file) => file.startsWith(folder));

  it("do no I/O", () => {
    expect(sources.length).toBeGreaterThan(10);
    const impure = sources.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => /^(?:node:|@kubescaffold\/platform(?:\/|$))/u.test(specifier))
        .filter((specifier) => !pure.includes(specifier))
        .filter((specifier) => !isImportedForTypes(file, specifier))
        .filter((specifier) => file !== AFTER_A_TURN || specifier !== "@kubescaffold/platform/clock")
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(impure).toEqual([]);
  });

  it("wait for no time, and ask for nothing of the process", () => {
    expect(sources.flatMap((file) => globalsOf(file).map((name) => `${file} uses ${name}`))).toEqual([]);
  });
});

// One statement of the file, since importing a module twice is an error of the linter.
function isImportedForTypes(file: string, specifier: string): boolean {
  return new RegExp(`^import type [^;]* from "${specifier}";$`, "mu").test(readSource(file));
}

function globalsOf(file: string): readonly string[] {
  if (!MENTION.test(readSource(file))) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isGlobal(node) && (TIMERS.has(node.text) || isProcess(node))) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true));
  return found;
}

// A member or a declaration of that name is another thing.
function isGlobal(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return ts.isCallExpression(parent) && parent.expression === node;
}

function isProcess(node: ts.Identifier): boolean {
  return node.text === "process" && ts.isPropertyAccessExpression(node.parent);
}
