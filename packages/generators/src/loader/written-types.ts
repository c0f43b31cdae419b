import { ts } from "ts-morph";

import type { WrittenType } from "./written-value.ts";

/** The names that a source imports from `@kubescaffold/k8s`: by local name, the path of the module there, and the exported name, `*` for all. */
export type BuiltInImports = ReadonlyMap<string, { readonly place: string; readonly name: string }>;

const PACKAGE = "@kubescaffold/k8s/";

/** Returns the path of a module in `@kubescaffold/k8s`, such as `core/v1`; undefined for other modules. */
export function placeOfModule(specifier: string): string | undefined {
  if (!specifier.startsWith(PACKAGE)) return undefined;
  return specifier.slice(PACKAGE.length).replace(/^apply\//u, "");
}

// The fields that are applied to a type have its name with this ending.
const APPLIED = /Apply$/u;

/** Returns the built-in type that a name of a source refers to. */
export function namedType(imports: BuiltInImports, name: string, member?: string): WrittenType | undefined {
  const found = imports.get(name);
  if (found === undefined || (found.name === "*") !== (member !== undefined)) return undefined;
  return { kind: "named", place: found.place, name: (member ?? found.name).replace(APPLIED, "") };
}

// Types that have the fields of their first argument.
const WRAPPERS = new Set([
  ..."Awaited DeepPartial DeepReadonly NonNullable Partial Promise Readonly Required Stored".split(" "),
  ..."FieldsOf Omit Pick".split(" "),
]);
const LISTS = new Set(["Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable"]);

/** Reads the built-in type that a type node states; undefined for other types. */
export function readWrittenType(imports: BuiltInImports, node: ts.TypeNode | undefined): WrittenType | undefined {
  if (node === undefined) return undefined;
  const read = (inner: ts.TypeNode | undefined): WrittenType | undefined => readWrittenType(imports, inner);
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return read(node.type);
  if (ts.isArrayTypeNode(node)) return listOf(read(node.elementType));
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node))
    return firstKnown(node.types.map((each) => read(each)));
  if (ts.isIndexedAccessTypeNode(node)) return partOf(read(node.objectType), node.indexType);
  return ts.isTypeReferenceNode(node) ? readReference(imports, node) : undefined;
}

function readReference(
  imports: BuiltInImports,
  { typeName, typeArguments }: ts.TypeReferenceNode,
): WrittenType | undefined {
  const read = (index: number): WrittenType | undefined => readWrittenType(imports, typeArguments?.[index]);
  if (!ts.isIdentifier(typeName)) {
    return ts.isIdentifier(typeName.left) ? namedType(imports, typeName.left.text, typeName.right.text) : undefined;
  }
  const name = typeName.text;
  if (LISTS.has(name)) return listOf(read(0));
  if (name === "Record" || name === "Map" || name === "ReadonlyMap") return mapOf(read(1));
  return namedType(imports, name) ?? (WRAPPERS.has(name) ? read(0) : undefined);
}

function partOf(of: WrittenType | undefined, index: ts.TypeNode): WrittenType | undefined {
  if (of === undefined) return undefined;
  return ts.isLiteralTypeNode(index) && ts.isStringLiteral(index.literal)
    ? { kind: "property", of, name: index.literal.text }
    : { kind: "element", of };
}

/** Returns the first type that is known. */
export function firstKnown(types: readonly (WrittenType | undefined)[]): WrittenType | undefined {
  return types.find((each) => each !== undefined);
}

function listOf(of: WrittenType | undefined): WrittenType | undefined {
  return of === undefined ? undefined : { kind: "list", of };
}

function mapOf(of: WrittenType | undefined): WrittenType | undefined {
  return of === undefined ? undefined : { kind: "map", of };
}
