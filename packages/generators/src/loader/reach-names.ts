import type { NameResolver } from "./name-resolver.ts";
import { nameKey, type Declaration, type NameTarget, type TypeExpression, type TypeModel } from "./type-model.ts";

/** What declarations reach: the names on the way with what they mean, and all declarations by their ids. */
export interface Reached {
  readonly names: ReadonlyMap<string, NameTarget>;
  readonly declarations: ReadonlyMap<string, Declaration>;
}

/** Collects what a declaration of a model reaches, itself included; each is looked at once. */
export function reachInModel(model: TypeModel, id: string): Reached {
  const known = reachedInModels.get(model) ?? new Map<string, Reached>();
  reachedInModels.set(model, known);
  const reached = known.get(id) ?? reachAnew(model, id);
  known.set(id, reached);
  return reached;
}

const reachedInModels = new WeakMap<TypeModel, Map<string, Reached>>();

function reachAnew(model: TypeModel, id: string): Reached {
  const resolver = {
    resolve: (file: string, name: string): NameTarget =>
      model.names.get(nameKey(file, name)) ?? { kind: "missing", reason: "" },
  };
  return reachNames(resolver, (each) => model.declarations.get(each), [id]);
}

/** Looks up every name that the declarations of these ids reach, and collects the declarations on the way. */
export function reachNames(
  resolver: NameResolver,
  declarationOf: (id: string) => Declaration | undefined,
  from: readonly string[],
): Reached {
  const names = new Map<string, NameTarget>();
  const declarations = new Map<string, Declaration>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const declaration = declarations.has(id) ? undefined : declarationOf(id);
    if (declaration === undefined) continue;
    declarations.set(id, declaration);
    for (const { file, name } of namesIn(declaration)) {
      const key = nameKey(file, name);
      if (names.has(key)) continue;
      const target = resolver.resolve(file, name);
      names.set(key, target);
      if (target.kind === "declaration" || target.kind === "enum member") waiting.push(target.id);
    }
  }
  return { names, declarations };
}

interface UsedName {
  readonly file: string;
  readonly name: string;
}

function namesIn({ parameters, shape }: Declaration): readonly UsedName[] {
  const found: UsedName[] = [];
  for (const parameter of parameters) if (parameter.default !== undefined) collect(parameter.default, found);
  if (shape.kind === "type") collect(shape.type, found);
  const own = new Set(parameters.map((parameter) => parameter.name));
  return found.filter((used) => !own.has(used.name));
}

function collect(type: TypeExpression, found: UsedName[]): void {
  switch (type.kind) {
    case "reference":
      found.push({ file: type.file, name: type.name });
      for (const each of type.arguments) collect(each, found);
      return;
    case "typeof":
      found.push({ file: type.file, name: `typeof ${type.name}` });
      return;
    case "array":
      return collect(type.items, found);
    case "keyof":
      return collect(type.type, found);
    case "indexed access":
      collect(type.object, found);
      return collect(type.index, found);
    case "union":
    case "intersection":
      for (const member of type.members) collect(member, found);
      return;
    case "template":
      for (const part of type.parts) if (part.kind === "type") collect(part.type, found);
      return;
    case "object":
      collectObject(type, found);
      return;
    case "mapped": {
      collect(type.keys, found);
      const inside: UsedName[] = [];
      if (type.value !== undefined) collect(type.value, inside);
      found.push(...inside.filter((used) => used.name !== type.parameter));
      return;
    }
    case "keyword":
    case "literal":
    case "unsupported":
  }
}

function collectObject(type: Extract<TypeExpression, { kind: "object" }>, found: UsedName[]): void {
  for (const each of type.extends) collect(each, found);
  for (const property of type.properties) if (property.type !== undefined) collect(property.type, found);
  if (type.indexSignature === undefined) return;
  collect(type.indexSignature.key, found);
  collect(type.indexSignature.value, found);
}
