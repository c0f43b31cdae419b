import type { SchemaNode } from "../crd/model/schema-node.ts";
import { membersOf } from "../crd/model/schema-parts.ts";
import { collectViews, type PropertyView } from "../crd/resolve-type.ts";
import { GLOBAL_SCOPE, type SchemaContext } from "../crd/schema-context.ts";
import { schemaOfDeclaration } from "../crd/type-to-schema.ts";
import type { Declaration } from "../loader/type-model.ts";
import { compareValues, type ValueConversion } from "./compare-values.ts";

/** A struct of a spoke and the struct of the hub that it is converted to and from. */
export interface StructPair {
  readonly spoke: Declaration;
  readonly hub: Declaration;
  /** Whether these are kinds, whose metadata is converted by the runtime. */
  readonly isKind: boolean;
  readonly toHub: StructConversion;
  readonly fromHub: StructConversion;
}

/** The conversion of a struct in one direction. */
export interface StructConversion {
  /** The name of the function. */
  readonly name: string;
  readonly fields: readonly FieldConversion[];
  /** The fields of the target that no field is converted to. */
  readonly unset: readonly string[];
  /** The reasons for which a function must be written by hand, by field; empty if the conversion is complete. */
  readonly problems: readonly FieldProblem[];
}

/** A field that is converted by generated code. */
export interface FieldConversion {
  readonly name: string;
  readonly isOptional: boolean;
  readonly conversion: Exclude<ValueConversion<StructPair>, { readonly kind: "refused" }>;
}

/** A field that generated code cannot convert. */
interface FieldProblem {
  readonly field: string;
  readonly reason: string;
}

/** The names of the versions that are compared. */
export interface ComparedVersions {
  readonly spoke: string;
  readonly hub: string;
}

/** The pairs of a kind; the kind comes first. */
export type ConversionPairs = readonly [kind: StructPair, ...others: StructPair[]];

/** Plans the conversion of a kind and of all structs that it consists of. */
export function planPairs(
  kind: { readonly spoke: Declaration; readonly hub: Declaration },
  versions: ComparedVersions,
  context: SchemaContext,
): ConversionPairs {
  const planner = new PairPlanner(versions, context);
  const root = planner.planPair(kind.spoke, kind.hub, true);
  return [root, ...planner.pairs().filter((pair) => pair !== root)];
}

