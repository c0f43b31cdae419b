import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { ts } from "ts-morph";

/** A name that a module exports, and whether its declaration has a docstring. */
export interface PublicExport {
  readonly name: string;
  readonly isDocumented: boolean;
  /** The public members of an interface or a class without a docstring, as `Name.member`. */
  readonly undocumentedMembers: readonly string[];
}

/** The modules that users import, as paths in the repository. */
export const ENTRY_POINTS: readonly string[] = [
  "src/index.ts",
  "src/plugin/index.ts",
  "packages/platform/src/index.ts",
  "packages/platform/src/clock/index.ts",
  "packages/platform/src/files/index.ts",
  "packages/platform/src/http-server/index.ts",
  "packages/platform/src/processes/index.ts",
  "packages/k8s/src/index.ts",
  "packages/k8s/src/yaml/index.ts",
  "packages/k8s/src/tables/index.ts",
  "packages/k8s/src/tables/schemas.ts",
  "packages/k8s/src/tables/structs/v1-34.ts",
  "packages/k8s/src/tables/structs/v1-35.ts",
  "packages/k8s/src/tables/structs/v1-36.ts",
  "packages/k8s/src/streams/index.ts",
  "packages/k8s/src/spdy/index.ts",
  "packages/k8s/src/api/meta/v1.ts",
  "packages/k8s/src/api/admission/v1.ts",
  "packages/k8s/src/api/apply/meta/v1.ts",
  "packages/schema/src/index.ts",
  "packages/schema/src/cel/index.ts",
  "packages/schema/src/patches.ts",
  "packages/schema/src/structured-merge.ts",
  "packages/schema/src/structs.ts",
  "packages/schema/src/structs/v1-34.ts",
  "packages/schema/src/structs/v1-36.ts",
  "packages/schema/src/structs/v1-37.ts",
  "packages/schema/src/values.ts",
  "packages/generators/src/index.ts",
  "packages/generators/src/arguments/index.ts",
  "packages/generators/src/cache/index.ts",
  "packages/generators/src/descriptions/index.ts",
  "packages/generators/src/diagnostics/index.ts",
  "packages/generators/src/importer/index.ts",
  "packages/generators/src/markers/index.ts",
  "packages/generators/src/run/index.ts",
  "packages/generators/src/typescript/index.ts",
  "packages/runtime/src/index.ts",
  "packages/runtime/src/kubectl-plugin/index.ts",
  "packages/runtime/src/operator-project/index.ts",
  "packages/apiserver/src/index.ts",
  "packages/cluster/src/index.ts",
  "packages/envtest/src/index.ts",
  "packages/envtest/src/chaos/index.ts",
  "packages/dashboard/src/server/index.ts",
  "packages/dashboard/src/server/cluster/index.ts",
  "packages/dashboard/src/server/development/index.ts",
  "packages/envtest/src/descriptions/index.ts",
  "packages/envtest/src/fake-client/index.ts",
  "packages/envtest/src/kube-apiserver/index.ts",
  "packages/envtest/src/matchers/index.ts",
  "packages/envtest/src/rehearse/index.ts",
  "packages/envtest/src/verify/index.ts",
];

/** What one package shows another one and nobody else; it is reviewed like the API of users. */
export const INTERNAL_ENTRY_POINTS: readonly string[] = ["packages/apiserver/src/cluster-api.ts"];

/** Lists what a module exports, following re-exports by the syntax alone, since checking types would take many times as long. */
export function publicExports(file: string, wanted?: ReadonlySet<string>): readonly PublicExport[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return reExports(file, statement, wanted);
    if (!isExported(statement)) return [];
    const names = namesOf(statement).filter((name) => wanted === undefined || wanted.has(name));
    return names.map((name) => ({
      name,
      isDocumented: isDocumented(source, name),
      undocumentedMembers: undocumentedMembers(source, statement),
    }));
  });
}

function reExports(
  file: string,
  { moduleSpecifier, exportClause }: ts.ExportDeclaration,
  wanted: ReadonlySet<string> | undefined,
): readonly PublicExport[] {
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const target = path.join(path.dirname(file), moduleSpecifier.text);
  if (!moduleSpecifier.text.startsWith(".") || !existsSync(target)) return [];
  if (exportClause === undefined) return publicExports(target, wanted);
  if (ts.isNamespaceExport(exportClause)) {
    const prefix = exportClause.name.text;
    return publicExports(target).map((each) => ({ ...each, name: `${prefix}.${each.name}` }));
  }
  const renamed = new Map(
    exportClause.elements
      .filter(({ name }) => wanted === undefined || wanted.has(name.text))
      .map(({ name, propertyName }) => [(propertyName ?? name).text, name.text]),
  );
  return publicExports(target, new Set(renamed.keys())).map((each) => ({
    ...each,
    name: renamed.get(each.name) ?? each.name,
  }));
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

// The type and the value of a kind have one name and one text.
function isDocumented(source: ts.SourceFile, name: string): boolean {
  return source.statements.some((statement) => namesOf(statement).includes(name) && hasDocstring(statement));
}

function hasDocstring(statement: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(statement).some((comment) => ts.isJSDoc(comment));
}

function undocumentedMembers(source: ts.SourceFile, statement: ts.Statement): readonly string[] {
  return publicMembers(statement)
    .filter((member) => !hasDocstring(member))
    .map((member) => `${namesOf(statement)[0] ?? ""}.${member.name?.getText(source) ?? "[index]"}`);
}

// Members of classes that extend or implement others may have the docstrings of those.
function publicMembers(statement: ts.Statement): readonly ts.NamedDeclaration[] {
  if (ts.isInterfaceDeclaration(statement)) return statement.members;
  if (!ts.isClassDeclaration(statement) || statement.heritageClauses !== undefined) return [];
  return statement.members.filter(
    (member) =>
      !ts.isConstructorDeclaration(member) &&
      !(member.name !== undefined && ts.isPrivateIdentifier(member.name)) &&
      !(ts.canHaveModifiers(member) && (ts.getModifiers(member) ?? []).some(({ kind }) => HIDDEN.has(kind))),
  );
}

const HIDDEN: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]);
