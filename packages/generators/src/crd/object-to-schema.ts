import type { Property, SourceLocation, TypeExpression } from "../loader/type-model.ts";
import type { MarkerUse } from "../markers/read-markers.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import { applyMarkers } from "./apply-markers.ts";
import type { SchemaNode, ValidationRule } from "./model/schema-node.ts";
import { type PropertyView, ownViews } from "./resolve-type.ts";
import type { Scope, SchemaContext } from "./schema-context.ts";
import { memberRules } from "./tags/member-rules.ts";
import { unresolved } from "./ways-out.ts";

/** What an object schema consists of. */
export interface ObjectNodeOptions {
  readonly views: readonly PropertyView[];
  /** The schemas of what the object extends. */
  readonly inherited: readonly SchemaNode[];
  readonly location: SourceLocation;
  /** The properties that markers of the type allow only in part, which therefore cannot be required. */
  readonly oneOf: readonly string[];
  readonly context: SchemaContext;
}

/** Makes the schema of an object from its properties. */
export function objectNode({ views, inherited, location, oneOf, context }: ObjectNodeOptions): SchemaNode {
  const made = views.map((view) => ({
    name: view.name,
    markers: view.kind === "property" ? (context.source.marked.properties.get(view.property) ?? []) : [],
    ...propertyNode(view, context),
    location: locationOf(view, location),
  }));
  const required = made.filter((each) => each.isRequired).map((each) => each.name);
  for (const each of made) {
    if (each.isRequired && oneOf.includes(each.name)) reportRequiredMember(each.name, each.location, context);
  }
  const node: SchemaNode = {
    type: "object",
    properties: Object.fromEntries(made.map(({ name, node }) => [name, node])),
    origin: location,
  };
  if (required.length > 0) node.required = [...new Set(required)].toSorted(compareBytes);
  if (inherited.length > 0) node.allOf = inherited;
  const rules = made.filter((each) => each.isImmutable && !each.isRequired).map(({ name }) => onceSetRule(name));
  const tagRules = memberRules({
    members: made,
    typeOf: (reference) => context.named.get(reference) ?? {},
    report: (misfit) => context.report({ code: "GENERATE_MARKER_MISFIT", ...misfit }),
  });
  if (rules.length + tagRules.length > 0) node["x-kubernetes-validations"] = [...rules, ...tagRules];
  return node;
}

/** Returns the properties that the one-of markers of a type name. */
export function oneOfNames(markers: readonly MarkerUse[], context: SchemaContext): readonly string[] {
  const lists = markers.filter((marker) => ONE_OF.has(marker.name));
  return lists.flatMap((marker) => {
    const names = (marker.value as readonly unknown[]).map(String);
    const nested = names.filter((name) => name.includes("."));
    if (nested.length > 0) {
      context.report({
        code: "GENERATE_ONE_OF_NESTED",
        message: `+${marker.name} lists nested fields: ${nested.join(", ")}`,
        hint: "list properties of the type, or move the marker to the type that declares them",
        location: marker.location,
      });
    }
    return names;
  });
}

/** Makes the schema of one property and says whether it must be given. */
export function propertyNode(
  view: PropertyView,
  context: SchemaContext,
): { readonly node: SchemaNode; readonly isRequired: boolean; readonly isImmutable: boolean } {
  if (view.kind === "schema") return { node: { ...view.node }, isRequired: !view.isOptional, isImmutable: false };
  const { property, scope } = view;
  const markers = context.source.marked.properties.get(property) ?? [];
  const { type, isOptional } = stripUndefined(property, view, context);
  const node = has(markers, "kubebuilder:validation:Schemaless") ? {} : typedNode(property, type, { scope, context });
  node.origin = property.location;
  if (property.comments.description !== "") node.description = property.comments.description;
  applyMarkers({
    markers,
    node,
    typeOf: (reference) => context.named.get(reference) ?? {},
    report: (misfit) => context.report({ code: "GENERATE_MARKER_MISFIT", ...misfit }),
  });
  warnNullableEnum(node, property, context);
  return {
    node,
    isRequired: isRequired({ markers, isOptional, property, context }),
    isImmutable: has(markers, "k8s:immutable"),
  };
}

const ONE_OF = new Set(["ExactlyOneOf", "AtMostOneOf", "AtLeastOneOf"].map((name) => `kubebuilder:validation:${name}`));

function typedNode(
  property: Property,
  type: TypeExpression | undefined,
  { scope, context }: { readonly scope: Scope; readonly context: SchemaContext },
): SchemaNode {
  if (type !== undefined) return { ...context.nodeOf(type, scope) };
  context.report({
    code: "GENERATE_UNTYPED_PROPERTY",
    message: `the property ${property.name} has no explicit type`,
    hint: "add its type; initializers are ignored",
    location: property.location,
  });
  return {};
}

