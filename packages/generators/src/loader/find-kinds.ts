import type { NameResolver } from "./name-resolver.ts";
import type { Declaration, TypeExpression } from "./type-model.ts";

/** What finding kinds needs. */
export interface FindKindsOptions {
  readonly resolver: NameResolver;
  readonly declarationOf: (id: string) => Declaration | undefined;
}

interface ObjectFacts {
  readonly hasTypeMeta: boolean;
  readonly hasObjectMeta: boolean;
  /** The names of all properties that were found. */
  readonly names: ReadonlySet<string>;
  /** Why a type that it consists of says nothing, such as a module that cannot be found. */
  readonly reasons: readonly string[];
}

const NOTHING: ObjectFacts = { hasTypeMeta: false, hasObjectMeta: false, names: new Set(), reasons: [] };
const META = "@kubescaffold/k8s/meta/v1";
const OBJECTS: ReadonlySet<string> = new Set(["KubernetesObject", "NamespacedObject"]);
const META_NAMES = ["apiVersion", "kind"];

/** Reports whether a declaration is a Kubernetes object: exported, with the type's and the object's metadata. */
export function isKind(declaration: Declaration, options: FindKindsOptions): boolean {
  const { exportName, parameters, shape } = declaration;
  if (exportName === undefined || parameters.length > 0 || shape.kind !== "type") return false;
  if (shape.form === "alias" && isPlainAlias(shape.type)) return false;
  const facts = factsOf(shape.type, options, new Set([declaration.id]));
  return facts.hasTypeMeta && facts.hasObjectMeta;
}

// Another name for a kind is not a second kind.
function isPlainAlias(type: TypeExpression): boolean {
  return type.kind === "reference" && type.arguments.length === 0;
}

/** Why a type that is declared as a kind is none, and how to make it one. */
interface Misfit {
  readonly reason: string;
  readonly hint: string;
}

/**
 * Explains why a type that a marker or `defineKind` declares as a kind is not recognized as one; returns nothing for kinds.
 *
 * A marker may also declare a list of objects, or a configuration without metadata: these have no CRD.
 */
export function kindMisfit(
  declaration: Declaration,
  by: "marker" | "defineKind",
  options: FindKindsOptions,
): Misfit | undefined {
  if (isKind(declaration, options)) return undefined;
  const { name, exportName, parameters, shape } = declaration;
  if (shape.kind !== "type") return { reason: "it is an enum", hint: EXTEND };
  const { hasTypeMeta, hasObjectMeta, names, reasons } = factsOf(shape.type, options, new Set([declaration.id]));
  const isOther = names.has("items") || !names.has("metadata");
  if (by === "marker" && hasTypeMeta && isOther) return undefined;
  if (parameters.length > 0)
    return { reason: "it has type parameters", hint: "declare a type that sets them, and put the marker above it" };
  if (hasTypeMeta && hasObjectMeta && exportName === undefined)
    return { reason: "it is not exported", hint: `export ${name}` };
  if (hasTypeMeta && hasObjectMeta)
    return { reason: "it is another name for a type", hint: "declare the kind as an interface that extends the type" };
  if (hasTypeMeta) return { reason: `its metadata is not ObjectMeta of ${META}`, hint: `declare metadata: ObjectMeta` };
  const [reason] = reasons;
  return {
    reason: reason ?? `it extends neither KubernetesObject nor NamespacedObject of ${META}`,
    hint: EXTEND,
  };
}

const EXTEND = `extend NamespacedObject, or KubernetesObject for a cluster-scoped kind, imported from ${META}`;

function factsOf(type: TypeExpression, options: FindKindsOptions, visited: ReadonlySet<string>): ObjectFacts {
  if (type.kind === "intersection") return join(type.members.map((member) => factsOf(member, options, visited)));
  if (type.kind === "reference") return factsOfReference(type, options, visited);
  if (type.kind !== "object") return NOTHING;
  const names = new Set(type.properties.map((property) => property.name));
  const inherited = join(type.extends.map((each) => factsOf(each, options, visited)));
  const metadata = type.properties.find((property) => property.name === "metadata")?.type;
  const own: ObjectFacts = {
    hasTypeMeta: META_NAMES.every((name) => names.has(name)),
    hasObjectMeta: metadata !== undefined && isObjectMeta(metadata, options, visited),
    names,
    reasons: [],
  };
  return join([own, inherited]);
}

