import { ts } from "ts-morph";

import type { ParsedSource } from "./parse-source.ts";
import { type BuiltInImports, firstKnown, namedType, readWrittenType } from "./written-types.ts";
import type { WrittenField, WrittenType, WrittenValue } from "./written-value.ts";

/** Finds the types of the names in the scope of an expression. */
export interface ExpressionScope {
  readonly imports: BuiltInImports;
  /** Returns the type of a variable. */
  readonly variable: (name: string) => WrittenType | undefined;
  /** Returns the type that a function of the source returns, by its name as {@link calleeOf} has it. */
  readonly result: (callee: string) => WrittenType | undefined;
}

/** Returns the expression inside of parentheses and assertions of types. */
export function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node);
  return isWrapper ? unwrapped(node.expression) : node;
}

/** Returns the built-in type of an expression; undefined for one that the syntax alone does not state. */
export function typeOfExpression(node: ts.Expression, scope: ExpressionScope): WrittenType | undefined {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return readWrittenType(scope.imports, node.type) ?? typeOfExpression(node.expression, scope);
  }
  const inner = unwrapped(node);
  if (inner !== node) return typeOfExpression(inner, scope);
  if (ts.isIdentifier(node)) return scope.variable(node.text);
  if (ts.isPropertyAccessExpression(node)) {
    const of = typeOfExpression(node.expression, scope);
    return of === undefined ? undefined : { kind: "property", of, name: node.name.text };
  }
  if (ts.isElementAccessExpression(node)) return elementOf(typeOfExpression(node.expression, scope));
  if (ts.isConditionalExpression(node)) return firstType([node.whenTrue, node.whenFalse], scope);
  if (ts.isBinaryExpression(node)) return isChoice(node) ? firstType([node.left, node.right], scope) : undefined;
  if (ts.isObjectLiteralExpression(node)) return statedType(node) ?? spreadType(node, scope);
  return ts.isCallExpression(node) ? typeOfCall(node, scope) : undefined;
}

function firstType(nodes: readonly ts.Expression[], scope: ExpressionScope): WrittenType | undefined {
  return firstKnown(nodes.map((each) => typeOfExpression(each, scope)));
}

function isChoice({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

/** Returns the type of the items of a list, or of the values of a map. */
export function elementOf(of: WrittenType | undefined): WrittenType | undefined {
  return of === undefined ? undefined : { kind: "element", of };
}

// Functions that return what they are given.
const PASSING = new Set(["deepClone", "ignoreNotFound", "ignoreAlreadyExists", "structuredClone"]);
const ITEM_METHODS = new Set(["at", "find", "findLast", "pop", "shift"]);
const LIST_METHODS = new Set(["filter", "slice", "toSorted", "toReversed", "concat", "with"]);

function typeOfCall(
  { expression, arguments: args }: ts.CallExpression,
  scope: ExpressionScope,
): WrittenType | undefined {
  const [first] = args;
  if (ts.isIdentifier(expression) && PASSING.has(expression.text)) {
    return first === undefined ? undefined : typeOfExpression(first, scope);
  }
  const own = scope.result(calleeOf(expression));
  if (own !== undefined || !ts.isPropertyAccessExpression(expression)) return own;
  const { name, expression: target } = expression;
  const kind = first === undefined ? undefined : kindOf(first, scope);
  if (name.text === "create") return kindOf(target, scope);
  if (kind !== undefined && name.text === "get") return kind;
  if (kind?.kind === "named" && name.text === "list") return { ...kind, name: `${kind.name}List` };
  if (ITEM_METHODS.has(name.text)) return elementOf(typeOfExpression(target, scope));
  return LIST_METHODS.has(name.text) ? typeOfExpression(target, scope) : undefined;
}

/** Returns the name that a function of the source is called by, such as `build` or `this.build`; empty for other functions. */
export function calleeOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  const isOwn = ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword;
  return isOwn ? `this.${node.name.text}` : "";
}

/** Returns the type of the objects of a kind: `Pod` of `Pod.create`, or of `client.get(Pod, key)`. */
export function kindOf(node: ts.Expression, { imports }: ExpressionScope): WrittenType | undefined {
  if (ts.isIdentifier(node)) return namedType(imports, node.text);
  return ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)
    ? namedType(imports, node.expression.text, node.name.text)
    : undefined;
}

/** Returns the kind that an object literal states with `apiVersion` and `kind`. */
export function statedType(node: ts.ObjectLiteralExpression): (WrittenType & { readonly kind: "stated" }) | undefined {
  const [apiVersion, name] = [textOf(node, "apiVersion"), textOf(node, "kind")];
  return apiVersion === undefined || name === undefined ? undefined : { kind: "stated", apiVersion, name };
}

