import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import type {
  Declaration,
  Property,
  ReferenceExpression,
  SourceLocation,
  TypeExpression,
} from "../loader/type-model.ts";
import type { MarkerUse } from "../markers/read-markers.ts";
import { applyMarkers } from "./apply-markers.ts";
import { unionNode } from "./discriminated-union.ts";
import { enumNode } from "./enum-to-schema.ts";
import { mapNode, mappedNode } from "./map-to-schema.ts";
import { builtInSchema } from "./model/known-schemas.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import { intersectionNode, objectNode, oneOfNames } from "./object-to-schema.ts";
import { collectViews, indexedType, literalsOf, ownViews } from "./resolve-type.ts";
import { GLOBAL_SCOPE, SchemaContext, type Scope, type SchemaSource, type TypeFinding } from "./schema-context.ts";
import { templatePattern } from "./template-pattern.ts";
import { TOO_DEEP, unresolved } from "./ways-out.ts";

/** Makes what schemas are made with. */
export function createSchemaContext(source: SchemaSource): SchemaContext {
  return new SchemaContext(source, typeToNode);
}

/** Returns the schema of a declared type, with references to other named types in it. */
export function schemaOfDeclaration(declaration: Declaration, context: SchemaContext): SchemaNode {
  return schemaOfNamed({ declaration, scope: GLOBAL_SCOPE, location: declaration.location, context }) ?? {};
}

function typeToNode(type: TypeExpression, scope: Scope, context: SchemaContext): SchemaNode {
  switch (type.kind) {
    case "keyword":
      return keywordNode(type, context);
    case "literal":
      return enumNode([type.value], type.location, context);
    case "template":
      return templateNode(type, scope, context);
    case "array":
      return { type: "array", items: context.nodeOf(type.items, scope), origin: type.location };
    case "object":
      return objectTypeNode(type, scope, context, []);
    case "reference":
      return referenceNode(type, scope, context);
    case "union":
      return unionNode(type, scope, context);
    case "intersection":
      return intersectionNode({ type, scope, context, markers: [] });
    case "indexed access":
      return indexedNode(type, scope, context);
    case "keyof": {
      const literals = literalsOf(type, scope, context);
      return literals === undefined
        ? unresolved(type.location, "keyof of this type", context)
        : enumNode(literals, type.location, context);
    }
    case "typeof":
      return unresolved(type.location, "typeof of a whole value", context);
    case "mapped":
      return mappedNode(type, scope, context);
    default:
      return unresolved(type.location, type.description, context);
  }
}

function keywordNode(
  { name, location }: Extract<TypeExpression, { kind: "keyword" }>,
  context: SchemaContext,
): SchemaNode {
  if (name === "string" || name === "boolean") return { type: name, origin: location };
  if (name === "number") return numberNode(location, context);
  return unresolved(location, `the type ${name}`, context);
}

function numberNode(location: SourceLocation, context: SchemaContext): SchemaNode {
  if (context.source.allowDangerousTypes) return { type: "number", origin: location };
  context.report({
    code: "GENERATE_BARE_NUMBER",
    message: "number does not distinguish integers from floats",
    hint: "use int32 or int64 of @kubescaffold/k8s; floating-point numbers need crd:allowDangerousTypes=true",
    location,
  });
  return { isUnresolved: true };
}

function templateNode(
  type: Extract<TypeExpression, { kind: "template" }>,
  scope: Scope,
  context: SchemaContext,
): SchemaNode {
  const pattern = templatePattern(
    type.parts,
    (part) => literalsOf(part, scope, context),
    (part) => context.nodeOf(part, scope),
  );
  return pattern === undefined
    ? unresolved(type.location, "a template of these types", context)
    : { type: "string", pattern, origin: type.location };
}

// The markers are those of the declaration whose type it is.
function objectTypeNode(
  type: Extract<TypeExpression, { kind: "object" }>,
  scope: Scope,
  context: SchemaContext,
  markers: readonly MarkerUse[],
): SchemaNode {
  const { indexSignature, properties, location } = type;
  if (indexSignature === undefined) {
    const inherited = type.extends.map((each) => context.nodeOf(each, scope));
    return objectNode({
      views: ownViews(type, scope),
      inherited,
      location,
      oneOf: oneOfNames(markers, context),
      context,
    });
  }
  if (properties.length > 0 || type.extends.length > 0) {
    context.report({
      code: "GENERATE_INDEX_BESIDE_PROPERTIES",
      message: "the type has both an index signature and properties, which API servers reject",
      hint: "move the index signature to a separate property of type Record<string, T>",
      location,
    });
    return { isUnresolved: true };
  }
  return mapNode(indexSignature.key, indexSignature.value, scope, context);
}

