import { ts } from "ts-morph";

import { readCommentsAbove, readMarkersBetween } from "./comment-groups.ts";
import type { ParsedSource } from "./parse-source.ts";
import { readClassMembers, readMembers, readTypeExpression } from "./read-type-expression.ts";
import type { ImportedName, SourceContents } from "./source-contents.ts";
import type {
  ConstantValue,
  Declaration,
  EnumMember,
  MarkerComment,
  NodeComments,
  SourceLocation,
  TypeExpression,
  TypeParameter,
} from "./type-model.ts";

/** Reads a parsed source: declarations of types, constants, imports, exports, and all marker comments. */
export function readFile(source: ParsedSource): SourceContents {
  const reader = new FileReader(source);
  for (const statement of source.file.statements) reader.readStatement(statement);
  return reader.finish();
}

class FileReader {
  readonly #source: ParsedSource;
  readonly #declarations = new Map<string, Declaration>();
  readonly #constants = new Map<string, ConstantValue>();
  readonly #kindCalls = new Map<string, SourceLocation>();
  readonly #imports = new Map<string, ImportedName>();
  readonly #exports = new Map<string, { readonly module: string | undefined; readonly name: string }>();
  readonly #exportedModules: string[] = [];
  readonly #markers: MarkerComment[] = [];

  constructor(source: ParsedSource) {
    this.#source = source;
  }

