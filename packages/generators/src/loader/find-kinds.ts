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
}

const NOTHING: ObjectFacts = { hasTypeMeta: false, hasObjectMeta: false };
const META = "@kubescaffold/k8s/meta/v1";
const OBJECTS: ReadonlySet<string> = new Set(["KubernetesObject", "NamespacedObject"]);

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

function factsOf(type: TypeExpression, options: FindKindsOptions, visited: ReadonlySet<string>): ObjectFacts {
  if (type.kind === "intersection") return join(type.members.map((member) => factsOf(member, options, visited)));
  if (type.kind === "reference") return factsOfReference(type, options, visited);
  if (type.kind !== "object") return NOTHING;
  const names = new Set(type.properties.map((property) => property.name));
  const metadata = type.properties.find((property) => property.name === "metadata")?.type;
  return join([
    {
      hasTypeMeta: names.has("apiVersion") && names.has("kind"),
      hasObjectMeta: metadata !== undefined && isObjectMeta(metadata, options),
    },
    ...type.extends.map((each) => factsOf(each, options, visited)),
  ]);
}

function factsOfReference(
  type: Extract<TypeExpression, { kind: "reference" }>,
  options: FindKindsOptions,
  visited: ReadonlySet<string>,
): ObjectFacts {
  const target = options.resolver.resolve(type.file, type.name);
  if (target.kind === "built-in" && target.module === META) {
    if (OBJECTS.has(target.name)) return { hasTypeMeta: true, hasObjectMeta: true };
    return { hasTypeMeta: target.name === "TypeMeta", hasObjectMeta: false };
  }
  if (target.kind !== "declaration" || visited.has(target.id)) return NOTHING;
  const declaration = options.declarationOf(target.id);
  if (declaration?.shape.kind !== "type") return NOTHING;
  return factsOf(declaration.shape.type, options, new Set([...visited, target.id]));
}

function isObjectMeta(type: TypeExpression, { resolver }: FindKindsOptions): boolean {
  if (type.kind === "intersection")
    return type.members.some((member) => isObjectMeta(member, { resolver, declarationOf: () => undefined }));
  if (type.kind !== "reference") return false;
  const target = resolver.resolve(type.file, type.name);
  return target.kind === "built-in" && target.module === META && target.name === "ObjectMeta";
}

function join(facts: readonly ObjectFacts[]): ObjectFacts {
  return {
    hasTypeMeta: facts.some((each) => each.hasTypeMeta),
    hasObjectMeta: facts.some((each) => each.hasObjectMeta),
  };
}
