import { ts } from "ts-morph";

import { type ParsedSource, parseSource } from "./parse-source.ts";
import {
  calleeOf,
  elementOf,
  type ExpressionScope,
  itemOfCallback,
  kindOf,
  locate,
  nameOf,
  readWrittenValue,
  statedType,
  typeOfExpression,
  unwrapped,
} from "./written-expressions.ts";
import { type BuiltInImports, placeOfModule, readWrittenType } from "./written-types.ts";
import type { BuiltInUses, NamedType, TypedValue, WrittenType } from "./written-value.ts";

/**
 * Reads what a source uses of the built-in API: the types that it imports, and fields of values whose type its syntax states.
 *
 * Guarantees: no type checker runs; an expression whose type is not stated in the source is left out.
 */
export function readBuiltInUses(path: string, text: string): BuiltInUses {
  if (!text.includes("@kubescaffold/k8s/") && !text.includes("apiVersion")) return { types: [], values: [] };
  const source = parseSource(path, text);
  const reader = new UseReader(source);
  try {
    reader.read();
  } catch (error) {
    // Expressions are read level by level on the stack; what is nested more deeply is left out.
    if (!(error instanceof RangeError)) throw error;
  }
  return reader.uses;
}

/** The variables of a function, and what it returns. */
class Scope {
  readonly #types = new Map<string, WrittenType | undefined>();
  readonly #outer: Scope | undefined;
  readonly returns: WrittenType | undefined;

  constructor(outer?: Scope, returns?: WrittenType) {
    this.#outer = outer;
    this.returns = returns;
  }

  declare(name: string, type: WrittenType | undefined): void {
    this.#types.set(name, type);
  }

  typeOf(name: string): WrittenType | undefined {
    return this.#types.has(name) ? this.#types.get(name) : this.#outer?.typeOf(name);
  }
}

interface LocalFunction {
  readonly parameters: readonly (WrittenType | undefined)[];
  readonly returns: WrittenType | undefined;
}

class UseReader {
  readonly #source: ParsedSource;
  readonly #types: NamedType[] = [];
  readonly #values: TypedValue[] = [];
  readonly #imports = new Map<string, { readonly place: string; readonly name: string }>();
  readonly #functions = new Map<string, LocalFunction>();

  constructor(source: ParsedSource) {
    this.#source = source;
  }

  get uses(): BuiltInUses {
    return { types: this.#types, values: this.#values };
  }

  read(): void {
    for (const statement of this.#source.file.statements) {
      if (ts.isImportDeclaration(statement)) this.#addImports(statement);
    }
    this.#addFunctions(this.#source.file);
    this.#visit(this.#source.file, new Scope());
  }

  #addImports({ moduleSpecifier, importClause }: ts.ImportDeclaration): void {
    const place = ts.isStringLiteral(moduleSpecifier) ? placeOfModule(moduleSpecifier.text) : undefined;
    const bindings = importClause?.namedBindings;
    if (place === undefined || bindings === undefined) return;
    if (ts.isNamespaceImport(bindings)) {
      this.#imports.set(bindings.name.text, { place, name: "*" });
      return;
    }
    for (const { name: local, propertyName = local } of bindings.elements) {
      const name = propertyName.text;
      this.#imports.set(local.text, { place, name });
      this.#types.push({ type: { kind: "named", place, name }, location: locate(this.#source, propertyName) });
    }
  }

