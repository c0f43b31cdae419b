import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { listFiles, listSources, readSource } from "./source-files.ts";

// The only function that follows causes, since they may form cycles, be long, or throw.
const FOLLOWS = "packages/k8s/src/failures/causes.ts";

const NAMES = new Set(["cause", "errors"]);

/** Finds the causes of errors, and the errors of an `AggregateError`, that a loop or a recursion reads. */
function followedCausesOf(file: string, text: string = readSource(file)): readonly string[] {
  if (!/\bcause\b|\bAggregateError\b/u.test(text)) return [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (readsCause(node, text) && isRepeated(node)) {
      found.push(`${file}:${String(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1)}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function readsCause(node: ts.Node, text: string): boolean {
  const isRead = (name: string): boolean =>
    name === "cause" || (name === "errors" && /\bAggregateError\b/u.test(text) && NAMES.has(name));
  if (ts.isPropertyAccessExpression(node)) return isRead(node.name.text);
  if (ts.isElementAccessExpression(node)) return /^["'`]cause["'`]$/u.test(node.argumentExpression.getText());
  return ts.isBindingElement(node) && isRead((node.propertyName ?? node.name).getText()) && readsError(node);
}

// `const { cause } = error`, and not the parameter of a constructor.
function readsError(node: ts.BindingElement): boolean {
  const declaration = node.parent.parent;
  return ts.isVariableDeclaration(declaration) && !/options|details/u.test(declaration.initializer?.getText() ?? "");
}

function isRepeated(node: ts.Node): boolean {
  for (let each = node.parent; each !== undefined; each = each.parent) {
    if (ts.isIterationStatement(each, false) && !isFirstList(each, node)) return true;
    if (ts.isFunctionLike(each)) return callsItself(each);
  }
  return false;
}

// The list of a loop is read once.
function isFirstList(loop: ts.IterationStatement, node: ts.Node): boolean {
  const first = ts.isForOfStatement(loop) ? loop.expression : undefined;
  return first !== undefined && first.getStart() <= node.getStart() && node.getEnd() <= first.getEnd();
}

function callsItself(called: ts.SignatureDeclaration): boolean {
  const name = called.name?.getText() ?? (ts.isVariableDeclaration(called.parent) ? called.parent.name.getText() : "");
  if (name === "") return false;
  let found = false;
  const visit = (node: ts.Node): void => {
    found ||= ts.isCallExpression(node) && node.expression.getText().replace(/^this\./u, "") === name;
    ts.forEachChild(node, visit);
  };
  if ("body" in called && called.body !== undefined) visit(called.body);
  return found;
}

describe("the causes of errors", () => {
  it("are followed by one function only", () => {
    const scripts = ["scripts", "bench", "examples"].flatMap((folder) => listFiles(folder));
    const files = [...listSources(), ...scripts.filter((file) => /\.(?:mjs|ts)$/u.test(file))];
    expect(files.filter((file) => file !== FOLLOWS).flatMap((file) => followedCausesOf(file))).toEqual([]);
    expect(followedCausesOf(FOLLOWS)).toEqual([]);
  });

  it.each([
    ["a loop", "for (let each = error; each instanceof Error; each = each.cause) note(each);"],
    ["a loop with a binding", "while (error) { const { cause } = error; error = cause; }"],
    ["a loop that names it", 'while (error) error = error["cause"];'],
    ["a recursion", "const root = (error) => (error.cause === undefined ? error : root(error.cause));"],
    ["a function", "function root(error) { return error.cause ? root(error.cause) : error; }"],
    ["a method", "class A { #root(error) { return error.cause ? this.#root(error.cause) : error; } }"],
    [
      "the errors of an AggregateError",
      "function any(error) { return error instanceof AggregateError && error.errors.some((each) => any(each)); }",
    ],
  ])("are found in %s", (_, text) => {
    expect(followedCausesOf("a.ts", text)).not.toEqual([]);
  });

  it.each([
    ["one step", "const reason = error.cause instanceof Error ? error.cause.message : error.message;"],
    ["options of a constructor", "for (const options of all) fail({ cause: options });"],
  ])("are not found in %s", (_, text) => {
    expect(followedCausesOf("a.ts", text)).toEqual([]);
  });
});
