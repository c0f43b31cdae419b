import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { ROOT } from "./source-files.ts";

const ENTRY_POINTS = [
  "src/plugin/index.ts",
  "packages/k8s/src/index.ts",
  "packages/k8s/src/yaml/index.ts",
  "packages/k8s/src/tables/index.ts",
  "packages/k8s/src/api/meta/v1.ts",
  "packages/k8s/src/api/admission/v1.ts",
  "packages/schema/src/index.ts",
  "packages/runtime/src/index.ts",
  "packages/apiserver/src/index.ts",
  "packages/envtest/src/index.ts",
];

describe("public entry points", () => {
  it.each(ENTRY_POINTS)("every export of %s has a docstring", (entryPoint) => {
    expect(undocumentedExports(path.join(ROOT, entryPoint))).toEqual([]);
  });

  it.each(ENTRY_POINTS)("%s opens with a paragraph on what it is", (entryPoint) => {
    expect(readFileSync(path.join(ROOT, entryPoint), "utf8").startsWith("/**")).toBe(true);
  });
});

// Follows re-exports by the syntax alone, since checking types would take many times as long.
function undocumentedExports(file: string, wanted?: ReadonlySet<string>): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return undocumentedReExports(file, statement, wanted);
    if (!isExported(statement)) return [];
    const names = namesOf(statement).filter((name) => wanted === undefined || wanted.has(name));
    return hasDocstring(statement) ? [] : names.filter((name) => !isDocumentedElsewhere(source, name));
  });
}

function undocumentedReExports(
  file: string,
  { moduleSpecifier, exportClause }: ts.ExportDeclaration,
  wanted: ReadonlySet<string> | undefined,
): readonly string[] {
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const target = path.join(path.dirname(file), moduleSpecifier.text);
  if (!moduleSpecifier.text.startsWith(".") || !existsSync(target)) return [];
  if (exportClause === undefined || ts.isNamespaceExport(exportClause)) return undocumentedExports(target, wanted);
  const names = exportClause.elements
    .filter(({ name }) => wanted === undefined || wanted.has(name.text))
    .map(({ name, propertyName }) => (propertyName ?? name).text);
  return undocumentedExports(target, new Set(names));
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : ""));
  }
  const { name } = statement as { readonly name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function hasDocstring(statement: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(statement).some((comment) => ts.isJSDoc(comment));
}

// The type and the value of a kind have one name and one text.
function isDocumentedElsewhere(source: ts.SourceFile, name: string): boolean {
  return source.statements.some((statement) => namesOf(statement).includes(name) && hasDocstring(statement));
}
