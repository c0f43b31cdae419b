import type { SourceLocation } from "../loader/type-model.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import { joinOverrides } from "./override-schema.ts";

/** What flattening needs of its surroundings. */
export interface FlattenOptions {
  /** Returns the schema of a named type, its references not yet replaced. */
  readonly schemaOf: (reference: string) => SchemaNode;
  /** Is called for two types that cannot both hold. */
  readonly reportConflict: (conflict: TypeConflict) => void;
}

interface TypeConflict {
  readonly types: readonly [string, string];
  readonly origin: SourceLocation | undefined;
}

/**
 * Replaces references by what they refer to and merges what is inherited, by upstream's rules.
 *
 * Guarantees: the nodes given are not changed; the schema of a named type is resolved once, whatever the number of its uses; the parts of a
 * built-in struct keep their identity.
 */
export function flattenSchema(node: SchemaNode, options: FlattenOptions): SchemaNode {
  return new Eliminator(options).eliminate(new Resolver(options).resolve(node));
}

/** The first step: each use of a named type becomes that type and, beside it, what the use adds. */
class Resolver {
  readonly #options: FlattenOptions;
  readonly #resolved = new Map<string, SchemaNode>();

  constructor(options: FlattenOptions) {
    this.#options = options;
  }

  resolve(node: SchemaNode): SchemaNode {
    if (isFinished(node)) return node;
    if (node.reference !== undefined) return addUse(this.#resolveType(node.reference), this.#mapChildren(node));
    return this.#mapChildren(node);
  }

  #resolveType(reference: string): SchemaNode {
    const known = this.#resolved.get(reference);
    if (known !== undefined) return known;
    const resolved = this.resolve(this.#options.schemaOf(reference));
    this.#resolved.set(reference, resolved);
    return resolved;
  }

  #mapChildren(node: SchemaNode): SchemaNode {
    return mapChildren(node, (child) => this.resolve(child));
  }
}

function addUse(type: SchemaNode, use: SchemaNode): SchemaNode {
  const { reference: _reference, description, title, externalDocs, example, override, ...added } = use;
  const node: SchemaNode = { allOf: [withoutReplaced(type, use), added] };
  if (use.origin !== undefined) node.origin = use.origin;
  const documented = { description: description || type.description, title: title || type.title };
  if (documented.description !== undefined) node.description = documented.description;
  if (documented.title !== undefined) node.title = documented.title;
  const docs = externalDocs ?? type.externalDocs;
  if (docs !== undefined) node.externalDocs = docs;
  const shown = example ?? type.example;
  if (shown !== undefined) node.example = shown;
  if (override !== undefined) node.override = override;
  return node;
}

const DOCUMENTATION = ["description", "title", "externalDocs", "example"] as const;

// Raw keywords of a type replace its own documentation, not that of a property that uses it.
function withoutReplaced(type: SchemaNode, use: SchemaNode): SchemaNode {
  if (type.override === undefined) return type;
  const kept = Object.entries(type.override).filter(
    ([key]) => !DOCUMENTATION.some((each) => each === key && (use[each] ?? "") !== ""),
  );
  return kept.length === Object.keys(type.override).length ? type : { ...type, override: Object.fromEntries(kept) };
}

/** The second step: the branches of allOf are merged into the node that has them. */
class Eliminator {
  readonly #options: FlattenOptions;
  readonly #done = new WeakMap<SchemaNode, SchemaNode>();

  constructor(options: FlattenOptions) {
    this.#options = options;
  }

  eliminate(node: SchemaNode): SchemaNode {
    if (isFinished(node)) return node;
    const known = this.#done.get(node);
    if (known !== undefined) return known;
    const result = mapChildren(this.#withoutBranches(node), (child) => this.eliminate(child));
    this.#done.set(node, result);
    return result;
  }

  #withoutBranches(node: SchemaNode): SchemaNode {
    if (node.allOf === undefined) return node;
    const { allOf, ...own } = node;
    let merged: SchemaNode = own;
    for (const branch of allOf) merged = this.#merge(merged, branch);
    return merged;
  }

