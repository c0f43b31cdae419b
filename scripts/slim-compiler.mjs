// The compiler inside of ts-morph is one function with an editor and a server in it. Here it becomes a module whose
// declarations say that they do nothing by themselves, so that a bundler keeps those alone that are asked for: about a sixth.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { ts } from "ts-morph";

const OPENING = '((module) => {\n"use strict";\n';
const CLOSING = "0 && (module.exports = {";

// They stand for types, symbols and the like, which only a type checker makes, and lead to all of the editor's services.
const CHECKERS_OWN = /^get(?:Symbol|Type|Signature|SourceMapSource)Constructor$/;

// What the variables of the environment switch on is for those who develop the compiler. It alone would need the disk, whose modules of Node take
// longer to load than the compiler itself: our sources pass their own.
const SYSTEM_IN_USE = "if (sys && sys.";

/** Returns the names that sources of ours, in any of the folders, take from the compiler. */
export function namesOfCompiler(folders) {
  const names = folders
    .flatMap(sourcesIn)
    .filter((text) => text.includes('from "ts-morph"'))
    .flatMap((text) => [...text.matchAll(/\bts\.(\w+)/g)].map(([, name = ""]) => name));
  return Array.from(new Set(names)).filter((name) => name in ts);
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"));
}

/** Returns a plugin of esbuild that bundles a library under the name `compiler`: the slim compiler, unless `contents` has another text. */
export function compilerPlugin(names, contents = () => slimCompiler(names)) {
  return {
    name: "compiler",
    setup(context) {
      context.onResolve({ filter: /^compiler$/ }, () => ({ path: compilerFile() }));
      // It would load them to measure how long it takes itself.
      context.onResolve({ filter: /^perf_hooks$/ }, () => ({ path: "perf_hooks", namespace: "nothing" }));
      context.onLoad({ filter: /^/, namespace: "nothing" }, () => ({ contents: "module.exports = {};", loader: "js" }));
      context.onLoad({ filter: /[\\/]typescript\.js$/ }, () => ({ contents: contents(), loader: "js" }));
    },
  };
}

/** Returns the text of a module that exports the named part of the library `compiler` as `ts`. */
export function compilerModule(names) {
  return `import { ${names.join(", ")} } from "compiler"; export const ts = { ${names.join(", ")} };`;
}

/** Returns the path of the compiler. */
export function compilerFile() {
  const common = createRequire(createRequire(import.meta.url).resolve("ts-morph")).resolve("@ts-morph/common");
  return path.join(path.dirname(common), "typescript.js");
}

