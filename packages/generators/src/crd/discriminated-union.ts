import type { SourceLocation, TypeExpression } from "../loader/type-model.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import { enumNode } from "./enum-to-schema.ts";
import { followNames, type ScopedType } from "./follow-names.ts";
import { celFieldName } from "./model/cel-field-name.ts";
import { type SchemaNode, toJsonSchema, type ValidationRule } from "./model/schema-node.ts";
import { propertyNode } from "./object-to-schema.ts";
import { collectViews, type Literal, literalsOf, type PropertyView } from "./resolve-type.ts";
import type { SchemaContext, Scope } from "./schema-context.ts";
import { TOO_DEEP } from "./ways-out.ts";

/** The property that tells the members of a union apart, and its values by member. */
interface Discriminant {
  readonly name: string;
  readonly values: readonly (readonly Literal[])[];
}

/** Finds the first property that every member has with literals that no other member has. */
function findDiscriminant(
  members: readonly (readonly PropertyView[])[],
  context: SchemaContext,
): Discriminant | undefined {
  for (const { name } of members[0] ?? []) {
    const values = members
      .map((views) => literalsOfProperty(views, name, context))
      .filter((each) => each !== undefined);
    const all = values.flat();
    if (values.length === members.length && new Set(all).size === all.length) return { name, values };
  }
  return undefined;
}

/** Makes one object schema of a union of objects; rules say what each member asks for and forbids. */
function discriminatedNode(
  members: readonly (readonly PropertyView[])[],
  discriminant: Discriminant,
  location: SourceLocation,
  context: SchemaContext,
): SchemaNode {
  const made = members.map(
    (views) => new Map(views.map((view) => [view.name, { ...propertyNode(view, context), view }])),
  );
  const names = [...new Set(members.flatMap((views) => views.map((view) => view.name)))];
  const properties: Record<string, SchemaNode> = {};
  const required: string[] = [];
  const rules: ValidationRule[] = [];
  for (const name of names) {
    const uses = made.map((member) => member.get(name));
    const known = uses.filter((use) => use !== undefined);
    if (name === discriminant.name) {
      properties[name] = joinEnums(known.map((use) => use.node));
      required.push(name);
      continue;
    }
    properties[name] = oneNode(name, known, context);
    if (known.length === members.length && known.every((use) => use.isRequired)) required.push(name);
    else rules.push(...rulesFor(name, uses, discriminant));
    if (known.length < members.length) reportDefaults(name, known, context);
  }
  const node: SchemaNode = { type: "object", properties, required: required.toSorted(compareBytes), origin: location };
  if (rules.length > 0) node["x-kubernetes-validations"] = rules;
  return node;
}

interface PropertyUse {
  readonly node: SchemaNode;
  readonly isRequired: boolean;
  readonly view: PropertyView;
}

function literalsOfProperty(
  views: readonly PropertyView[],
  name: string,
  context: SchemaContext,
): readonly Literal[] | undefined {
  const view = views.find((each) => each.name === name);
  if (view?.kind !== "property" || view.property.type === undefined) return undefined;
  return literalsOf(view.property.type, view.scope, context);
}

function joinEnums(nodes: readonly SchemaNode[]): SchemaNode {
  const type = nodes[0]?.type ?? "string";
  const described = nodes.find((node) => node.description !== undefined);
  const joined: SchemaNode = { type, enum: nodes.flatMap((node) => node.enum ?? []) };
  if (described?.description !== undefined) joined.description = described.description;
  return joined;
}

function oneNode(name: string, uses: readonly PropertyUse[], context: SchemaContext): SchemaNode {
  const [first, ...others] = uses;
  if (first === undefined) return {};
  for (const other of others) {
    if (sameSchema(first.node, other.node) || other.view.kind !== "property") continue;
    context.report({
      code: "GENERATE_UNION_PROPERTY",
      message: `${name} has different schemas in the members of the union`,
      hint: "use the same type and markers in all members, or rename the property",
      location: other.view.property.location,
    });
  }
  return uses.find((use) => use.node.description !== undefined)?.node ?? first.node;
}

function sameSchema(left: SchemaNode, right: SchemaNode): boolean {
  return comparable(left) === comparable(right);
}