function keyOf(spoke: Declaration, hub: Declaration): string {
  return `${spoke.id} ${hub.id}`;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class PairPlanner {
  readonly #versions: ComparedVersions;
  readonly #context: SchemaContext;
  readonly #pairs = new Map<string, Mutable<StructPair>>();
  readonly #names = new Set<string>();

  constructor(versions: ComparedVersions, context: SchemaContext) {
    this.#versions = versions;
    this.#context = context;
  }

  pairs(): readonly StructPair[] {
    return [...this.#pairs.values()];
  }

  /** Returns a pair of structs; undefined if another pair has the names of its functions. */
  pairOf(spoke: Declaration, hub: Declaration): StructPair | undefined {
    const known = this.#pairs.get(keyOf(spoke, hub));
    if (known !== undefined || this.#names.has(functionNames(spoke, hub).toHub)) return known;
    return this.planPair(spoke, hub, false);
  }

  planPair(spoke: Declaration, hub: Declaration, isKind: boolean): StructPair {
    const names = functionNames(spoke, hub);
    this.#names.add(names.toHub);
    const empty = { fields: [], unset: [], problems: [] };
    const pair: Mutable<StructPair> = {
      spoke,
      hub,
      isKind,
      toHub: { name: names.toHub, ...empty },
      fromHub: { name: names.fromHub, ...empty },
    };
    // Registered before it is complete, since it may contain itself.
    this.#pairs.set(keyOf(spoke, hub), pair);
    const [spokeFields, hubFields] = [this.#fieldsOf(spoke, isKind), this.#fieldsOf(hub, isKind)];
    pair.toHub = { name: names.toHub, ...this.#convert(spokeFields, hubFields, true) };
    pair.fromHub = { name: names.fromHub, ...this.#convert(hubFields, spokeFields, false) };
    return pair;
  }

  #fieldsOf(declaration: Declaration, isKind: boolean): Fields {
    const node = schemaOfDeclaration(declaration, this.#context);
    const members = membersOf(node, (reference) => this.#context.named.get(reference) ?? {});
    const views = viewsOf(declaration, this.#context);
    const fields = [...members]
      .filter(([name]) => !isKind || !OBJECT_FIELDS.has(name))
      .filter(([name]) => !isExcluded(views.get(name), this.#context))
      .map(([name, member]): readonly [string, Field] => [name, { node: member, isOptional: isOptional(views, name) }]);
    return new Map(fields);
  }

  #convert(source: Fields, target: Fields, isToHub: boolean): Omit<StructConversion, "name"> {
    const { spoke, hub } = this.#versions;
    const versions = isToHub ? { from: spoke, to: hub } : { from: hub, to: spoke };
    const compared = [...source].map(([name, field]) =>
      this.#convertField(name, field, { target, isToHub, ...versions }),
    );
    const fields = compared.filter((each) => "conversion" in each);
    const missing = [...target]
      .filter(([name, { isOptional }]) => !source.has(name) && !(isToHub && isOptional))
      .map(([name]) => ({ field: name, reason: `${versions.from} has no such field` }));
    const converted = new Set(fields.map(({ name }) => name));
    return {
      fields,
      problems: [...compared.filter((each) => "reason" in each), ...missing],
      unset: [...target.keys()].filter((name) => !converted.has(name)),
    };
  }

  #convertField(
    name: string,
    { node, isOptional }: Field,
    { target, isToHub, from, to }: FieldOptions,
  ): FieldConversion | FieldProblem | NoField {
    const counterpart = target.get(name);
    // A field that was added to the hub is kept in the annotation. One that the hub lacks may have moved.
    if (counterpart === undefined) return isToHub ? { field: name, reason: `${to} has no such field` } : NO_FIELD;
    const conversion = compareValues(
      { source: node, target: counterpart.node },
      {
        context: this.#context,
        from,
        to,
        pairOf: (structs) =>
          isToHub ? this.pairOf(structs.source, structs.target) : this.pairOf(structs.target, structs.source),
      },
    );
    if (conversion.kind === "refused") return { field: name, reason: conversion.reason };
    return isOptional && !counterpart.isOptional
      ? { field: name, reason: `optional in ${from}, required in ${to}` }
      : { name, isOptional, conversion };
  }
}

interface FieldOptions {
  readonly target: Fields;
  readonly isToHub: boolean;
  readonly from: string;
  readonly to: string;
}

const NO_FIELD = { kind: "no field" } as const;
type NoField = typeof NO_FIELD;

interface Field {
  readonly node: SchemaNode;
  readonly isOptional: boolean;
}

type Fields = ReadonlyMap<string, Field>;

const OBJECT_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

function functionNames({ name: spoke }: Declaration, { name: hub }: Declaration): Record<"toHub" | "fromHub", string> {
  const suffix = spoke === hub ? "" : hub;
  return { toHub: `convert${spoke}ToHub${suffix}`, fromHub: `convert${spoke}FromHub${suffix}` };
}

function viewsOf({ shape, location }: Declaration, context: SchemaContext): ReadonlyMap<string, PropertyView> {
  const type = shape.kind === "type" ? shape.type : { kind: "unsupported" as const, description: "", location };
  return new Map(collectViews(type, GLOBAL_SCOPE, context)?.map((view) => [view.name, view]));
}

function isOptional(views: ReadonlyMap<string, PropertyView>, name: string): boolean {
  return views.get(name)?.isOptional ?? true;
}

// As conversion-gen leaves out a field with this marker.
function isExcluded(view: PropertyView | undefined, { source }: SchemaContext): boolean {
  if (view?.kind !== "property") return false;
  const markers = source.marked.properties.get(view.property) ?? [];
  return markers.some(({ name, value }) => name === "k8s:conversion-gen" && value === "false");
}
