import type {
  ConstantValue,
  MappedExpression,
  NodeComments,
  ObjectExpression,
  Property,
  ReferenceExpression,
  SourceLocation,
  TypeExpression,
} from "../loader/type-model.ts";
import { builtInSchema } from "./model/known-schemas.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import type { Scope, SchemaContext } from "./schema-context.ts";

/** A property as a type shows it, wherever it was declared. */
export type PropertyView =
  | {
      readonly kind: "property";
      readonly name: string;
      readonly property: Property;
      readonly scope: Scope;
      readonly isOptional: boolean;
    }
  /** A property of a built-in type, whose schema is known. */
  | { readonly kind: "schema"; readonly name: string; readonly node: SchemaNode; readonly isOptional: boolean };

const NO_COMMENTS: NodeComments = { description: "", markers: [] };

/** Lists all properties of an object type, inherited ones first; undefined when it is no object type. */
export function collectViews(
  type: TypeExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  switch (type.kind) {
    case "object":
      return type.indexSignature === undefined ? viewsOfObject(type, scope, context) : undefined;
    case "intersection":
      return concat(type.members.map((member) => collectViews(member, scope, context)));
    case "reference":
      return viewsOfReference(type, scope, context);
    case "mapped":
      return viewsOfMapped(type, scope, context);
    case "indexed access": {
      const found = indexedType(type, scope, context);
      if (found === undefined) return undefined;
      return found.kind === "type" ? collectViews(found.type, found.scope, context) : viewsOfSchema(found.node);
    }
    default:
      return undefined;
  }
}

/** Returns the properties that an object type declares itself. */
export function ownViews(type: ObjectExpression, scope: Scope): readonly PropertyView[] {
  return type.properties.map((property) => viewOf(property, scope));
}

function viewOf(property: Property, scope: Scope): PropertyView {
  return { kind: "property", name: property.name, property, scope, isOptional: property.isOptional };
}

function viewsOfObject(
  type: ObjectExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  const inherited = concat(type.extends.map((each) => collectViews(each, scope, context)));
  return inherited === undefined ? undefined : override([...inherited, ...ownViews(type, scope)]);
}

function viewsOfReference(
  type: ReferenceExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  const meaning = context.meaningOf(type, scope);
  switch (meaning.kind) {
    case "bound":
      return collectViews(meaning.bound.type, meaning.bound.scope, context);
    case "named": {
      const { shape, id } = meaning.declaration;
      if (shape.kind !== "type" || context.active.filter((each) => each.id === id).length > 8) return undefined;
      context.active.push({ key: "", id });
      const views = collectViews(shape.type, meaning.scope, context);
      context.active.pop();
      return views;
    }
    case "built-in":
      return viewsOfBuiltIn({ module: meaning.module, name: meaning.name, context });
    case "global":
      return viewsOfUtility(type, scope, context);
    default:
      return undefined;
  }
}

function viewsOfBuiltIn({
  module,
  name,
  context,
}: {
  readonly module: string;
  readonly name: string;
  readonly context: SchemaContext;
}): readonly PropertyView[] | undefined {
  // Whoever takes single fields of metadata gets them, whatever the option says of metadata as a whole.
  const { structSchema } = context.source;
  const known = builtInSchema({ module, name, structSchema, generateEmbeddedObjectMeta: true });
  return known.kind === "named" ? viewsOfSchema(known.node) : undefined;
}

function viewsOfSchema(node: SchemaNode): readonly PropertyView[] | undefined {
  if (node.properties === undefined) return undefined;
  const required = node.required ?? [];
  return Object.entries(node.properties).map(([property, node]) => ({
    kind: "schema",
    name: property,
    node,
    isOptional: !required.includes(property),
  }));
}

function viewsOfUtility(
  type: ReferenceExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  const [first, second] = type.arguments;
  if (first === undefined) return undefined;
  if (type.name === "Record" && second !== undefined) return viewsOfRecord(first, second, scope, context);
  const views =
    type.name === "NonNullable" ? viewsWithoutNull(first, scope, context) : collectViews(first, scope, context);
  if (views === undefined) return undefined;
  if (type.name === "Readonly" || type.name === "NonNullable") return views;
  if (type.name === "Partial") return views.map((view) => ({ ...view, isOptional: true }));
  if (type.name === "Required") return views.map((view) => ({ ...view, isOptional: false }));
  const names = second === undefined ? undefined : literalsOf(second, scope, context);
  if (names === undefined) return undefined;
  if (type.name === "Pick") {
    const picked = views.filter((view) => names.includes(view.name));
    return picked.length === names.length ? picked : undefined;
  }
  return type.name === "Omit" ? views.filter((view) => !names.includes(view.name)) : undefined;
}

function viewsWithoutNull(
  type: TypeExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  const found = type.kind === "indexed access" ? indexedType(type, scope, context) : undefined;
  return found?.kind === "type"
    ? collectViews(withoutNull(found.type), found.scope, context)
    : collectViews(withoutNull(type), scope, context);
}