  readStatement(statement: ts.Statement): void {
    const { own, farther, trailing } = readCommentsAbove(this.#source, statement);
    this.#markers.push(...farther);
    this.#source.strays.push(...trailing);
    if (ts.isInterfaceDeclaration(statement)) return this.#addInterface(statement, own);
    if (ts.isTypeAliasDeclaration(statement)) return this.#addAlias(statement, own);
    if (ts.isClassDeclaration(statement) && statement.name !== undefined)
      return this.#addClass(statement, statement.name, own);
    if (ts.isEnumDeclaration(statement)) return this.#addEnum(statement, own);
    this.#markers.push(...own.markers);
    if (ts.isVariableStatement(statement)) this.#addConstants(statement);
    if (ts.isImportDeclaration(statement)) this.#addImports(statement);
    if (ts.isExportDeclaration(statement)) this.#addExports(statement);
    if (ts.isExportAssignment(statement)) this.#addDefaultExport(statement);
    return undefined;
  }

  finish(): SourceContents {
    const { endOfFileToken } = this.#source.file;
    const last = readMarkersBetween(this.#source, endOfFileToken.pos, endOfFileToken.end);
    return {
      path: this.#source.path,
      declarations: this.#nameExported(),
      constants: this.#constants,
      definedKinds: this.#kindCalls,
      imports: this.#imports,
      exports: this.#exports,
      exportedModules: this.#exportedModules,
      markers: [...this.#markers, ...last],
      strayMarkers: this.#source.strays,
    };
  }

  #addInterface(node: ts.InterfaceDeclaration, comments: NodeComments): void {
    const type: TypeExpression = {
      kind: "object",
      extends: this.#readHeritage(node.heritageClauses),
      ...readMembers(this.#source, node.members, node.end),
      location: this.#locate(node.name),
    };
    const known = this.#declarations.get(node.name.text);
    if (known?.shape.kind === "type" && known.shape.type.kind === "object" && known.shape.form === "interface") {
      this.#declarations.set(node.name.text, mergeInterfaces(known, type, comments));
    } else {
      this.#add(node, comments, { kind: "type", form: "interface", type });
    }
  }

  #addAlias(node: ts.TypeAliasDeclaration, comments: NodeComments): void {
    this.#add(node, comments, { kind: "type", form: "alias", type: readTypeExpression(this.#source, node.type) });
  }

  #addClass(node: ts.ClassDeclaration, name: ts.Identifier, comments: NodeComments): void {
    const { markers, ...members } = readClassMembers(this.#source, node.members, node.end);
    this.#markers.push(...markers);
    const heritage = node.heritageClauses?.filter((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword);
    const type: TypeExpression = {
      kind: "object",
      extends: this.#readHeritage(heritage),
      ...members,
      location: this.#locate(name),
    };
    this.#add({ name, modifiers: node.modifiers, typeParameters: node.typeParameters }, comments, {
      kind: "type",
      form: "class",
      type,
    });
  }

  #addEnum(node: ts.EnumDeclaration, comments: NodeComments): void {
    let next: number | undefined = 0;
    const members: EnumMember[] = [];
    for (const member of node.members) {
      const value: string | number | undefined =
        member.initializer === undefined ? next : readEnumValue(member.initializer);
      next = typeof value === "number" ? value + 1 : undefined;
      const name =
        ts.isIdentifier(member.name) || ts.isStringLiteral(member.name)
          ? member.name.text
          : member.name.getText(this.#source.file);
      members.push({ name, value, location: this.#locate(member.name) });
    }
    this.#add({ name: node.name, modifiers: node.modifiers }, comments, { kind: "enum", members });
  }

  #add(
    node: {
      readonly name: ts.Identifier;
      readonly modifiers?: ts.NodeArray<ts.ModifierLike> | undefined;
      readonly typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration> | undefined;
    },
    comments: NodeComments,
    shape: Declaration["shape"],
  ): void {
    const name = node.name.text;
    const has = (kind: ts.SyntaxKind): boolean => node.modifiers?.some((modifier) => modifier.kind === kind) === true;
    if (has(ts.SyntaxKind.ExportKeyword))
      this.#exports.set(has(ts.SyntaxKind.DefaultKeyword) ? "default" : name, { module: undefined, name });
    this.#declarations.set(name, {
      id: `${this.#source.path}#${name}`,
      file: this.#source.path,
      name,
      exportName: undefined,
      parameters: (node.typeParameters ?? []).map((parameter) => this.#readParameter(parameter)),
      comments,
      location: this.#locate(node.name),
      shape,
    });
  }

  #readParameter(parameter: ts.TypeParameterDeclaration): TypeParameter {
    const type = parameter.default;
    return {
      name: parameter.name.text,
      default: type === undefined ? undefined : readTypeExpression(this.#source, type),
    };
  }

  #readHeritage(clauses: readonly ts.HeritageClause[] | undefined): readonly TypeExpression[] {
    return (clauses ?? []).flatMap((clause) => clause.types.map((type) => readTypeExpression(this.#source, type)));
  }

  #addConstants(statement: ts.VariableStatement): void {
    for (const { name, initializer } of statement.declarationList.declarations) {
      const kind = initializer === undefined ? undefined : definedKind(initializer);
      if (kind !== undefined) this.#kindCalls.set(kind.text, this.#locate(kind));
      if (!ts.isIdentifier(name) || initializer === undefined || !isConstant(initializer)) continue;
      this.#constants.set(name.text, readConstant(initializer));
    }
  }

  #addImports(node: ts.ImportDeclaration): void {
    if (!ts.isStringLiteral(node.moduleSpecifier) || node.importClause === undefined) return;
    const module = node.moduleSpecifier.text;
    const { name, namedBindings } = node.importClause;
    if (name !== undefined) this.#imports.set(name.text, { module, name: "default" });
    if (namedBindings === undefined) return;
    if (ts.isNamespaceImport(namedBindings)) this.#imports.set(namedBindings.name.text, { module, name: "*" });
    else
      for (const each of namedBindings.elements)
        this.#imports.set(each.name.text, { module, name: (each.propertyName ?? each.name).text });
  }

  #addExports(node: ts.ExportDeclaration): void {
    const module =
      node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
        ? node.moduleSpecifier.text
        : undefined;
    const { exportClause } = node;
    if (exportClause === undefined) {
      if (module !== undefined) this.#exportedModules.push(module);
    } else if (ts.isNamedExports(exportClause)) {
      for (const each of exportClause.elements)
        this.#exports.set(each.name.text, { module, name: (each.propertyName ?? each.name).text });
    } else {
      this.#exports.set(exportClause.name.text, { module, name: "*" });
    }
  }

