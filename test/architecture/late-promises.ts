import { ts } from "ts-morph";

import { readSource } from "./source-files.ts";

/**
 * Finds promises of a source that can be rejected before anything handles them: a variable or a private field that is awaited after another `await`, after
 * a statement that leaves the function, or in another function.
 *
 * `handledLater(promise)`, a `catch` that does not throw, and `Promise.allSettled` count as handlers.
 */
export function latePromisesOf(file: string, text: string = readSource(file)): readonly string[] {
  if (!/\bawait\b/u.test(text)) return [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return [...lateVariables(tree), ...lateFields(tree), ...lateMembers(tree)].map((node) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    return `${file}:${String(line + 1)}: ${node.getText()}`;
  });
}

/** Finds statements that give a promise a handler which does nothing, as `handledLater` does; a call whose result nobody awaits may have one. */
export function unnamedHandlersOf(file: string, text: string = readSource(file)): readonly string[] {
  if (!/\.catch\(/u.test(text)) return [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  visitAll(tree, (node) => {
    if (!ts.isExpressionStatement(node)) return;
    const call = ts.isVoidExpression(node.expression) ? node.expression.expression : node.expression;
    if (ts.isCallExpression(call) && isNamed(call.expression) && doesNothing(call.arguments[0])) {
      found.push(`${file}: ${call.getText()}`);
    }
  });
  return found;
}

function isNamed(callee: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== "catch") return false;
  return ts.isIdentifier(callee.expression) || ts.isPropertyAccessExpression(callee.expression);
}

function doesNothing(handler: ts.Expression | undefined): boolean {
  return handler !== undefined && /^\(\) => (?:undefined|\{\s*\})$/u.test(handler.getText());
}

/** A use of a promise: its position, and the function that contains it. */
interface Use {
  readonly name: string;
  readonly at: number;
  readonly scope: ts.Node;
}

function lateVariables(tree: ts.SourceFile): readonly ts.Node[] {
  const usesOf = new Map<string, ts.Identifier[]>();
  const declared: { readonly name: ts.Identifier; readonly value: ts.Expression }[] = [];
  visitAll(tree, (node) => {
    if (ts.isIdentifier(node)) usesOf.set(node.text, [...(usesOf.get(node.text) ?? []), node]);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      declared.push({ name: node.name, value: node.initializer });
    }
  });
  return declared
    .filter(({ name, value }) => {
      if (isHandled(value)) return false;
      const block = enclosing(name, (node) => ts.isBlock(node) || ts.isSourceFile(node) || ts.isCaseClause(node));
      const uses = (usesOf.get(name.text) ?? []).filter((use) => use !== name && contains(block, use));
      return isLate({ name: name.text, at: value.getEnd(), scope: scopeOf(name) }, uses);
    })
    .map(({ name }) => name);
}

function lateFields(tree: ts.SourceFile): readonly ts.Node[] {
  const usesOf = new Map<string, ts.Node[]>();
  const assigned: { readonly target: ts.PropertyAccessExpression; readonly value: ts.Expression }[] = [];
  visitAll(tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || node.expression.kind !== ts.SyntaxKind.ThisKeyword) return;
    const { parent } = node;
    if (ts.isBinaryExpression(parent) && parent.left === node && ASSIGNMENTS.has(parent.operatorToken.kind)) {
      assigned.push({ target: node, value: parent.right });
    } else {
      usesOf.set(node.name.text, [...(usesOf.get(node.name.text) ?? []), node]);
    }
  });
  return assigned
    .filter(({ target, value }) => {
      const statement = value.parent;
      if (isHandled(value) || handlesItself(statement)) return false;
      const start = { name: target.name.text, at: value.getEnd(), scope: scopeOf(target) };
      return isLate(start, usesOf.get(target.name.text) ?? []);
    })
    .map(({ target }) => target);
}

/** Finds what is put into collections that a method of `Promise` joins later. */
function lateMembers(tree: ts.SourceFile): readonly ts.Node[] {
  const joined = new Set<string>();
  const values = new Map<string, ts.Expression>();
  const put: { readonly collection: string; readonly value: ts.Expression }[] = [];
  visitAll(tree, (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      values.set(node.name.getText(), node.initializer);
    }
    if (!ts.isCallExpression(node)) return;
    if (JOINS.test(node.expression.getText())) {
      for (const part of node.arguments.flatMap(partsOf)) joined.add(part.getText().replace(/\.values\(\)$/u, ""));
    } else if (ts.isPropertyAccessExpression(node.expression) && PUTS.has(node.expression.name.text)) {
      const value = node.arguments.at(-1);
      if (value !== undefined) put.push({ collection: node.expression.expression.getText(), value });
    }
  });
  return put
    .filter(({ collection, value }) => joined.has(collection) && !isHandled(values.get(value.getText()) ?? value))
    .map(({ value }) => value);
}

function partsOf(list: ts.Expression): readonly ts.Expression[] {
  if (ts.isSpreadElement(list)) return [list.expression];
  return ts.isArrayLiteralExpression(list) ? list.elements.flatMap(partsOf) : [list];
}

