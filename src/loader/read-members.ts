import { ts } from "ts-morph";

import { readCommentsAbove, readMarkersBetween } from "./comment-groups.ts";
import type { ParsedSource } from "./parse-source.ts";
import { readTypeExpression } from "./read-type-expression.ts";
import type { MarkerComment, ObjectExpression, Property, TypeExpression } from "./type-model.ts";

/** What the members of an interface, class or object type say. */
export interface Members extends Pick<ObjectExpression, "properties" | "indexSignature"> {}

/** The members of a class, and the markers around them that stand above no property. */
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
export function readClassMembers(source: ParsedSource, members: ts.NodeArray<ts.ClassElement>, end: number): ClassMembers {
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
  if (ts.isGetAccessorDeclaration(member) || ts.isSetAccessorDeclaration(member)) return [readProperty(source, member, "an accessor")];
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
    const unsupported: TypeExpression = { kind: "unsupported", description: form === "field" ? "a computed name" : form, location };
    return { name: node.name?.getText(source.file) ?? "", isOptional, type: unsupported, comments: own, location };
  }
  if (form !== "field") {
    return { name, isOptional, type: { kind: "unsupported", description: form, location }, comments: own, location };
  }
  const type = "type" in node && node.type !== undefined ? readTypeExpression(source, node.type as ts.TypeNode) : undefined;
  return { name, isOptional, type, comments: own, location };
}

function readName(name: ts.PropertyName | ts.BindingName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isNoSubstitutionTemplateLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name) && ts.isStringLiteral(name.expression)) return name.expression.text;
  return undefined;
}

function isPublicField(member: ts.ClassElement): member is ts.PropertyDeclaration {
  return ts.isPropertyDeclaration(member) && !ts.isPrivateIdentifier(member.name) && !hasModifier(member, HIDDEN);
}

const HIDDEN = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword];
const PUBLIC_PARAMETER = [ts.SyntaxKind.PublicKeyword, ts.SyntaxKind.ReadonlyKeyword];

function readParameterProperties(source: ParsedSource, node: ts.ConstructorDeclaration): readonly Property[] {
  return node.parameters
    .filter((parameter) => hasModifier(parameter, PUBLIC_PARAMETER) && !hasModifier(parameter, HIDDEN))
    .map((parameter) => readProperty(source, parameter, "field"));
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
  return { indexSignature: { key: readTypeExpression(source, parameter.type), value: readTypeExpression(source, signature.type) } };
}
