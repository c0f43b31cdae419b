import { ts } from "ts-morph";

import { COUNTERS } from "./counters.ts";

/**
 * Inserts a counter into every branch of a source: functions, blocks, cases, and both sides of conditions.
 *
 * Guarantees: the code does what it did before, and keeps its lines.
 */
export function instrument(code: string, file: string, nextCounter: () => number): string {
  const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const edits: { readonly at: number; readonly text: string }[] = [];
  const count = (): string => `globalThis.${COUNTERS}[${String(nextCounter())}]++`;
  const visit = (node: ts.Node): void => {
    const wrapped = wrappedExpressions(node);
    const statements = loneStatements(node);
    if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node))
      edits.push({ at: startOfStatements(node), text: `${count()};` });
    ts.forEachChild(node, (child) => {
      const [open, close] = wrapped.has(child)
        ? [`(${count()},(`, "))"]
        : statements.has(child)
          ? [`{${count()};`, "}"]
          : ["", ""];
      if (open !== "") edits.push({ at: child.getStart(tree), text: open });
      visit(child);
      if (close !== "") edits.push({ at: child.getEnd(), text: close });
    });
  };
  visit(tree);
  return inserted(code, edits);
}

function inserted(code: string, edits: readonly { readonly at: number; readonly text: string }[]): string {
  const sorted = edits.map((edit, index) => ({ ...edit, index })).toSorted((a, b) => a.at - b.at || a.index - b.index);
  let result = "";
  let from = 0;
  for (const { at, text } of sorted) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}

function startOfStatements(node: ts.Block | ts.CaseOrDefaultClause): number {
  return node.statements.pos;
}

const SHORT_CIRCUITS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

function wrappedExpressions(node: ts.Node): ReadonlySet<ts.Node> {
  if (ts.isConditionalExpression(node)) return new Set([node.whenTrue, node.whenFalse]);
  if (ts.isBinaryExpression(node) && SHORT_CIRCUITS.has(node.operatorToken.kind)) return new Set([node.right]);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return new Set([node.body]);
  return new Set();
}

function loneStatements(node: ts.Node): ReadonlySet<ts.Node> {
  if (ts.isIfStatement(node))
    return new Set(
      [node.thenStatement, node.elseStatement].filter((each) => each !== undefined && !ts.isBlock(each)) as ts.Node[],
    );
  if (ts.isIterationStatement(node, false) && !ts.isBlock(node.statement)) return new Set([node.statement]);
  return new Set();
}
