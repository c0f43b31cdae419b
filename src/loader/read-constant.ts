import { ts } from "ts-morph";

import type { ConstantValue } from "./type-model.ts";

/** Reads the value of an expression that is made of literals; anything else in it is of kind `other`. */
export function readConstant(expression: ts.Expression): ConstantValue {
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
