// Sizes of the hand-written sources, who imports them, and the interfaces that only carry one function's arguments.
import { builtinModules } from "node:module";
import path from "node:path";

import { ts } from "ts-morph";

import { importsOf, isGenerated, listSources, readSource } from "../../test/architecture/source-files.ts";

const SMALL = 45;

/** Measures all sources; returns the sizes of each part and of all, the small files with one importer, the parameter bags, and the figures by their names. */
export function measureSources() {
  const sources = listSources().filter((file) => !isGenerated(file));
  const importers = importersOf(sources);
  const lines = new Map(sources.map((file) => [file, readSource(file).split("\n").length - 1]));
  const withOne = sources.filter((file) => importers.get(file)?.size === 1);
  const small = withOne.filter((file) => lines.get(file) <= SMALL);
  const bags = parameterBags(sources);
  const figuresOf = (part, isPart) => ({
    part,
    ...sizesOf(sources.filter(isPart).map((file) => lines.get(file))),
    oneImporter: withOne.filter(isPart).length,
    smallOnes: small.filter(isPart).length,
    bagCount: bags.filter(isPart).length,
  });
  const parts = [...new Set(sources.map(partOf))];
  const all = figuresOf("all", () => true);
  return {
    parts: [...parts.map((part) => figuresOf(part, (file) => partOf(file) === part)), all],
    small,
    bags,
    figures: namedFigures(sources, all),
  };
}

function namedFigures(sources, { files, median, p90, max, oneImporter, smallOnes, bagCount }) {
  const functions = sizesOf(sources.flatMap((file) => functionLengths(treeOf(file))));
  const imports = sizesOf(sources.filter((file) => !isEntryPoint(file)).map((file) => importsOf(file).length));
  const ofHundred = (count) => Math.round((count / files) * 1000) / 10;
  return {
    "lines of a file, median": median,
    "lines of a file, 90th percentile": p90,
    "lines of the longest file": max,
    "lines of a function, median": functions.median,
    "lines of the longest function": functions.max,
    "imports of a file, median": imports.median,
    "imports of a file, most; entry points do not count": imports.max,
    "files with one importer, of 100": ofHundred(oneImporter),
    "files with one importer and at most 45 lines, of 100": ofHundred(smallOnes),
    "interfaces that carry the arguments of one function, of 100 files": ofHundred(bagCount),
  };
}

function isEntryPoint(file) {
  return path.posix.basename(file) === "index.ts" || file === "packages/apiserver/src/cluster-api.ts";
}

// Without blank lines and comments, as the linter counts.
function functionLengths(tree) {
  const lengths = [];
  visit(tree, (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) lengths.push(codeLines(node.getText(tree)));
  });
  return lengths;
}

function codeLines(text) {
  return text.split("\n").filter((line) => !/^\s*(?:\/\/.*|\/?\*.*)?$/u.test(line)).length;
}

const trees = new Map();

function treeOf(file) {
  const tree = trees.get(file) ?? ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

function partOf(file) {
  const [first, second] = file.split("/");
  return first === "packages" || first === "src" ? path.posix.dirname(`${first}/${second}/-`) : first;
}

function sizesOf(lines) {
  const sorted = lines.toSorted((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { files: sorted.length, median: at(0.5), p90: at(0.9), max: sorted.at(-1) ?? 0 };
}

function importersOf(sources) {
  const importers = new Map(sources.map((file) => [file, new Set()]));
  for (const file of sources) for (const target of targetsOf(file)) importers.get(target)?.add(file);
  return importers;
}

function targetsOf(file) {
  return importsOf(file)
    .filter((specifier) => !builtinModules.includes(specifier))
    .flatMap((specifier) => resolve(file, specifier) ?? []);
}

function resolve(file, specifier) {
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
}

/** Lists the interfaces whose only use is as the type of one parameter, in the file itself or in the one file that imports it, as `file: name`. */
function parameterBags(sources) {
  const uses = new Map();
  const use = (key, kind) => uses.set(key, [...(uses.get(key) ?? []), kind]);
  for (const file of sources) {
    const tree = treeOf(file);
    const names = namesIn(file, tree);
    visit(tree, (node) => {
      if (!ts.isIdentifier(node) || isDeclaredName(node)) return;
      const key = names.get(node.text);
      if (key !== undefined) use(key, isReExport(node) ? "re-export" : isParameterType(node) ? "parameter" : "other");
    });
  }
  return sources.flatMap((file) =>
    treeOf(file)
      .statements.filter((statement) => ts.isInterfaceDeclaration(statement))
      .map(({ name }) => `${file}: ${name.text}`)
      .filter((key) => uses.get(key)?.length === 1 && uses.get(key)[0] === "parameter"),
  );
}

// The interfaces that a file declares or imports, by the name they have in it.
function namesIn(file, tree) {
  const names = new Map();
  for (const statement of tree.statements) {
    if (ts.isInterfaceDeclaration(statement)) names.set(statement.name.text, `${file}: ${statement.name.text}`);
    const isLink = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    if (!isLink || statement.moduleSpecifier === undefined) continue;
    const target = resolve(file, statement.moduleSpecifier.text);
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    if (target === undefined || bindings?.elements === undefined) continue;
    for (const { name, propertyName } of bindings.elements)
      names.set(name.text, `${target}: ${(propertyName ?? name).text}`);
  }
  return names;
}

function isDeclaredName(node) {
  const { parent } = node;
  return (ts.isInterfaceDeclaration(parent) && parent.name === node) || ts.isImportSpecifier(parent);
}

function isReExport(node) {
  return ts.isExportSpecifier(node.parent);
}

function isParameterType(node) {
  return ts.isTypeReferenceNode(node.parent) && ts.isParameter(node.parent.parent);
}

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