function indexedNode(
  type: Extract<TypeExpression, { kind: "indexed access" }>,
  scope: Scope,
  context: SchemaContext,
): SchemaNode {
  const literals = literalsOf(type, scope, context);
  if (literals !== undefined) return enumNode(literals, type.location, context);
  const found = indexedType(type, scope, context);
  if (found !== undefined) return found.kind === "type" ? context.nodeOf(found.type, found.scope) : found.node;
  const name = literalsOf(type.index, scope, context)?.[0];
  const properties = collectViews(type.object, scope, context)?.map((view) => view.name);
  if (name === undefined || properties === undefined || properties.includes(String(name)))
    return unresolved(type.location, "an indexed access of this form", context);
  context.report({
    code: "GENERATE_UNKNOWN_TYPE",
    message: `the type has no property ${name}`,
    hint: `use one of ${properties.join(", ")}`,
    location: type.index.location,
  });
  return { isUnresolved: true };
}

function referenceNode(type: ReferenceExpression, scope: Scope, context: SchemaContext): SchemaNode {
  const meaning = context.meaningOf(type, scope);
  const { location } = type;
  const isComputed = meaning.kind !== "named" && type.arguments.some((each) => each.kind === "typeof");
  if (isComputed && literalsOf(type, scope, context) === undefined)
    return unresolved(location, "a type that is computed from a value", context);
  switch (meaning.kind) {
    case "bound":
      return context.nodeOf(meaning.bound.type, meaning.bound.scope);
    case "named": {
      const named = schemaOfNamed({ ...meaning, location, context });
      return named === undefined
        ? {}
        : useOfNamed({ declaration: meaning.declaration, scope: meaning.scope, named, location, context });
    }
    case "enum member":
      return enumNode(literalsOf(type, scope, context) ?? [], location, context);
    case "built-in":
      return builtInNode({ module: meaning.module, name: meaning.name, location, context });
    case "global":
      return utilityNode(type, scope, context);
    case "constant":
      return unresolved(location, `the value ${type.name}`, context);
    default:
      context.report({
        code: "GENERATE_UNKNOWN_TYPE",
        message: `cannot find the type ${type.name}: ${meaning.reason}`,
        hint: "import the type or correct its name",
        location,
      });
      return { isUnresolved: true };
  }
}

// A use of a string, a number or a boolean with a name has the format, too, which matters where formats differ; one in another package has not.
function useOfNamed(options: {
  readonly declaration: Declaration;
  readonly scope: Scope;
  readonly named: SchemaNode;
  readonly location: SourceLocation;
  readonly context: SchemaContext;
}): SchemaNode {
  const { declaration, scope, named, location, context } = options;
  const node = useOf(keyOf(declaration, scope), named, location);
  if (path.posix.dirname(declaration.file) !== path.posix.dirname(location.file)) return node;
  let end = named;
  while (end.reference !== undefined && !isBuiltIn(end.reference)) end = context.named.get(end.reference) ?? {};
  const isBasic = end.reference === undefined && BASIC_TYPES.has(end.type ?? "");
  if (isBasic && named.format !== undefined) node.format = named.format;
  return node;
}

const BASIC_TYPES = new Set(["string", "integer", "number", "boolean"]);

function isBuiltIn(reference: string): boolean {
  return reference.startsWith("@kubescaffold/k8s");
}

function useOf(reference: string, named: SchemaNode, location: SourceLocation): SchemaNode {
  const node: SchemaNode = { reference, origin: location };
  if (named.type !== undefined) node.type = named.type;
  return node;
}

function builtInNode(options: {
  readonly module: string;
  readonly name: string;
  readonly location: SourceLocation;
  readonly context: SchemaContext;
}): SchemaNode {
  const { module, name, location, context } = options;
  const { structSchema, generateEmbeddedObjectMeta } = context.source;
  const known = builtInSchema({ module, name, structSchema, generateEmbeddedObjectMeta });
  switch (known.kind) {
    case "scalar":
      return { ...known.node, origin: location };
    case "named":
      context.noteUse(`${module}#${name}`);
      context.named.set(`${module}#${name}`, known.node);
      return useOf(`${module}#${name}`, known.node, location);
    case "float":
      return floatNode(name, location, context);
    default:
      context.report({ code: "GENERATE_UNKNOWN_TYPE", ...missingStruct(module, name, context), location });
      return { isUnresolved: true };
  }
}