function textOf({ properties }: ts.ObjectLiteralExpression, wanted: string): string | undefined {
  const found = properties.find(
    (each): each is ts.PropertyAssignment => ts.isPropertyAssignment(each) && nameOf(each.name) === wanted,
  );
  const value = found === undefined ? undefined : unwrapped(found.initializer);
  return value !== undefined && ts.isStringLiteralLike(value) ? value.text : undefined;
}

// An object that is spread first keeps its type.
function spreadType(
  { properties: [first] }: ts.ObjectLiteralExpression,
  scope: ExpressionScope,
): WrittenType | undefined {
  return first !== undefined && ts.isSpreadAssignment(first) ? typeOfExpression(first.expression, scope) : undefined;
}

/** Returns the name of a property, unless it is computed. */
export function nameOf(name: ts.PropertyName | ts.BindingName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
}

/** Reads the fields that an expression writes: object literals, lists of them, and what conditions and `map` make of them. */
export function readWrittenValue(source: ParsedSource, expression: ts.Expression): WrittenValue | undefined {
  const node = unwrapped(expression);
  const read = (inner: ts.Expression): WrittenValue | undefined => readWrittenValue(source, inner);
  if (ts.isObjectLiteralExpression(node)) return readFields(source, node);
  if (ts.isArrayLiteralExpression(node)) {
    const elements = node.elements.flatMap((each): readonly (WrittenValue | undefined)[] => {
      const value = read(ts.isSpreadElement(each) ? each.expression : each);
      return ts.isSpreadElement(each) ? elementsIn(value) : [value];
    });
    return { kind: "elements", elements: known(elements) };
  }
  if (ts.isConditionalExpression(node))
    return { kind: "either", values: known([read(node.whenTrue), read(node.whenFalse)]) };
  if (ts.isBinaryExpression(node)) return { kind: "either", values: known([read(node.left), read(node.right)]) };
  const made = ts.isCallExpression(node) ? mappedTo(node) : undefined;
  return made === undefined ? undefined : { kind: "elements", elements: known([read(made)]) };
}

function elementsIn(value: WrittenValue | undefined): readonly (WrittenValue | undefined)[] {
  if (value?.kind === "either") return value.values.flatMap((each) => elementsIn(each));
  return value?.kind === "elements" ? value.elements : [];
}

function readFields(source: ParsedSource, { properties }: ts.ObjectLiteralExpression): WrittenValue {
  const fields = properties.flatMap((property): readonly WrittenField[] => {
    if (ts.isSpreadAssignment(property)) return fieldsIn(readWrittenValue(source, property.expression));
    const name = property.name === undefined ? undefined : nameOf(property.name);
    if (name === undefined || property.name === undefined) return [];
    const location = locate(source, property.name);
    const value = ts.isPropertyAssignment(property) ? readWrittenValue(source, property.initializer) : undefined;
    return [{ name, location, value }];
  });
  return { kind: "fields", fields };
}

function fieldsIn(value: WrittenValue | undefined): readonly WrittenField[] {
  if (value?.kind === "either") return value.values.flatMap((each) => fieldsIn(each));
  return value?.kind === "fields" ? value.fields : [];
}

/** Returns the place of a node. */
export function locate(source: ParsedSource, node: ts.Node): WrittenField["location"] {
  return source.locate(node.getStart(source.file), node.end);
}

// The literal that `list.map((item) => ({ … }))` makes for each item.
function mappedTo({ expression, arguments: [callback] }: ts.CallExpression): ts.Expression | undefined {
  const isMap = ts.isPropertyAccessExpression(expression) && expression.name.text === "map";
  return isMap && callback !== undefined && ts.isArrowFunction(callback) && !ts.isBlock(callback.body)
    ? callback.body
    : undefined;
}

function known(values: readonly (WrittenValue | undefined)[]): readonly WrittenValue[] {
  return values.filter((each) => each !== undefined);
}

/** Returns the type of the first parameter of a callback of a list's method, such as `filter`. */
export function itemOfCallback(callee: ts.Expression, scope: ExpressionScope): WrittenType | undefined {
  if (!ts.isPropertyAccessExpression(callee) || !CALLBACK_METHODS.has(callee.name.text)) return undefined;
  return elementOf(typeOfExpression(callee.expression, scope));
}

const CALLBACK_METHODS = new Set(["every", "filter", "find", "findLast", "flatMap", "forEach", "map", "some"]);