  // Functions may be called above their declarations.
  #addFunctions(node: ts.Node): void {
    const found = functionIn(node);
    if (found !== undefined) {
      const { callee, declaration } = found;
      this.#functions.set(callee, {
        parameters: declaration.parameters.map(({ type }) => this.#read(type)),
        returns: this.#read(declaration.type),
      });
    }
    ts.forEachChild(node, (child) => this.#addFunctions(child));
  }

  #visit(node: ts.Node, scope: Scope): void {
    if (ts.isImportDeclaration(node)) return;
    if (isFunction(node)) {
      this.#visitFunction(node, scope);
      return;
    }
    if (ts.isCallExpression(node)) {
      this.#visitCall(node, scope);
      return;
    }
    this.#readNode(node, scope);
    ts.forEachChild(node, (child) => this.#visit(child, scope));
  }

  #readNode(node: ts.Node, scope: Scope): void {
    if (ts.isVariableDeclaration(node)) this.#readVariable(node, scope);
    else if (ts.isForOfStatement(node)) this.#readLoop(node, scope);
    else if (ts.isPropertyDeclaration(node)) this.#check(node.initializer, this.#read(node.type));
    else if (ts.isReturnStatement(node)) this.#check(node.expression, scope.returns);
    else if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      this.#check(node.expression, this.#read(node.type));
    else if (ts.isObjectLiteralExpression(node)) this.#readObject(node, scope);
    else if (ts.isPropertyAccessExpression(node)) this.#recordField(node.name, this.#typeOf(node.expression, scope));
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      this.#check(node.right, this.#typeOf(node.left, scope));
  }

  #readVariable({ name, type, initializer }: ts.VariableDeclaration, scope: Scope): void {
    const stated = this.#read(type);
    const own = stated ?? (initializer === undefined ? undefined : this.#typeOf(initializer, scope));
    // A loop declares its variable without a value.
    if (own === undefined && initializer === undefined && type === undefined) return;
    this.#bind(name, own, scope);
    this.#check(initializer, stated);
  }

  #readLoop({ initializer, expression }: ts.ForOfStatement, scope: Scope): void {
    const [variable] = ts.isVariableDeclarationList(initializer) ? initializer.declarations : [];
    if (variable !== undefined) this.#bind(variable.name, elementOf(this.#typeOf(expression, scope)), scope);
  }

  #readObject(node: ts.ObjectLiteralExpression, scope: Scope): void {
    const stated = statedType(node);
    const kind = node.properties.find((each) => each.name !== undefined && nameOf(each.name) === "kind");
    if (stated !== undefined && kind !== undefined) {
      this.#types.push({ type: stated, location: locate(this.#source, kind) });
    }
    this.#check(node, this.#typeOf(node, scope));
  }

  // The types of parameters without an annotation are those of the values that the call is given: `createOrUpdate(client, pod, (found) => …)`.
  #visitCall(node: ts.CallExpression, scope: Scope): void {
    const expressions = this.#scopeOf(scope);
    const declared = this.#functions.get(calleeOf(node.expression))?.parameters ?? [];
    const created = isCreate(node) ? kindOf(node.expression.expression, expressions) : undefined;
    this.#visit(node.expression, scope);
    let given = itemOfCallback(node.expression, expressions);
    for (const [index, argument] of node.arguments.entries()) {
      const type = declared[index] ?? (index === 0 ? created : undefined);
      this.#check(argument, type);
      if (isFunction(argument)) this.#visitFunction(argument, scope, given);
      else this.#visit(argument, scope);
      given ??= kindOf(argument, expressions) ?? this.#typeOf(argument, scope);
    }
  }

  #visitFunction(node: FunctionNode, outer: Scope, given?: WrittenType): void {
    const scope = new Scope(outer, this.#read(node.type));
    for (const [index, { name, type, initializer }] of node.parameters.entries()) {
      const own = type === undefined && index === 0 ? given : this.#read(type);
      this.#bind(name, own, scope);
      this.#check(initializer, own);
      if (initializer !== undefined) this.#visit(initializer, scope);
    }
    if (node.body === undefined) return;
    if (!ts.isBlock(node.body)) this.#check(node.body, scope.returns);
    this.#visit(node.body, scope);
  }

  #bind(name: ts.BindingName, type: WrittenType | undefined, scope: Scope): void {
    if (ts.isIdentifier(name)) {
      scope.declare(name.text, type);
      return;
    }
    for (const element of name.elements) {
      if (ts.isOmittedExpression(element)) continue;
      const from = element.propertyName ?? element.name;
      const property = ts.isObjectBindingPattern(name) ? nameOf(from) : undefined;
      if (property !== undefined && element.dotDotDotToken === undefined) this.#recordField(from, type);
      this.#bind(element.name, partOf(type, { property, isRest: element.dotDotDotToken !== undefined }), scope);
    }
  }

  #check(node: ts.Expression | undefined, type: WrittenType | undefined): void {
    const value = node === undefined || type === undefined ? undefined : readWrittenValue(this.#source, node);
    if (value !== undefined && type !== undefined) this.#values.push({ type, value });
  }

  #recordField(name: ts.Node, type: WrittenType | undefined): void {
    const text = ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
    if (type === undefined || text === undefined) return;
    const field = { name: text, location: locate(this.#source, name), value: undefined };
    this.#values.push({ type, value: { kind: "fields", fields: [field] } });
  }

  #read(type: ts.TypeNode | undefined): WrittenType | undefined {
    return readWrittenType(this.#imports, type);
  }

  #typeOf(node: ts.Expression, scope: Scope): WrittenType | undefined {
    return typeOfExpression(node, this.#scopeOf(scope));
  }

  #scopeOf(scope: Scope): ExpressionScope {
    const imports: BuiltInImports = this.#imports;
    return {
      imports,
      variable: (name) => scope.typeOf(name),
      result: (callee) => this.#functions.get(callee)?.returns,
    };
  }
}

function partOf(
  type: WrittenType | undefined,
  { property, isRest }: { readonly property: string | undefined; readonly isRest: boolean },
): WrittenType | undefined {
  if (type === undefined || isRest) return type;
  return property === undefined ? { kind: "element", of: type } : { kind: "property", of: type, name: property };
}

type FunctionNode = (
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.AccessorDeclaration
  | ts.ConstructorDeclaration
) & {
  readonly type?: ts.TypeNode | undefined;
  readonly body?: ts.Node | undefined;
};

function isFunction(node: ts.Node): node is FunctionNode & { readonly body?: ts.ConciseBody | undefined } {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isConstructorDeclaration(node)
  );
}

function functionIn(node: ts.Node): { readonly callee: string; readonly declaration: FunctionNode } | undefined {
  if (ts.isFunctionDeclaration(node) && node.name !== undefined) return { callee: node.name.text, declaration: node };
  if (ts.isMethodDeclaration(node) && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)))
    return { callee: `this.${node.name.text}`, declaration: node };
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined)
    return undefined;
  const value = unwrapped(node.initializer);
  return isFunction(value) ? { callee: node.name.text, declaration: value } : undefined;
}

function isCreate(
  node: ts.CallExpression,
): node is ts.CallExpression & { readonly expression: ts.PropertyAccessExpression } {
  return ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "create";
}