// Each property is that of the mapped type when the value is `T[K]`, with its text and markers; otherwise it is a new one.
function viewsOfMapped(
  type: MappedExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  const { keys, value, parameter, location } = type;
  const names = literalsOf(keys, scope, context);
  if (names === undefined || value === undefined) return undefined;
  const isLookup = value.kind === "indexed access" && isParameter(value.index, parameter);
  const original = isLookup ? value.object : keys.kind === "keyof" ? keys.type : undefined;
  const known = original === undefined ? undefined : collectViews(original, scope, context);
  return names.map((key) => {
    const name = String(key);
    const view = known?.find((each) => each.name === name);
    const isOptional = type.presence === "kept" ? view?.isOptional === true : type.presence === "optional";
    if (isLookup && view !== undefined) return { ...view, isOptional };
    const inner = withKey({ scope, parameter, key, location });
    return viewOf({ name, isOptional, type: value, comments: NO_COMMENTS, location: value.location }, inner);
  });
}

function isParameter(type: TypeExpression, parameter: string): boolean {
  return type.kind === "reference" && type.name === parameter && type.arguments.length === 0;
}

function withKey({
  scope,
  parameter,
  key,
  location,
}: {
  readonly scope: Scope;
  readonly parameter: string;
  readonly key: Literal;
  readonly location: SourceLocation;
}): Scope {
  // The key of the scope tells instances of generic types apart that differ in the parameter alone.
  const named: Scope = { key: `${scope.key}[${parameter}=${JSON.stringify(key)}]`, bindings: scope.bindings };
  const bound = { type: { kind: "literal", value: key, location } as const, scope: named };
  return { key: named.key, bindings: new Map([...scope.bindings, [parameter, bound]]) };
}

function viewsOfRecord(
  key: TypeExpression,
  value: TypeExpression,
  scope: Scope,
  context: SchemaContext,
): readonly PropertyView[] | undefined {
  return literalsOf(key, scope, context)?.map((name) =>
    viewOf(
      { name: String(name), isOptional: false, type: value, comments: NO_COMMENTS, location: value.location },
      scope,
    ),
  );
}

function concat(lists: readonly (readonly PropertyView[] | undefined)[]): readonly PropertyView[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? override(known.flat()) : undefined;
}

// What is declared later takes the place of what is declared earlier.
function override(views: readonly PropertyView[]): readonly PropertyView[] {
  return [...new Map(views.map((view) => [view.name, view])).values()];
}

/** A value that a literal type allows. */
export type Literal = string | number | boolean | null;

/** Returns the values that a type allows when it consists of literals alone, in source order; undefined otherwise. */
export function literalsOf(type: TypeExpression, scope: Scope, context: SchemaContext): readonly Literal[] | undefined {
  switch (type.kind) {
    case "literal":
      return [type.value];
    case "union":
      return concatLiterals(type.members.map((member) => literalsOf(member, scope, context)));
    case "reference":
      return literalsOfReference(type, scope, context);
    case "keyof":
      return type.type.kind === "typeof" ? namesOfConstant(type.type, context) : namesOfType(type.type, scope, context);
    case "indexed access":
      return literalsOfIndex(type, scope, context);
    default:
      return undefined;
  }
}

function literalsOfReference(
  type: ReferenceExpression,
  scope: Scope,
  context: SchemaContext,
): readonly Literal[] | undefined {
  const meaning = context.meaningOf(type, scope);
  switch (meaning.kind) {
    case "bound":
      return literalsOf(meaning.bound.type, meaning.bound.scope, context);
    case "named":
      return literalsOfDeclaration(meaning, context);
    case "enum member": {
      const shape = context.source.model.declarations.get(meaning.id)?.shape;
      const value =
        shape?.kind === "enum" ? shape.members.find((each) => each.name === meaning.member)?.value : undefined;
      return value === undefined ? undefined : [value];
    }
    case "global":
      return literalsOfUtility(type, scope, context);
    default:
      return undefined;
  }
}

function literalsOfDeclaration(
  { declaration, scope }: Extract<ReturnType<SchemaContext["meaningOf"]>, { kind: "named" }>,
  context: SchemaContext,
): readonly Literal[] | undefined {
  const { shape, id } = declaration;
  if (shape.kind === "enum")
    return concatLiterals(shape.members.map((member) => (member.value === undefined ? undefined : [member.value])));
  if (shape.form !== "alias" || context.active.filter((each) => each.id === id).length > 8) return undefined;
  context.active.push({ key: "", id });
  const literals = literalsOf(shape.type, scope, context);
  context.active.pop();
  return literals;
}

function literalsOfUtility(
  type: ReferenceExpression,
  scope: Scope,
  context: SchemaContext,
): readonly Literal[] | undefined {
  const [first, second] = type.arguments.map((each) => literalsOf(each, scope, context));
  if (first === undefined) return undefined;
  if (type.name === "NonNullable") return first.filter((each) => each !== null);
  if (second === undefined) return undefined;
  if (type.name === "Exclude") return first.filter((each) => !second.includes(each));
  return type.name === "Extract" ? first.filter((each) => second.includes(each)) : undefined;
}