  #addDefaultExport({ expression, isExportEquals }: ts.ExportAssignment): void {
    if (isExportEquals !== true && ts.isIdentifier(expression))
      this.#exports.set("default", { module: undefined, name: expression.text });
  }

  // A declaration may be exported by its own statement, and under several names.
  #nameExported(): ReadonlyMap<string, Declaration> {
    for (const [exportName, { module, name }] of this.#exports) {
      const declaration = module === undefined ? this.#declarations.get(name) : undefined;
      if (declaration !== undefined && declaration.exportName !== name)
        this.#declarations.set(name, { ...declaration, exportName });
    }
    return this.#declarations;
  }

  #locate(node: ts.Node): Declaration["location"] {
    return this.#source.locate(node.getStart(this.#source.file), node.end);
  }
}

function mergeInterfaces(known: Declaration, added: TypeExpression, comments: NodeComments): Declaration {
  if (known.shape.kind !== "type" || known.shape.type.kind !== "object" || added.kind !== "object") return known;
  const type: TypeExpression = {
    ...known.shape.type,
    extends: [...known.shape.type.extends, ...added.extends],
    properties: [...known.shape.type.properties, ...added.properties],
  };
  const merged: NodeComments = {
    description: known.comments.description === "" ? comments.description : known.comments.description,
    markers: [...known.comments.markers, ...comments.markers],
  };
  return { ...known, comments: merged, shape: { ...known.shape, type } };
}

function isConstant(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression) || ts.isSatisfiesExpression(expression))
    return isConstant(expression.expression);
  return (
    ts.isAsExpression(expression) &&
    ts.isTypeReferenceNode(expression.type) &&
    ts.isIdentifier(expression.type.typeName) &&
    expression.type.typeName.text === "const"
  );
}

function readEnumValue(expression: ts.Expression): string | number | undefined {
  const constant = readConstant(expression);
  if (constant.kind !== "literal") return undefined;
  return typeof constant.value === "string" || typeof constant.value === "number" ? constant.value : undefined;
}

/** Reads the value of an expression that consists of literals; anything else in it is of kind `other`. */
function readConstant(expression: ts.Expression): ConstantValue {
  if (isWrapper(expression)) return readConstant(expression.expression);
  if (ts.isStringLiteralLike(expression)) return literal(expression.text);
  if (ts.isNumericLiteral(expression)) return literal(Number(expression.text));
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return literal(true);
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return literal(false);
  if (expression.kind === ts.SyntaxKind.NullKeyword) return literal(null);
  if (ts.isPrefixUnaryExpression(expression)) return readNegative(expression);
  if (ts.isArrayLiteralExpression(expression))
    return { kind: "list", items: expression.elements.map((each) => readConstant(each)) };
  if (ts.isObjectLiteralExpression(expression)) return readRecord(expression);
  return { kind: "other" };
}

type Wrapper = ts.AsExpression | ts.SatisfiesExpression | ts.ParenthesizedExpression;

function isWrapper(expression: ts.Expression): expression is Wrapper {
  return (
    ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression)
  );
}

function readNegative({ operator, operand }: ts.PrefixUnaryExpression): ConstantValue {
  if (operator !== ts.SyntaxKind.MinusToken || !ts.isNumericLiteral(operand)) return { kind: "other" };
  return literal(-Number(operand.text));
}

function readRecord(expression: ts.ObjectLiteralExpression): ConstantValue {
  const entries = expression.properties.map((property): readonly [string, ConstantValue] | undefined => {
    if (!ts.isPropertyAssignment(property)) return undefined;
    const { name, initializer } = property;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name) && !ts.isNumericLiteral(name)) return undefined;
    return [name.text, readConstant(initializer)];
  });
  const known = entries.filter((entry) => entry !== undefined);
  return known.length === entries.length ? { kind: "record", entries: known } : { kind: "other" };
}

function literal(value: string | number | boolean | null): ConstantValue {
  return { kind: "literal", value };
}

// `defineKind<Guestbook>(…)` names the type of a kind.
function definedKind(node: ts.Expression): ts.Identifier | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const [type] = node.typeArguments ?? [];
  const isNamed = node.expression.text === "defineKind" && type !== undefined && ts.isTypeReferenceNode(type);
  return isNamed && ts.isIdentifier(type.typeName) ? type.typeName : undefined;
}