type Reference = Extract<TypeExpression, { kind: "reference" }>;

function factsOfReference(type: Reference, options: FindKindsOptions, visited: ReadonlySet<string>): ObjectFacts {
  const target = options.resolver.resolve(type.file, type.name);
  if (target.kind === "built-in") return factsOfBuiltIn(target.module, target.name);
  if (target.kind === "global") return factsOfUtility(type, options, visited);
  if (target.kind === "missing")
    return { ...NOTHING, reasons: [`cannot find the type ${type.name}: ${target.reason}`] };
  if (target.kind !== "declaration" || visited.has(target.id)) return NOTHING;
  const declaration = options.declarationOf(target.id);
  if (declaration?.shape.kind !== "type") return NOTHING;
  return factsOf(declaration.shape.type, options, new Set([...visited, target.id]));
}

function factsOfBuiltIn(module: string, name: string): ObjectFacts {
  if (module !== META) {
    const reasons = OBJECTS.has(name) ? [`${name} is imported from ${module}, not from ${META}`] : [];
    return { ...NOTHING, reasons };
  }
  if (OBJECTS.has(name))
    return { hasTypeMeta: true, hasObjectMeta: true, names: new Set([...META_NAMES, "metadata"]), reasons: [] };
  if (name === "ListOf") return { ...NOTHING, hasTypeMeta: true, names: new Set([...META_NAMES, "metadata", "items"]) };
  return name === "TypeMeta" ? { ...NOTHING, hasTypeMeta: true, names: new Set(META_NAMES) } : NOTHING;
}

// What TypeScript's own types leave of an object.
function factsOfUtility(type: Reference, options: FindKindsOptions, visited: ReadonlySet<string>): ObjectFacts {
  const [first, second] = type.arguments;
  if (first === undefined) return NOTHING;
  const facts = factsOf(first, options, visited);
  if (TRANSPARENT.has(type.name)) return facts;
  const keys = second === undefined ? undefined : keysOf(second);
  if (keys === undefined) return { ...NOTHING, reasons: facts.reasons };
  if (type.name === "Omit") return withNames(facts, (name) => !keys.includes(name));
  return type.name === "Pick" ? withNames(facts, (name) => keys.includes(name)) : NOTHING;
}

const TRANSPARENT: ReadonlySet<string> = new Set(["Readonly", "Required", "Partial", "NonNullable"]);

function keysOf(type: TypeExpression): readonly string[] | undefined {
  const members = type.kind === "union" ? type.members : [type];
  const keys = members.flatMap((each) =>
    each.kind === "literal" && typeof each.value === "string" ? [each.value] : [],
  );
  return keys.length === members.length ? keys : undefined;
}

function withNames(facts: ObjectFacts, isLeft: (name: string) => boolean): ObjectFacts {
  return {
    hasTypeMeta: facts.hasTypeMeta && META_NAMES.every((name) => isLeft(name)),
    hasObjectMeta: facts.hasObjectMeta && isLeft("metadata"),
    names: new Set([...facts.names].filter((name) => isLeft(name))),
    reasons: facts.reasons,
  };
}

function isObjectMeta(type: TypeExpression, options: FindKindsOptions, visited: ReadonlySet<string>): boolean {
  if (type.kind === "intersection") return type.members.some((member) => isObjectMeta(member, options, visited));
  if (type.kind === "object") return type.extends.some((each) => isObjectMeta(each, options, visited));
  if (type.kind !== "reference") return false;
  const target = options.resolver.resolve(type.file, type.name);
  if (target.kind === "built-in") return target.module === META && target.name === "ObjectMeta";
  const [first] = type.arguments;
  if (target.kind === "global")
    return TRANSPARENT.has(type.name) && first !== undefined && isObjectMeta(first, options, visited);
  if (target.kind !== "declaration" || visited.has(target.id)) return false;
  const shape = options.declarationOf(target.id)?.shape;
  return shape?.kind === "type" && isObjectMeta(shape.type, options, new Set([...visited, target.id]));
}

function join(facts: readonly ObjectFacts[]): ObjectFacts {
  const names = new Set(facts.flatMap((each) => [...each.names]));
  return {
    hasTypeMeta: facts.some((each) => each.hasTypeMeta) || META_NAMES.every((name) => names.has(name)),
    hasObjectMeta: facts.some((each) => each.hasObjectMeta),
    names,
    reasons: facts.flatMap((each) => each.reasons),
  };
}