const JOINS = /^Promise\.(?:all|allSettled|any|race)$/u;
const PUTS = new Set(["add", "push", "set"]);

const ASSIGNMENTS = new Set([ts.SyntaxKind.EqualsToken, ts.SyntaxKind.QuestionQuestionEqualsToken]);

function isLate(start: Use, uses: readonly ts.Node[]): boolean {
  const handled = uses.filter((use) => handlesItself(use));
  if (handled.every((use) => isReturned(use))) return false;
  const next = handled
    .filter((use) => scopeOf(use) === start.scope && use.getStart() >= start.at)
    .map((use) => use.getStart());
  return next.length === 0 || isInterrupted(start, Math.min(...next));
}

/** Reports whether a function may wait, or end, between a position and the use of a promise. */
function isInterrupted({ name, at, scope }: Use, end: number): boolean {
  let found = false;
  visitAll(scope, (node) => {
    if (node.getStart() < at || node.getEnd() > end || scopeOf(node) !== scope) return;
    found ||=
      ts.isAwaitExpression(node) ||
      ts.isYieldExpression(node) ||
      ((ts.isThrowStatement(node) || ts.isReturnStatement(node)) && !isGuard(node, name)) ||
      (ts.isForOfStatement(node) && node.awaitModifier !== undefined);
  });
  return found;
}

// `if (promise === undefined) return;`
function isGuard(node: ts.Node, name: string): boolean {
  const { parent } = ts.isBlock(node.parent) ? node.parent : node;
  return ts.isIfStatement(parent) && new RegExp(`(?<![\\w.])${name}(?!\\w)`, "u").test(parent.expression.getText());
}

/** Reports whether a promise is handled where it is used: awaited, returned, given to a method of `Promise`, or given handlers. */
function handlesItself(node: ts.Node): boolean {
  const { parent } = node;
  if (isSameValue(node)) return handlesItself(parent);
  if (ts.isAwaitExpression(parent) || ts.isReturnStatement(parent)) return true;
  if (ts.isSpreadElement(parent) || ts.isArrayLiteralExpression(parent)) return isJoined(parent);
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    return HANDLERS.has(parent.name.text) && ts.isCallExpression(parent.parent);
  }
  return isJoined(node);
}

// A value that is only returned may be of any type.
function isReturned(node: ts.Node): boolean {
  return isSameValue(node) ? isReturned(node.parent) : ts.isReturnStatement(node.parent);
}

/** Reports whether the expression around a node has the same value, or may have it. */
function isSameValue(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent) || ts.isNonNullExpression(parent)) return true;
  if (ts.isBinaryExpression(parent)) return DEFAULTS.has(parent.operatorToken.kind);
  return ts.isConditionalExpression(parent) && parent.condition !== node;
}

const DEFAULTS = new Set([ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.EqualsToken]);
const HANDLERS = new Set(["then", "catch", "finally"]);

function isJoined(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isArrayLiteralExpression(parent) || ts.isSpreadElement(parent)) return isJoined(parent);
  if (!ts.isCallExpression(parent) || !parent.arguments.includes(node as ts.Expression)) return false;
  return /^(?:Promise\.(?:all|allSettled|any|race)|handledLater|untilAborted)$/u.test(parent.expression.getText());
}

/** Reports whether an expression is no promise, or one that has a handler. */
function isHandled(value: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) return isHandled(value.expression);
  if (ts.isConditionalExpression(value)) return isHandled(value.whenTrue) && isHandled(value.whenFalse);
  if (ts.isBinaryExpression(value)) return isHandled(value.right);
  if (!ts.isCallExpression(value)) return true;
  const callee = value.expression;
  if (/^(?:handledLater|Promise\.(?:allSettled|resolve))$/u.test(callee.getText())) return true;
  if (!ts.isPropertyAccessExpression(callee)) return false;
  if (callee.name.text === "finally") return isHandled(callee.expression);
  const isSafe = callee.name.text === "then" && isHandled(callee.expression);
  if (isSafe && value.arguments.every((handler) => !throws(handler))) return true;
  const handler = callee.name.text === "catch" ? value.arguments[0] : value.arguments[1];
  return (callee.name.text === "catch" || callee.name.text === "then") && handler !== undefined && !throws(handler);
}

function throws(handler: ts.Expression): boolean {
  let found = false;
  visitAll(handler, (node) => {
    found ||= ts.isThrowStatement(node);
  });
  return found;
}

function scopeOf(node: ts.Node): ts.Node {
  return enclosing(node, (each) => ts.isFunctionLike(each) || ts.isSourceFile(each));
}

function enclosing(node: ts.Node, isWanted: (node: ts.Node) => boolean): ts.Node {
  let current = node.parent;
  while (!isWanted(current)) current = current.parent;
  return current;
}

function contains(outer: ts.Node, node: ts.Node): boolean {
  return outer.getStart() <= node.getStart() && node.getEnd() <= outer.getEnd();
}

function visitAll(root: ts.Node, visit: (node: ts.Node) => void): void {
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    ts.forEachChild(node, (child) => void pending.push(child));
  }
}
