import { ts } from "ts-morph";

import { readCommentsAbove, readMarkersBetween } from "./comment-groups.ts";
import type { ParsedSource } from "./parse-source.ts";
import type {
  MarkerComment,
  ObjectExpression,
  Property,
  SourceLocation,
  TemplatePart,
  TypeExpression,
} from "./type-model.ts";

// The compiler is loaded when a source is parsed, so no table of its numbers is made before.
let tables:
  | { readonly keywords: ReadonlyMap<number, string>; readonly unsupported: ReadonlyMap<number, string> }
  | undefined;

function kindTables(): NonNullable<typeof tables> {
  return (tables ??= { keywords: keywordKinds(), unsupported: unsupportedKinds() });
}

function keywordKinds(): ReadonlyMap<number, string> {
  return new Map([
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
}

// Forms that have no schema, in words for the message.
function unsupportedKinds(): ReadonlyMap<number, string> {
  return new Map([
    [ts.SyntaxKind.FunctionType, "a function"],
    [ts.SyntaxKind.ConstructorType, "a constructor"],
    [ts.SyntaxKind.TupleType, "a tuple"],
    [ts.SyntaxKind.ConditionalType, "a conditional type"],
    [ts.SyntaxKind.ThisType, "the type this"],
    [ts.SyntaxKind.TypePredicate, "a type predicate"],
    [ts.SyntaxKind.InferType, "an inferred type"],
  ]);
}

/** Reads a type as it is written, without looking any name up. */
export function readTypeExpression(source: ParsedSource, node: ts.TypeNode): TypeExpression {
  const location = source.locate(node.getStart(source.file), node.end);
  const keyword = kindTables().keywords.get(node.kind);
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
  if (ts.isMappedTypeNode(node)) return readMappedType(source, node, location);
  return {
    kind: "unsupported",
    description: kindTables().unsupported.get(node.kind) ?? "a type with this syntax",
    location,
  };
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
  if ((name === "Array" || name === "ReadonlyArray") && only !== undefined)
    return { kind: "array", items: only, location };
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
  if (
    !ts.isLiteralTypeNode(argument) ||
    !ts.isStringLiteral(argument.literal) ||
    qualifier === undefined ||
    node.isTypeOf
  ) {
    return { kind: "unsupported", description: "an import of a whole module", location };
  }
  const name = `import(${JSON.stringify(argument.literal.text)}).${qualifier.getText(source.file)}`;
  return readReference({ source, name, node, location });
}

function readMappedType(source: ParsedSource, node: ts.MappedTypeNode, location: SourceLocation): TypeExpression {
  const { typeParameter, questionToken, nameType, type } = node;
  if (nameType !== undefined || typeParameter.constraint === undefined) {
    return { kind: "unsupported", description: "a mapped type that renames its keys", location };
  }
  return {
    kind: "mapped",
    parameter: typeParameter.name.text,
    keys: readTypeExpression(source, typeParameter.constraint),
    value: type === undefined ? undefined : readTypeExpression(source, type),
    presence: presenceOf(questionToken),
    location,
  };
}

function presenceOf(token: ts.MappedTypeNode["questionToken"]): "kept" | "optional" | "required" {
  if (token === undefined) return "kept";
  return token.kind === ts.SyntaxKind.MinusToken ? "required" : "optional";
}

/** What the members of an interface, class or object type say. */
export interface Members extends Pick<ObjectExpression, "properties" | "indexSignature"> {}

/** The members of a class, and the markers around them that are above no property. */
export interface ClassMembers extends Members {
  readonly markers: readonly MarkerComment[];
}

/** Reads the members of an interface or object type. */
export function readMembers(source: ParsedSource, members: ts.NodeArray<ts.TypeElement>, end: number): Members {
  readStrayMarkers(source, members, end);
  const properties = members.flatMap((member) => readTypeElement(source, member));
  return { properties, ...readIndexSignature(source, members) };
}

/** Reads the public fields of a class; methods, accessors, static and hidden members are none. */
export function readClassMembers(
  source: ParsedSource,
  members: ts.NodeArray<ts.ClassElement>,
  end: number,
): ClassMembers {
  const properties: Property[] = [];
  const markers: MarkerComment[] = [];
  for (const member of members) {
    const comments = readCommentsAbove(source, member);
    markers.push(...comments.farther);
    source.strays.push(...comments.trailing);
    if (isPublicField(member)) properties.push(readProperty(source, member, "field"));
    else markers.push(...comments.own.markers);
    if (ts.isConstructorDeclaration(member)) properties.push(...readParameterProperties(source, member));
  }
  markers.push(...readMarkersBetween(source, members.end, end - 1));
  return { properties, markers, ...readIndexSignature(source, members) };
}

function readStrayMarkers(source: ParsedSource, members: ts.NodeArray<ts.TypeElement>, end: number): void {
  source.strays.push(...readMarkersBetween(source, members.end, end - 1));
  for (const member of members) {
    const { farther, trailing } = readCommentsAbove(source, member);
    source.strays.push(...farther, ...trailing);
  }
}

function readTypeElement(source: ParsedSource, member: ts.TypeElement): readonly Property[] {
  if (ts.isPropertySignature(member)) return [readProperty(source, member, "field")];
  if (ts.isMethodSignature(member)) return [readProperty(source, member, "a method")];
  if (ts.isCallSignatureDeclaration(member) || ts.isConstructSignatureDeclaration(member)) {
    return [readProperty(source, member, "a function")];
  }
  if (ts.isGetAccessorDeclaration(member) || ts.isSetAccessorDeclaration(member))
    return [readProperty(source, member, "an accessor")];
  return [];
}

type PropertyNode = ts.TypeElement | ts.PropertyDeclaration | ts.ParameterDeclaration;

function readProperty(source: ParsedSource, node: PropertyNode, form: string): Property {
  const start = (node.name ?? node).getStart(source.file);
  const location = source.locate(start, node.name?.end ?? node.end);
  const { own } = readCommentsAbove(source, node);
  const isOptional = "questionToken" in node && node.questionToken !== undefined;
  const name = node.name === undefined ? undefined : readName(node.name);
  if (name === undefined) {
    const unsupported: TypeExpression = {
      kind: "unsupported",
      description: form === "field" ? "a computed name" : form,
      location,
    };
    return { name: node.name?.getText(source.file) ?? "", isOptional, type: unsupported, comments: own, location };
  }
  if (form !== "field") {
    return { name, isOptional, type: { kind: "unsupported", description: form, location }, comments: own, location };
  }
  const type = "type" in node && node.type !== undefined ? readTypeExpression(source, node.type) : undefined;
  return { name, isOptional, type, comments: own, location };
}

function readName(name: ts.PropertyName | ts.BindingName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isNoSubstitutionTemplateLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name) && ts.isStringLiteral(name.expression)) return name.expression.text;
  return undefined;
}