  #merge(target: SchemaNode, source: SchemaNode): SchemaNode {
    let result: SchemaNode = { ...target };
    for (const branch of source.allOf ?? []) result = this.#merge(result, branch);
    const rest: { readonly target: SchemaNode; readonly source: SchemaNode } = { target: {}, source: {} };
    for (const key of KEYWORDS) this.#mergeKeyword({ key, result, source, rest });
    if (Object.keys(rest.target).length > 0) result.allOf = [...(result.allOf ?? []), rest.target, rest.source];
    if (result.required !== undefined && result.required.length > 0)
      result.required = [...new Set(result.required)].toSorted(compareBytes);
    return result;
  }

  #mergeKeyword({ key, result, source, rest }: KeywordMerge): void {
    if (isEmpty(key, source[key])) return;
    if (isEmpty(key, result[key])) {
      assign(result, key, source[key]);
      if (key === "items" && source.hasItemsOverlay === true) result.hasItemsOverlay = true;
      if (key === "default" && source.defaultOrigin !== undefined) result.defaultOrigin = source.defaultOrigin;
      return;
    }
    const isScalar = typeof source[key] === "string" || typeof source[key] === "boolean";
    if (isScalar && source[key] === result[key]) return;
    if (this.#mergeByRule(key, result, source)) return;
    assign(rest.source, key, source[key]);
    assign(rest.target, key, result[key]);
    delete result[key];
  }

  // Reports whether the keyword has its own rule; all others are kept side by side in allOf.
  #mergeByRule(key: Keyword, result: SchemaNode, source: SchemaNode): boolean {
    switch (key) {
      case "enum":
        return true;
      case "default":
        return source.defaultOrigin !== undefined && source.defaultOrigin === result.defaultOrigin;
      // What stands nearer to the use goes before what is inherited.
      case "override":
        result.override = joinOverrides(source.override, result.override);
        return true;
      case "properties":
        result.properties = this.#mergeProperties(result.properties ?? {}, source.properties ?? {});
        return true;
      case "required":
        result.required = [...(result.required ?? []), ...(source.required ?? [])];
        return true;
      case "minProperties":
      case "maxProperties":
        return result[key] === source[key];
      case "type":
        this.#options.reportConflict({
          types: [result.type ?? "", source.type ?? ""],
          origin: source.origin ?? result.origin,
        });
        return true;
      case "additionalProperties":
        result.additionalProperties = this.#mergeAdditional(result.additionalProperties, source.additionalProperties);
        return true;
      case "items":
        return this.#mergeItems(result, source);
      case "x-kubernetes-preserve-unknown-fields":
      case "x-kubernetes-map-type":
      case "x-kubernetes-list-type":
      case "x-kubernetes-list-map-keys":
        assign(result, key, source[key]);
        return true;
      case "x-kubernetes-validations":
        result[key] = [...(source[key] ?? []), ...(result[key] ?? [])];
        return true;
      default:
        return false;
    }
  }

  #mergeProperties(
    target: Readonly<Record<string, SchemaNode>>,
    source: Readonly<Record<string, SchemaNode>>,
  ): Readonly<Record<string, SchemaNode>> {
    const merged = new Map(Object.entries(target));
    for (const [name, property] of Object.entries(source)) {
      const known = merged.get(name);
      merged.set(name, known === undefined ? property : this.#merge(known, property));
    }
    return Object.fromEntries(merged);
  }

  #mergeAdditional(target: SchemaNode | true | undefined, source: SchemaNode | true | undefined): SchemaNode | true {
    if (source === undefined || source === true) return target ?? true;
    return this.#merge(target === undefined || target === true ? {} : target, source);
  }

  #mergeItems(result: SchemaNode, source: SchemaNode): boolean {
    if (source.hasItemsOverlay !== true && result.hasItemsOverlay !== true) return false;
    result.items = this.#merge(result.items ?? {}, source.items ?? {});
    return true;
  }
}

type Keyword = (typeof KEYWORDS)[number];

interface KeywordMerge {
  readonly key: Keyword;
  readonly result: SchemaNode;
  readonly source: SchemaNode;
  readonly rest: { readonly target: SchemaNode; readonly source: SchemaNode };
}

// Documentation is resolved when references are replaced, so it is not here.
const KEYWORDS = [
  "type",
  "format",
  "default",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "enum",
  "maxProperties",
  "minProperties",
  "required",
  "items",
  "oneOf",
  "anyOf",
  "properties",
  "additionalProperties",
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
  "isMetadata",
  "isUnresolved",
  "override",
] as const;

function mapChildren(node: SchemaNode, change: (child: SchemaNode) => SchemaNode): SchemaNode {
  if (!hasChildren(node)) return node;
  const mapped: SchemaNode = { ...node };
  if (node.items !== undefined) mapped.items = change(node.items);
  if (node.allOf !== undefined) mapped.allOf = node.allOf.map((each) => change(each));
  if (node.oneOf !== undefined) mapped.oneOf = node.oneOf.map((each) => change(each));
  if (node.anyOf !== undefined) mapped.anyOf = node.anyOf.map((each) => change(each));
  if (node.properties !== undefined) {
    mapped.properties = Object.fromEntries(Object.entries(node.properties).map(([name, each]) => [name, change(each)]));
  }
  if (node.additionalProperties !== undefined && node.additionalProperties !== true) {
    mapped.additionalProperties = change(node.additionalProperties);
  }
  return mapped;
}

// Schemas of built-in structs are frozen and as they are printed: nothing in them refers to another or is left to merge.
function isFinished(node: SchemaNode): boolean {
  return Object.isFrozen(node);
}

function hasChildren({ items, allOf, oneOf, anyOf, properties, additionalProperties }: SchemaNode): boolean {
  return (items ?? allOf ?? oneOf ?? anyOf ?? properties ?? additionalProperties) !== undefined;
}

function assign<Key extends Keyword>(node: SchemaNode, key: Key, value: SchemaNode[Key]): void {
  node[key] = value;
}

// A default may be empty or false.
function isEmpty(key: Keyword, value: unknown): boolean {
  return value === undefined || (key !== "default" && (value === "" || value === false));
}