function namesOfType(type: TypeExpression, scope: Scope, context: SchemaContext): readonly Literal[] | undefined {
  return collectViews(type, scope, context)?.map((view) => view.name);
}

function namesOfConstant(
  type: Extract<TypeExpression, { kind: "typeof" }>,
  context: SchemaContext,
): readonly Literal[] | undefined {
  const target = context.valueOf(type.file, type.name);
  if (target?.kind === "constant" && target.value.kind === "record") return target.value.entries.map(([name]) => name);
  const shape = target?.kind === "declaration" ? context.source.model.declarations.get(target.id)?.shape : undefined;
  return shape?.kind === "enum" ? shape.members.map((member) => member.name) : undefined;
}

function literalsOfIndex(
  type: Extract<TypeExpression, { kind: "indexed access" }>,
  scope: Scope,
  context: SchemaContext,
): readonly Literal[] | undefined {
  if (type.object.kind !== "typeof") {
    const found = indexedType(type, scope, context);
    return found?.kind === "type" ? literalsOf(found.type, found.scope, context) : undefined;
  }
  const target = context.valueOf(type.object.file, type.object.name);
  if (target?.kind !== "constant") return undefined;
  if (type.index.kind === "keyword" && type.index.name === "number") return literalsOfList(target.value);
  if (target.value.kind !== "record") return undefined;
  const names = literalsOf(type.index, scope, context) ?? [];
  return concatLiterals(
    target.value.entries
      .filter(([name]) => names.includes(name))
      .map(([, value]) => (value.kind === "literal" ? [value.value] : undefined)),
  );
}

/** What an indexed access leads to: a type of the sources, or the schema of a property of a built-in type. */
export type IndexedType =
  | { readonly kind: "type"; readonly type: TypeExpression; readonly scope: Scope }
  | { readonly kind: "schema"; readonly node: SchemaNode };

/** Returns the type of the property that `T["p"]` names, or of the items of the list `T` for `T[number]`. */
export function indexedType(
  type: Extract<TypeExpression, { kind: "indexed access" }>,
  scope: Scope,
  context: SchemaContext,
): IndexedType | undefined {
  if (type.index.kind === "keyword" && type.index.name === "number") return itemsOf(type.object, scope, context);
  const names = literalsOf(type.index, scope, context);
  const view =
    names?.length === 1 ? collectViews(type.object, scope, context)?.find((each) => each.name === names[0]) : undefined;
  if (view?.kind === "schema") return { kind: "schema", node: view.node };
  return view?.property.type === undefined ? undefined : { kind: "type", type: view.property.type, scope: view.scope };
}

function itemsOf(type: TypeExpression, scope: Scope, context: SchemaContext): IndexedType | undefined {
  switch (type.kind) {
    case "array":
      return { kind: "type", type: type.items, scope };
    case "indexed access": {
      const found = indexedType(type, scope, context);
      if (found?.kind === "type") return itemsOf(found.type, found.scope, context);
      return found?.node.items === undefined ? undefined : { kind: "schema", node: found.node.items };
    }
    case "reference":
      return itemsOfReference(type, scope, context);
    default:
      return undefined;
  }
}

function itemsOfReference(type: ReferenceExpression, scope: Scope, context: SchemaContext): IndexedType | undefined {
  const meaning = context.meaningOf(type, scope);
  const [first] = type.arguments;
  if (meaning.kind === "bound") return itemsOf(meaning.bound.type, meaning.bound.scope, context);
  if (meaning.kind === "global" && first !== undefined) {
    if (/^(?:Readonly)?Array$/u.test(type.name)) return { kind: "type", type: first, scope };
    return /^(?:Readonly|NonNullable)$/u.test(type.name) ? itemsOf(withoutNull(first), scope, context) : undefined;
  }
  if (meaning.kind !== "named") return undefined;
  const { shape, id } = meaning.declaration;
  if (shape.kind !== "type" || context.active.filter((each) => each.id === id).length > 8) return undefined;
  context.active.push({ key: "", id });
  const items = itemsOf(shape.type, meaning.scope, context);
  context.active.pop();
  return items;
}

/** Returns a union without null; any other type stays. */
function withoutNull(type: TypeExpression): TypeExpression {
  if (type.kind !== "union") return type;
  const members = type.members.filter((member) => member.kind !== "literal" || member.value !== null);
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { ...type, members };
}

function literalsOfList(value: ConstantValue): readonly Literal[] | undefined {
  return value.kind === "list"
    ? concatLiterals(value.items.map((item) => (item.kind === "literal" ? [item.value] : undefined)))
    : undefined;
}

function concatLiterals(lists: readonly (readonly Literal[] | undefined)[]): readonly Literal[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? [...new Set(known.flat())] : undefined;
}