// The modules have the types of all versions.
function missingStruct(
  module: string,
  name: string,
  { source: { kubernetesVersion = KUBERNETES_MINOR } }: SchemaContext,
): Pick<TypeFinding, "message" | "hint"> {
  if (kubernetesVersion === KUBERNETES_MINOR)
    return {
      message: `${module} has no type ${name} with a schema`,
      hint: "use a type that the module exports and that is neither a list nor a request",
    };
  return {
    message: `Kubernetes ${kubernetesVersion} has no type ${name} with a schema in ${module}`,
    hint: "use another type, or generate for a version that has it, which the docs of the type state",
  };
}

function floatNode(name: string, location: SourceLocation, context: SchemaContext): SchemaNode {
  if (context.source.allowDangerousTypes) return { type: "number", origin: location };
  context.report({
    code: "GENERATE_FLOAT",
    message: `${name} is a floating-point number, which clients in other languages parse differently`,
    hint: "use an integer or a Quantity, or pass crd:allowDangerousTypes=true",
    location,
  });
  return { isUnresolved: true };
}

function utilityNode(type: ReferenceExpression, scope: Scope, context: SchemaContext): SchemaNode {
  const [first, second] = type.arguments;
  if (first === undefined || !UTILITIES.has(type.name))
    return unresolved(type.location, `the type ${type.name}`, context);
  const literals = literalsOf(type, scope, context);
  if (literals !== undefined) return enumNode(literals, type.location, context);
  if (type.name === "Readonly") return context.nodeOf(first, scope);
  if (type.name === "NonNullable") return nonNullableNode(first, scope, context);
  const isOpenRecord =
    type.name === "Record" && second !== undefined && literalsOf(first, scope, context) === undefined;
  if (isOpenRecord) return mapNode(first, second, scope, context);
  const views = collectViews(type, scope, context);
  if (views === undefined) return withoutPropertiesNode(type, first, { scope, context });
  const node = objectNode({ views, inherited: [], location: type.location, oneOf: [], context });
  return type.name === "Required" ? keepDeclaration(node, first, { scope, context }) : node;
}

// Partial and Required leave maps, lists, and scalars as they are.
function withoutPropertiesNode(
  type: ReferenceExpression,
  of: TypeExpression,
  { scope, context }: { readonly scope: Scope; readonly context: SchemaContext },
): SchemaNode {
  if (!/^(?:Partial|Required)$/u.test(type.name))
    return unresolved(type.location, `${type.name} of this type`, context);
  const node = context.nodeOf(of, scope);
  let end = node;
  while (end.reference !== undefined) end = context.named.get(end.reference) ?? {};
  return end.properties === undefined ? node : unresolved(type.location, `${type.name} of this type`, context);
}

const UTILITIES = new Set([
  "Record",
  "Partial",
  "Required",
  "Readonly",
  "Pick",
  "Omit",
  "NonNullable",
  "Exclude",
  "Extract",
]);

function nonNullableNode(type: TypeExpression, scope: Scope, context: SchemaContext): SchemaNode {
  if (type.kind === "union") {
    const members = type.members.filter((member) => member.kind !== "literal" || member.value !== null);
    return context.nodeOf({ ...type, members }, scope);
  }
  const found = type.kind === "indexed access" ? indexedType(type, scope, context) : undefined;
  if (found?.kind === "type") return nonNullableNode(found.type, found.scope, context);
  const meaning = type.kind === "reference" ? context.meaningOf(type, scope) : undefined;
  if (meaning?.kind === "bound") return nonNullableNode(meaning.bound.type, meaning.bound.scope, context);
  if (
    meaning?.kind !== "named" ||
    meaning.declaration.shape.kind !== "type" ||
    meaning.declaration.shape.type.kind !== "union"
  )
    return context.nodeOf(type, scope);
  return keepDeclaration(nonNullableNode(meaning.declaration.shape.type, meaning.scope, context), type, {
    scope,
    context,
  });
}

