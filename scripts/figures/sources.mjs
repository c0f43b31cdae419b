// Sizes of the hand-written sources, who imports them, and the interfaces that only carry one function's arguments.
import { builtinModules } from "node:module";
import path from "node:path";

import { ts } from "ts-morph";

import { importsOf, isGenerated, listSources, readSource } from "../../test/architecture/source-files.ts";

const SMALL = 45;

/** Measures all sources; returns the figures of each part and of all, the small files with one importer, and the parameter bags. */
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
  return {
    parts: [...parts.map((part) => figuresOf(part, (file) => partOf(file) === part)), figuresOf("all", () => true)],
    small,
    bags,
  };
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
  const trees = new Map(
    sources.map((file) => [file, ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true)]),
  );
  const uses = new Map();
  const use = (key, kind) => uses.set(key, [...(uses.get(key) ?? []), kind]);
  for (const [file, tree] of trees) {
    const names = namesIn(file, tree);
    visit(tree, (node) => {
      if (!ts.isIdentifier(node) || isDeclaredName(node)) return;
      const key = names.get(node.text);
      if (key !== undefined) use(key, isReExport(node) ? "re-export" : isParameterType(node) ? "parameter" : "other");
    });
  }
  return [...trees].flatMap(([file, tree]) =>
    tree.statements
      .filter((statement) => ts.isInterfaceDeclaration(statement))
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
