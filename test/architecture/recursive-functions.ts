import { ts } from "ts-morph";

import { readSource } from "./source-files.ts";

/** A function that calls itself, also through others of its file, and takes a value of any nesting. */
interface RecursiveFunction {
  readonly file: string;
  readonly name: string;
}

/** Types of values that API servers store with any nesting. */
const NESTED =
  /^(?:unknown|object|Json|JSONValue|JsonObject|Value|Values|Native|FieldSet|FieldNode|Fields|Members|MutableJsonObject|(?:readonly )?(?:unknown|JSONValue)\[\])(?: \| (?:undefined|null))*$/u;

interface Declared {
  readonly mentioned: Set<string>;
  takesValue: boolean;
}

/** Finds the recursive functions of a source that walk values. */
export function recursiveFunctionsOf(file: string): readonly RecursiveFunction[] {
  const tree = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
  const declared = new Map<string, Declared>();
  const visit = (node: ts.Node, around: string | undefined): void => {
    const found = functionOf(node, tree);
    const name = found?.name ?? around;
    if (found !== undefined) {
      const known = declared.get(found.name) ?? { mentioned: new Set(), takesValue: false };
      known.takesValue ||= found.parameters.some(({ type }) => type !== undefined && NESTED.test(type.getText(tree)));
      declared.set(found.name, known);
    }
    if (name !== undefined && isMention(node)) declared.get(name)?.mentioned.add(node.text);
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(tree, undefined);
  return [...declared]
    .filter(([name, { takesValue }]) => takesValue && reaches(declared, name))
    .map(([name]) => ({ file, name }));
}

interface NamedFunction {
  readonly name: string;
  readonly parameters: readonly ts.ParameterDeclaration[];
}

function functionOf(node: ts.Node, tree: ts.SourceFile): NamedFunction | undefined {
  if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name !== undefined) {
    return { name: node.name.getText(tree), parameters: [...node.parameters] };
  }
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined || !ts.isIdentifier(node.name))
    return undefined;
  const { initializer } = node;
  return ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)
    ? { name: node.name.text, parameters: [...initializer.parameters] }
    : undefined;
}

/** Reports whether a name is used as a function, not as a property of another value or as a declaration. */
function isMention(node: ts.Node): node is ts.Identifier | ts.PrivateIdentifier {
  if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return parent.expression.kind === ts.SyntaxKind.ThisKeyword;
  }
  return !("name" in parent && parent.name === node);
}

function reaches(declared: ReadonlyMap<string, Declared>, start: string): boolean {
  const found = new Set<string>();
  const later = [...(declared.get(start)?.mentioned ?? [])];
  for (let name = later.pop(); name !== undefined; name = later.pop()) {
    if (name === start) return true;
    if (found.has(name)) continue;
    found.add(name);
    later.push(...(declared.get(name)?.mentioned ?? []));
  }
  return false;
}

/** Finds the calls of native functions that fail for a few thousand levels: copies, and JSON with a function that is called for each value. */
export function recursiveCallsOf(file: string): readonly string[] {
  const tree = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(tree);
      const [, second] = node.arguments;
      const hasFunction =
        second !== undefined && second.getText(tree) !== "undefined" && second.getText(tree) !== "null";
      if (callee === "structuredClone" || (/^JSON\.(?:parse|stringify)$/u.test(callee) && hasFunction))
        found.push(callee);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
