import { ts } from "ts-morph";

import { readMembers } from "./read-members.ts";
import type { ParsedSource } from "./parse-source.ts";
import type { SourceLocation, TemplatePart, TypeExpression } from "./type-model.ts";

const KEYWORDS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
  [ts.SyntaxKind.AnyKeyword, "any"],
  [ts.SyntaxKind.UnknownKeyword, "unknown"],
  [ts.SyntaxKind.ObjectKeyword, "object"],
  [ts.SyntaxKind.SymbolKeyword, "symbol"],
  [ts.SyntaxKind.BigIntKeyword, "bigint"],
  [ts.SyntaxKind.VoidKeyword, "void"],
  [ts.SyntaxKind.NeverKeyword, "never"],
  [ts.SyntaxKind.UndefinedKeyword, "undefined"],
]);

// Forms that have no schema, in words for the message.
const UNSUPPORTED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.FunctionType, "a function"],
  [ts.SyntaxKind.ConstructorType, "a constructor"],
  [ts.SyntaxKind.TupleType, "a tuple"],
  [ts.SyntaxKind.MappedType, "a mapped type"],
  [ts.SyntaxKind.ConditionalType, "a conditional type"],
  [ts.SyntaxKind.ThisType, "the type this"],
  [ts.SyntaxKind.TypePredicate, "a type predicate"],
  [ts.SyntaxKind.InferType, "an inferred type"],
]);

/** Reads a type as it is written, without looking any name up. */
export function readTypeExpression(source: ParsedSource, node: ts.TypeNode): TypeExpression {
  const location = source.locate(node.getStart(source.file), node.end);
  const keyword = KEYWORDS.get(node.kind);
  if (keyword !== undefined) return { kind: "keyword", name: keyword, location };
  if (ts.isParenthesizedTypeNode(node)) return readTypeExpression(source, node.type);
  if (ts.isLiteralTypeNode(node)) return readLiteral(node.literal, location);
  if (ts.isArrayTypeNode(node)) return { kind: "array", items: readTypeExpression(source, node.elementType), location };
  if (ts.isTypeLiteralNode(node)) {
    return { kind: "object", extends: [], ...readMembers(source, node.members, node.end), location };
  }
  if (ts.isTypeReferenceNode(node)) {
    return readReference({ source, name: node.typeName.getText(source.file), node, location });
  }
  if (ts.isExpressionWithTypeArguments(node)) {
    return readReference({ source, name: node.expression.getText(source.file), node, location });
  }
  if (ts.isUnionTypeNode(node)) {
    return { kind: "union", members: node.types.map((type) => readTypeExpression(source, type)), location };
  }
  if (ts.isIntersectionTypeNode(node)) {
    return { kind: "intersection", members: node.types.map((type) => readTypeExpression(source, type)), location };
  }
  return readRareForm(source, node, location);
}

function readRareForm(source: ParsedSource, node: ts.TypeNode, location: SourceLocation): TypeExpression {
  if (ts.isTypeOperatorNode(node)) return readOperator(source, node, location);
  if (ts.isIndexedAccessTypeNode(node)) {
    const object = readTypeExpression(source, node.objectType);
    return { kind: "indexed access", object, index: readTypeExpression(source, node.indexType), location };
  }
  if (ts.isTypeQueryNode(node)) {
    return { kind: "typeof", file: source.path, name: node.exprName.getText(source.file), location };
  }
  if (ts.isTemplateLiteralTypeNode(node)) return { kind: "template", parts: readTemplate(source, node), location };
  if (ts.isImportTypeNode(node)) return readImportType(source, node, location);
  return { kind: "unsupported", description: UNSUPPORTED.get(node.kind) ?? "a type of this form", location };
}

function readReference(options: {
  readonly source: ParsedSource;
  readonly name: string;
  readonly node: ts.NodeWithTypeArguments;
  readonly location: SourceLocation;
}): TypeExpression {
  const { source, name, node, location } = options;
  const types = (node.typeArguments ?? []).map((type) => readTypeExpression(source, type));
  const [only] = types;
  if ((name === "Array" || name === "ReadonlyArray") && only !== undefined) return { kind: "array", items: only, location };
  return { kind: "reference", file: source.path, name, arguments: types, location };
}

function readLiteral(literal: ts.LiteralTypeNode["literal"], location: SourceLocation): TypeExpression {
  if (literal.kind === ts.SyntaxKind.NullKeyword) return { kind: "literal", value: null, location };
  if (literal.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true, location };
  if (literal.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false, location };
  if (ts.isStringLiteralLike(literal)) return { kind: "literal", value: literal.text, location };
  if (ts.isNumericLiteral(literal)) return { kind: "literal", value: Number(literal.text), location };
  if (ts.isPrefixUnaryExpression(literal) && ts.isNumericLiteral(literal.operand)) {
    return { kind: "literal", value: -Number(literal.operand.text), location };
  }
  return { kind: "unsupported", description: "a bigint literal", location };
}

function readOperator(source: ParsedSource, node: ts.TypeOperatorNode, location: SourceLocation): TypeExpression {
  if (node.operator === ts.SyntaxKind.ReadonlyKeyword) return readTypeExpression(source, node.type);
  if (node.operator === ts.SyntaxKind.KeyOfKeyword) {
    return { kind: "keyof", type: readTypeExpression(source, node.type), location };
  }
  return { kind: "keyword", name: "symbol", location };
}

function readTemplate(source: ParsedSource, node: ts.TemplateLiteralTypeNode): readonly TemplatePart[] {
  const head: TemplatePart = { kind: "text", text: node.head.text };
  const spans = node.templateSpans.flatMap((span): readonly TemplatePart[] => [
    { kind: "type", type: readTypeExpression(source, span.type) },
    { kind: "text", text: span.literal.text },
  ]);
  return [head, ...spans];
}

function readImportType(source: ParsedSource, node: ts.ImportTypeNode, location: SourceLocation): TypeExpression {
  const { argument, qualifier } = node;
  if (!ts.isLiteralTypeNode(argument) || !ts.isStringLiteral(argument.literal) || qualifier === undefined || node.isTypeOf) {
    return { kind: "unsupported", description: "an import of a whole module", location };
  }
  const name = `import(${JSON.stringify(argument.literal.text)}).${qualifier.getText(source.file)}`;
  return readReference({ source, name, node, location });
}