// The new type has the text and the markers of the one that it is made from.
function keepDeclaration(
  node: SchemaNode,
  type: TypeExpression,
  { scope, context }: { readonly scope: Scope; readonly context: SchemaContext },
): SchemaNode {
  const meaning = type.kind === "reference" ? context.meaningOf(type, scope) : undefined;
  return meaning?.kind === "named" ? documented(node, meaning.declaration, context) : node;
}

interface NamedOptions {
  readonly declaration: Declaration;
  readonly scope: Scope;
  /** Where the type is used. */
  readonly location: SourceLocation;
  readonly context: SchemaContext;
}

const DEEPEST_NESTING = 24;
// Each level is on the stack while it is made.
const DEEPEST_CHAIN = 256;

// Undefined for a type that is being made already: it contains itself.
function schemaOfNamed({ declaration, scope, location, context }: NamedOptions): SchemaNode | undefined {
  const key = keyOf(declaration, scope);
  context.noteUse(key);
  const known = context.named.get(key);
  if (known !== undefined) return known;
  const { id } = declaration;
  if (context.endless.has(id)) return undefined;
  const isInside = context.active.some((each) => each.key === key);
  if (isInside || context.active.filter((each) => each.id === id).length > DEEPEST_NESTING) {
    if (!isInside) context.endless.add(id);
    context.report({
      code: "GENERATE_RECURSIVE_TYPE",
      message: `the type ${declaration.name} is recursive, but CRD schemas do not support references`,
      hint: "use JSONValue for the recursive part, or +kubebuilder:validation:Schemaless with +kubebuilder:pruning:PreserveUnknownFields",
      location,
    });
    return undefined;
  }
  if (context.active.length >= DEEPEST_CHAIN) {
    context.report({ ...TOO_DEEP, location });
    return undefined;
  }
  context.active.push({ key, id });
  const node = documented(shapeNode(declaration, scope, context), declaration, context);
  context.active.pop();
  const finished = context.isKind(id) ? withoutRequiredMeta(node, declaration, context) : node;
  context.named.set(key, finished);
  return finished;
}

function shapeNode(declaration: Declaration, scope: Scope, context: SchemaContext): SchemaNode {
  const { shape, location } = declaration;
  const markers = context.source.marked.types.get(declaration.id) ?? [];
  if (shape.kind === "type") {
    const { type } = shape;
    if (type.kind === "object") return objectTypeNode(type, scope, context, markers);
    if (type.kind === "intersection") return intersectionNode({ type, scope, context, markers });
    return context.nodeOf(type, scope);
  }
  const values = shape.members.map((member) => member.value).filter((value) => value !== undefined);
  if (values.length === shape.members.length) return enumNode(values, location, context);
  return unresolved(location, "an enum with computed members", context);
}

function documented(node: SchemaNode, declaration: Declaration, context: SchemaContext): SchemaNode {
  const result: SchemaNode = { ...node, origin: declaration.location };
  if (declaration.comments.description !== "") result.description = declaration.comments.description;
  applyMarkers({
    markers: context.source.marked.types.get(declaration.id) ?? [],
    node: result,
    isType: true,
    typeOf: (reference) => context.named.get(reference) ?? {},
    report: (misfit) => context.report({ code: "GENERATE_MARKER_MISFIT", ...misfit }),
  });
  return result;
}

const META = new Set(["apiVersion", "kind", "metadata"]);

// The server fills in apiVersion, kind and metadata, so that no schema asks for them unless a marker of the kind itself does.
function withoutRequiredMeta(node: SchemaNode, { shape }: Declaration, context: SchemaContext): SchemaNode {
  const { required: names = [], ...rest } = node;
  const own = shape.kind === "type" && shape.type.kind === "object" ? shape.type.properties : [];
  const marked = new Set(own.filter((each) => isMarkedRequired(each, context)).map(({ name }) => name));
  const asked = names.filter((name) => !META.has(name) || marked.has(name));
  return asked.length === 0 ? rest : { ...rest, required: asked };
}

function isMarkedRequired(property: Property, context: SchemaContext): boolean {
  const markers = context.source.marked.properties.get(property) ?? [];
  return markers.some(({ name }) => name === "required" || name === "kubebuilder:validation:Required");
}

function keyOf(declaration: Declaration, scope: Scope): string {
  return declaration.id + scope.key;
}