/** Returns the compiler as the text of a module that exports the given names. Throws when its source has another form than expected. */
export function slimCompiler(names, source = readFileSync(compilerFile(), "utf8")) {
  const text = innerText(source);
  const options = { languageVersion: ts.ScriptTarget.ES2023, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const file = ts.createSourceFile("typescript.js", text, options, false, ts.ScriptKind.JS);
  const rewriter = new Rewriter(file);
  const lines = rewriter.rewrite();
  const exported = names.map((name) => `${rewriter.exported(name)} as ${name}`);
  return `${messagesByName(lines.join("\n"))}\nexport { ${exported.join(", ")} };\n`;
}

function innerText(text) {
  const start = text.indexOf(OPENING);
  const end = text.lastIndexOf(CLOSING);
  if (start < 0 || end < start) throw changed("how it begins or ends");
  return text.slice(start + OPENING.length, end);
}

// Of two thousand messages a parser has a few hundred: each gets its own name.
function messagesByName(text) {
  return text.replaceAll(/\bDiagnostics\.(?=\w)/g, "Diagnostics_");
}

/** Rewrites the statements at the top of the compiler, one after the other. */
class Rewriter {
  #file;
  #rest;
  #exports = new Map();
  #isWithoutSystem = false;

  constructor(file) {
    this.#file = file;
    this.#rest = [...file.statements];
  }

  rewrite() {
    const lines = [];
    while (this.#rest.length > 0) lines.push(...this.#rewriteNext());
    if (!lines.some((line) => line.startsWith("function getServicesObjectAllocator()")))
      throw changed("the constructors of nodes");
    if (!this.#isWithoutSystem) throw changed("what it sets by the variables of the environment");
    return lines;
  }

  exported(name) {
    const own = this.#exports.get(name);
    if (own === undefined) throw changed(`the export ${name}`);
    return own;
  }

  #rewriteNext() {
    const statement = this.#rest.shift();
    if (ts.isVariableStatement(statement)) return this.#rewriteVariable(statement);
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === "getServicesObjectAllocator")
      return [this.#withoutCheckers(statement)];
    const text = this.#textOf(statement);
    if (text.startsWith(SYSTEM_IN_USE)) {
      this.#isWithoutSystem = true;
      return [];
    }
    // What an editor offers registers itself.
    return /^(?:registerCodeFix|registerRefactor|module\.exports)\b/.test(text) ? [] : [text];
  }

  #rewriteVariable(statement) {
    const { declarations } = statement.declarationList;
    const [{ name, initializer }] = declarations;
    if (declarations.length !== 1) throw changed(`the declaration of ${name.getText(this.#file)}`);
    const variable = name.getText(this.#file);
    if (variable === "typescript_exports") return this.#readExports();
    if (variable === "Diagnostics") return this.#rewriteMessages(initializer);
    const value = initializer === undefined ? undefined : this.#textOf(initializer);
    const more = this.#takeWhatCompletes(variable);
    if (more.length === 0) return [value === undefined ? `var ${variable};` : `var ${variable} = ${pure(value)};`];
    const begin = value === undefined ? `var ${variable};` : `var ${variable} = ${value};`;
    return [`var ${variable} = /* @__PURE__ */ (() => { ${begin}\n${more.join("\n")}\nreturn ${variable}; })();`];
  }

  // Right behind a declaration stand its static members, the members of a namespace, or what a namespace exports.
  #takeWhatCompletes(variable) {
    const taken = [];
    const isOwn = (text) =>
      text.startsWith(`__export(${variable},`) ||
      text.startsWith(`${variable}.`) ||
      text.endsWith(`})(${variable} || (${variable} = {}));`);
    while (this.#rest.length > 0 && ts.isExpressionStatement(this.#rest[0]) && isOwn(this.#textOf(this.#rest[0])))
      taken.push(this.#textOf(this.#rest.shift()));
    return taken;
  }

  #readExports() {
    const call = this.#rest.shift()?.expression;
    if (call === undefined || !ts.isCallExpression(call) || call.arguments[1]?.properties === undefined)
      throw changed("what it exports");
    for (const { name, initializer } of call.arguments[1].properties)
      this.#exports.set(name.text, this.#textOf(initializer.body));
    return [];
  }

  #rewriteMessages(initializer) {
    return initializer.properties.map(
      (each) => `var Diagnostics_${each.name.text} = /* @__PURE__ */ ${this.#textOf(each.initializer)};`,
    );
  }

  #withoutCheckers(declaration) {
    const { properties } = declaration.body.statements[0].expression;
    const kept = properties.filter(({ name }) => !CHECKERS_OWN.test(name.text));
    if (kept.length === properties.length) throw changed("the constructors of nodes");
    return `function getServicesObjectAllocator() { return { ${kept.map((each) => this.#textOf(each)).join(", ")} }; }`;
  }

  #textOf(node) {
    return this.#file.text.slice(node.getStart(this.#file), node.end);
  }
}

// A bundler does not look into what is marked as pure, such as for the getter that a property may be.
function pure(expression) {
  return `/* @__PURE__ */ (() => (${expression}))()`;
}

function changed(what) {
  return new Error(`the compiler inside of ts-morph is not what it was: see ${what} in scripts/slim-compiler.mjs`);
}
