import { flattenSchema } from "../crd/flatten.ts";
import type { SchemaNode } from "../crd/model/schema-node.ts";
import { childOf, membersOf, type NamedNodes, referencesOf, valueOf } from "../crd/model/schema-parts.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import type { Declaration } from "../loader/type-model.ts";
import { describeType, hasEqualStructure } from "./type-structure.ts";

/** The conversion of a value to the type of another version. */
export type ValueConversion<Pair> =
  | { readonly kind: "copy" }
  /** A member of another enum with the same values. */
  | { readonly kind: "enum"; readonly target: Declaration }
  | { readonly kind: "struct"; readonly pair: Pair; readonly isNullable: boolean }
  | { readonly kind: "list"; readonly items: ValueConversion<Pair>; readonly isNullable: boolean }
  | { readonly kind: "map"; readonly values: ValueConversion<Pair>; readonly isNullable: boolean }
  | { readonly kind: "refused"; readonly reason: string };

/** The types of a value in the version that it is converted from, and in the one that it is converted to. */
export interface ComparedTypes {
  readonly source: SchemaNode;
  readonly target: SchemaNode;
}

/** Two structs of which one is converted to the other. */
interface ComparedStructs {
  readonly source: Declaration;
  readonly target: Declaration;
}

/** What comparing values needs of its surroundings. */
export interface CompareOptions<Pair> {
  readonly context: SchemaContext;
  /** The version of the source. */
  readonly from: string;
  /** The version of the target. */
  readonly to: string;
  /** Returns the functions that convert a struct to another one; undefined if they cannot be named. */
  readonly pairOf: (structs: ComparedStructs) => Pair | undefined;
}

/**
 * Plans the conversion of a value.
 *
 * It is refused if a value may have no counterpart of the same meaning in the other type; constraints such as patterns and bounds do not count.
 */
export function compareValues<Pair>(types: ComparedTypes, options: CompareOptions<Pair>): ValueConversion<Pair> {
  return new Comparison(options).compare(types);
}

class Comparison<Pair> {
  readonly #options: CompareOptions<Pair>;
  readonly #named: NamedNodes;

  constructor(options: CompareOptions<Pair>) {
    this.#options = options;
    this.#named = (reference) => options.context.named.get(reference) ?? {};
  }

  compare(types: ComparedTypes): ValueConversion<Pair> {
    const [source, target] = [this.#flat(types.source), this.#flat(types.target)];
    if (source.nullable === true && target.nullable !== true) return refused(`null in ${this.#options.from} only`);
    if (this.#isSameType(types)) return COPY;
    if (isOpaque(source) || isOpaque(target))
      return hasEqualStructure(source, target) ? COPY : this.#refusedTypes(types);
    if (source.type !== target.type && !(source.type === "integer" && target.type === "number"))
      return this.#refusedTypes(types);
    if (source.type === "array") return this.#compareLists(types, source);
    return source.type === "object"
      ? this.#compareObjects(types, { source, target })
      : this.#compareScalars(types, { source, target });
  }

  #flat(node: SchemaNode): SchemaNode {
    return flattenSchema(node, { schemaOf: this.#named, reportConflict: () => undefined });
  }

  #isSameType({ source, target }: ComparedTypes): boolean {
    const own = new Set(referencesOf(source, this.#named));
    return referencesOf(target, this.#named).some((reference) => own.has(reference));
  }

  #compareLists(types: ComparedTypes, { nullable = false }: SchemaNode): ValueConversion<Pair> {
    const [source, target] = [types.source, types.target].map((each) =>
      childOf(each, this.#named, ({ items }) => items),
    );
    if (source === undefined || target === undefined) return this.#refusedTypes(types);
    const items = this.compare({ source, target });
    return items.kind === "refused" ? this.#refusedTypes(types) : { kind: "list", items, isNullable: nullable };
  }

  #compareObjects(types: ComparedTypes, flat: ComparedTypes): ValueConversion<Pair> {
    const { nullable: isNullable = false } = flat.source;
    const [source, target] = [types.source, types.target].map((each) => childOf(each, this.#named, valueOf));
    if (source !== undefined && target !== undefined) {
      const values = this.compare({ source, target });
      return values.kind === "refused" ? this.#refusedTypes(types) : { kind: "map", values, isNullable };
    }
    if (source !== undefined || target !== undefined) return this.#refusedTypes(types);
    const pair = this.#pairOf(types);
    if (pair !== undefined) return { kind: "struct", pair, isNullable };
    return hasEqualStructure(flat.source, flat.target) ? COPY : this.#refusedTypes(types);
  }

  #pairOf(types: ComparedTypes): Pair | undefined {
    const [source, target] = [this.#structOf(types.source), this.#structOf(types.target)];
    return source === undefined || target === undefined ? undefined : this.#options.pairOf({ source, target });
  }

  // A struct that the generated file can import.
  #structOf(node: SchemaNode): Declaration | undefined {
    const { declarations } = this.#options.context.source.model;
    return referencesOf(node, this.#named)
      .map((reference) => declarations.get(reference))
      .find(
        (each) =>
          each?.exportName !== undefined &&
          each.parameters.length === 0 &&
          each.shape.kind === "type" &&
          membersOf(this.#named(each.id), this.#named).size > 0,
      );
  }

  #compareScalars(types: ComparedTypes, { source, target }: ComparedTypes): ValueConversion<Pair> {
    if (!widensFormat(source, target) || !widensValues(source, target)) return this.#refusedTypes(types);
    const enumeration = this.#enumOf(types.target);
    return enumeration === undefined ? COPY : { kind: "enum", target: enumeration };
  }

  #enumOf(node: SchemaNode): Declaration | undefined {
    const { declarations } = this.#options.context.source.model;
    return referencesOf(node, this.#named)
      .map((reference) => declarations.get(reference))
      .find((each) => each?.shape.kind === "enum");
  }

  #refusedTypes({ source, target }: ComparedTypes): ValueConversion<Pair> {
    const [from, to] = [describeType(source, this.#named), describeType(target, this.#named)];
    const { from: fromVersion, to: toVersion } = this.#options;
    return refused(
      from === to
        ? `${from} of ${fromVersion} differs from that of ${toVersion}`
        : `${from} in ${fromVersion}, ${to} in ${toVersion}`,
    );
  }
}

const COPY = { kind: "copy" } as const;

function refused(reason: string): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason };
}

// Field by field, unknown fields would be lost.
function isOpaque(node: SchemaNode): boolean {
  return (
    node.type === undefined ||
    node["x-kubernetes-int-or-string"] === true ||
    node["x-kubernetes-preserve-unknown-fields"] === true ||
    node["x-kubernetes-embedded-resource"] === true
  );
}

function widensFormat({ format: source }: SchemaNode, { format: target }: SchemaNode): boolean {
  return target === undefined || source === target || (source === "int32" && target === "int64");
}

function widensValues({ enum: source }: SchemaNode, { enum: target }: SchemaNode): boolean {
  return target === undefined || (source !== undefined && source.every((value) => target.includes(value)));
}