function stripUndefined(
  { type }: Property,
  { isOptional, scope }: Extract<PropertyView, { kind: "property" }>,
  context: SchemaContext,
): { readonly type: TypeExpression | undefined; readonly isOptional: boolean } {
  if (type === undefined || isOptional) return { type: type === undefined ? type : withoutUndefined(type), isOptional };
  return { type: withoutUndefined(type), isOptional: admitsUndefined(type, scope, context) };
}

function withoutUndefined(type: TypeExpression): TypeExpression {
  if (type.kind !== "union") return type;
  const members = type.members.filter((member) => !isUndefined(member));
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { ...type, members };
}

function isUndefined(type: TypeExpression): boolean {
  return type.kind === "keyword" && type.name === "undefined";
}

const LONGEST_CHAIN = 20;

// The undefined of a union may be behind names.
function admitsUndefined(type: TypeExpression, scope: Scope, context: SchemaContext, steps = 0): boolean {
  if (type.kind === "union") return type.members.some((each) => admitsUndefined(each, scope, context, steps));
  if (type.kind !== "reference" || steps > LONGEST_CHAIN) return isUndefined(type);
  const meaning = context.meaningOf(type, scope);
  if (meaning.kind === "bound") return admitsUndefined(meaning.bound.type, meaning.bound.scope, context, steps + 1);
  if (meaning.kind !== "named" || meaning.declaration.shape.kind !== "type") return false;
  const { shape } = meaning.declaration;
  return shape.form === "alias" && admitsUndefined(shape.type, meaning.scope, context, steps + 1);
}

interface RequiredOptions {
  readonly markers: readonly MarkerUse[];
  readonly isOptional: boolean;
  readonly property: Property;
  readonly context: SchemaContext;
}

// The first marker that says something wins, those with the long names before those with the short ones.
function isRequired({ markers, isOptional, property, context }: RequiredOptions): boolean {
  if (has(markers, "kubebuilder:validation:Optional")) return false;
  if (has(markers, "kubebuilder:validation:Required")) return true;
  if (has(markers, "optional") || has(markers, "k8s:optional")) return false;
  if (has(markers, "required") || has(markers, "k8s:required")) return true;
  return !isOptional && !context.isOptionalByDefault(property.location.file);
}

function has(markers: readonly MarkerUse[], name: string): boolean {
  return markers.some((marker) => marker.name === name);
}

function warnNullableEnum(node: SchemaNode, property: Property, context: SchemaContext): void {
  if (node.nullable !== true) return;
  const type = node.reference === undefined ? node : context.named.get(node.reference);
  if (type?.enum === undefined && node.enum === undefined) return;
  context.report({
    severity: "warning",
    code: "GENERATE_NULLABLE_ENUM",
    message: `${property.name} is nullable, but API servers reject null for an enum`,
    hint: "make the property optional instead of nullable, or remove the enum",
    location: property.location,
  });
}

function onceSetRule(name: string): ValidationRule {
  return { rule: `!has(oldSelf.${name}) || has(self.${name})`, message: `field ${name} is immutable once set` };
}

function reportRequiredMember(name: string, location: SourceLocation, context: SchemaContext): void {
  context.report({
    code: "GENERATE_ONE_OF_REQUIRED",
    message: `${name} is in a one-of marker of its type and cannot be required`,
    hint: `write ${name}?, or remove it from the marker`,
    location,
  });
}

function locationOf(view: PropertyView, fallback: SourceLocation): SourceLocation {
  return view.kind === "property" ? view.property.location : fallback;
}

interface IntersectionOptions {
  readonly type: Extract<TypeExpression, { kind: "intersection" }>;
  readonly scope: Scope;
  readonly context: SchemaContext;
  /** Those of the declaration whose type it is. */
  readonly markers: readonly MarkerUse[];
}

/** Makes the schema of `A & B`: what is written out in braces is its own, as beside `extends`; the other members are inherited. */
export function intersectionNode({ type, scope, context, markers }: IntersectionOptions): SchemaNode {
  const own = ownMembers(type);
  const others = type.members.filter((member) => !own.some((each) => each === member));
  const inherited = others.map((member) => context.nodeOf(member, scope));
  const stranger = inherited.findIndex((node) => node.type !== "object" && node.allOf === undefined);
  if (stranger !== -1) {
    const { location } = others[stranger] ?? type;
    if (Object.keys(inherited[stranger] ?? {}).length > 0)
      unresolved(location, "an intersection with a type that is not an object", context);
    return {};
  }
  const views = own.flatMap((each) => ownViews(each, scope));
  return objectNode({ views, inherited, location: type.location, oneOf: oneOfNames(markers, context), context });
}

type ObjectExpression = Extract<TypeExpression, { kind: "object" }>;

function ownMembers({ members }: IntersectionOptions["type"]): readonly ObjectExpression[] {
  const names = new Set<string>();
  return members.filter((member): member is ObjectExpression => {
    if (member.kind !== "object" || member.indexSignature !== undefined) return false;
    const isNew = member.properties.every(({ name }) => !names.has(name));
    for (const { name } of member.properties) names.add(name);
    return isNew;
  });
}