function isPublicField(member: ts.ClassElement): member is ts.PropertyDeclaration {
  return ts.isPropertyDeclaration(member) && !ts.isPrivateIdentifier(member.name) && !isHidden(member);
}

function isHidden(node: ts.HasModifiers): boolean {
  const { PrivateKeyword, ProtectedKeyword, StaticKeyword } = ts.SyntaxKind;
  return hasModifier(node, [PrivateKeyword, ProtectedKeyword, StaticKeyword]);
}

function readParameterProperties(source: ParsedSource, node: ts.ConstructorDeclaration): readonly Property[] {
  return node.parameters
    .filter((parameter) => isPublicParameter(parameter) && !isHidden(parameter))
    .map((parameter) => readProperty(source, parameter, "field"));
}

function isPublicParameter(parameter: ts.ParameterDeclaration): boolean {
  return hasModifier(parameter, [ts.SyntaxKind.PublicKeyword, ts.SyntaxKind.ReadonlyKeyword]);
}

function hasModifier(node: ts.HasModifiers, kinds: readonly ts.SyntaxKind[]): boolean {
  return node.modifiers?.some((modifier) => kinds.includes(modifier.kind)) === true;
}

function readIndexSignature(
  source: ParsedSource,
  members: ts.NodeArray<ts.TypeElement | ts.ClassElement>,
): Pick<ObjectExpression, "indexSignature"> {
  const signature = members.find((member) => ts.isIndexSignatureDeclaration(member));
  const parameter = signature?.parameters[0];
  if (signature === undefined || parameter?.type === undefined) return {};
  return {
    indexSignature: {
      key: readTypeExpression(source, parameter.type),
      value: readTypeExpression(source, signature.type),
    },
  };
}