function comparable(node: SchemaNode): string {
  const { description: _description, ...rest } = toJsonSchema(node);
  const whole = { ...rest, reference: node.reference };
  return JSON.stringify(whole, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

function reportDefaults(name: string, uses: readonly PropertyUse[], context: SchemaContext): void {
  for (const { node, view } of uses) {
    if (node.default === undefined || view.kind !== "property") continue;
    context.report({
      code: "GENERATE_UNION_DEFAULT",
      message: `${name} has a default, but not every member of the union has it, so the default would break the others`,
      hint: "remove the default, or add the property to every member",
      location: view.property.location,
    });
  }
}

function rulesFor(
  name: string,
  uses: readonly (PropertyUse | undefined)[],
  { name: discriminant, values }: Discriminant,
): readonly ValidationRule[] {
  const owners = values.filter((_, index) => uses[index] !== undefined).flat();
  const askers = values.filter((_, index) => uses[index]?.isRequired === true).flat();
  const rules: ValidationRule[] = [];
  const field = `self.${celFieldName(name)}`;
  if (askers.length > 0) {
    rules.push({
      rule: `!(${isOneOf(discriminant, askers)}) || has(${field})`,
      message: `${name} must be set when ${discriminant} is ${listOf(askers)}`,
    });
  }
  if (owners.length < values.flat().length) {
    rules.push({
      rule: `!has(${field}) || ${isOneOf(discriminant, owners)}`,
      message: `${name} may be set only when ${discriminant} is ${listOf(owners)}`,
    });
  }
  return rules;
}

function isOneOf(discriminant: string, values: readonly Literal[]): string {
  const field = `self.${celFieldName(discriminant)}`;
  const [only] = values;
  if (values.length === 1) return `${field} == ${JSON.stringify(only)}`;
  return `${field} in [${values.map((value) => JSON.stringify(value)).join(", ")}]`;
}

function listOf(values: readonly Literal[]): string {
  return values.map(String).join(" or ");
}

/** Makes the schema of a union: of literals, of a type and null, or of objects that a property tells apart. */
export function unionNode(type: UnionExpression, scope: Scope, context: SchemaContext): SchemaNode {
  const { members, isNullable } = withoutNull(membersOf(type, scope));
  const all = members.length === 1 ? members : flatMembers(members, context);
  if (all === undefined) return {};
  const flat = withoutNull(all);
  const node = restNode(flat.members, type, context);
  return isNullable || flat.isNullable ? { ...node, nullable: true } : node;
}

type UnionExpression = Extract<TypeExpression, { kind: "union" }>;

function membersOf({ members }: UnionExpression, scope: Scope): readonly ScopedType[] {
  return members
    .filter((member) => member.kind !== "keyword" || member.name !== "undefined")
    .map((type) => ({ type, scope }));
}

function withoutNull(all: readonly ScopedType[]): {
  readonly members: readonly ScopedType[];
  readonly isNullable: boolean;
} {
  const members = all.filter(({ type }) => type.kind !== "literal" || type.value !== null);
  return { members, isNullable: members.length < all.length };
}

/** Replaces names of unions by the members of these, as TypeScript does. */
function flatMembers(members: readonly ScopedType[], context: SchemaContext): readonly ScopedType[] | undefined {
  const flat: ScopedType[] = [];
  const seen = new Set<string>();
  const waiting = members.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const union = followNames("union", next, context);
    const key = union === undefined ? identityOf(next, context) : placeOf(union.type, union.scope);
    if (seen.has(key)) continue;
    if (seen.size === MOST_MEMBERS) {
      context.report({ ...TOO_DEEP, location: next.type.location });
      return undefined;
    }
    seen.add(key);
    if (union === undefined) flat.push(next);
    else waiting.push(...membersOf(union.type, union.scope).toReversed());
  }
  return flat;
}

// Two uses of a declared type are one member.
function identityOf({ type, scope }: ScopedType, context: SchemaContext): string {
  const meaning = type.kind === "reference" ? context.meaningOf(type, scope) : undefined;
  return meaning?.kind === "named" ? `${meaning.declaration.id} ${meaning.scope.key}` : placeOf(type, scope);
}

function placeOf(type: TypeExpression, scope: Scope): string {
  const { file, line, column } = type.location;
  return `${type.kind} ${file}:${line}:${column} ${scope.key}`;
}

// Generic types may contain ever larger instances of themselves.
const MOST_MEMBERS = 1000;

function restNode(all: readonly ScopedType[], type: UnionExpression, context: SchemaContext): SchemaNode {
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return context.nodeOf(only.type, only.scope);
  const literals = all.map((member) => literalsOf(member.type, member.scope, context));
  if (literals.every((each) => each !== undefined))
    return literalUnionNode([...new Set(literals.flat())], type, context);
  const members = all
    .map((member) => collectViews(member.type, member.scope, context))
    .filter((views) => views !== undefined);
  if (members.length === all.length) {
    const discriminant = findDiscriminant(members, context);
    if (discriminant !== undefined) return discriminatedNode(members, discriminant, type.location, context);
  }
  const isObjects = members.length === all.length;
  context.report({
    code: "GENERATE_UNION",
    message: isObjects
      ? "the members of this union have no discriminating property with literal values"
      : "a union of these types has no schema",
    hint: isObjects
      ? 'give every member a property with a different literal type, such as type: "a"'
      : "use a union of literals, of a type and null, or of objects; for an integer or a string, use IntOrString of @kubescaffold/k8s",
    location: type.location,
  });
  return {};
}

function literalUnionNode(literals: readonly Literal[], type: UnionExpression, context: SchemaContext): SchemaNode {
  const isBoolean =
    literals.includes(true) && literals.includes(false) && literals.every((each) => typeof each === "boolean");
  if (isBoolean) return { type: "boolean", origin: type.location };
  return enumNode(literals, type.location, context);
}
