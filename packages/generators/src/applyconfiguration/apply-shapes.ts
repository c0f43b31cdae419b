import { flattenSchema } from "../crd/flatten.ts";
import type { SchemaNode } from "../crd/model/schema-node.ts";
import { childOf, membersOf, type NamedNodes, referencesOf, valueOf } from "../crd/model/schema-parts.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import { schemaOfDeclaration } from "../crd/type-to-schema.ts";
import type { Declaration } from "../loader/type-model.ts";
import { memberName, stringLiteral } from "../typescript/literals.ts";

/** A type of the apply file: a source type, of whose properties some have their own types. */
export interface ApplyType {
  readonly declaration: Declaration;
  readonly isKind: boolean;
  /** The names of its properties, in source order. */
  readonly properties: readonly string[];
  /** The code of the types that take the place of those of the source, by property. */
  readonly nested: readonly (readonly [property: string, code: string])[];
  /** The types of `@kubescaffold/k8s/apply` that the code names, by module. */
  readonly imports: readonly ApplyImport[];
}

/** A type of `@kubescaffold/k8s/apply`, and the name that the code has for it. */
interface ApplyImport {
  readonly module: string;
  readonly name: string;
  readonly alias: string;
}

/** Where a type is looked at: its schema, and the code that names the source type there. */
interface Place {
  readonly node: SchemaNode;
  readonly access: string;
}

/**
 * Finds what server-side apply takes for types: which fields are optional on their own, which lists are merged by keys, and what is one value.
 *
 * Guarantees: what is atomic keeps the type of the source, since an owner states all of it or nothing.
 */
export class ApplyShapes {
  readonly #context: SchemaContext;
  readonly #named: NamedNodes;
  readonly #types = new Map<string, ApplyType>();
  /** The id of the declaration, or the reference of the type of the Kubernetes API, that has a name. */
  readonly #owners = new Map<string, string>();

  /** The names of the roots are theirs, whatever they consist of. */
  constructor(context: SchemaContext, roots: readonly Declaration[]) {
    this.#context = context;
    for (const { id, name } of roots) this.#owners.set(name, id);
    this.#named = (reference) => context.named.get(reference) ?? {};
  }

  /** Adds a declaration and all the exported types that it consists of. */
  add(declaration: Declaration, isKind: boolean): void {
    if (this.#types.has(declaration.id)) return;
    this.#owners.set(declaration.name, declaration.id);
    const node = schemaOfDeclaration(declaration, this.#context);
    const members = [...membersOf(node, this.#named)].filter(([name]) => !isKind || !OBJECT_FIELDS.has(name));
    const imports: ApplyImport[] = [];
    // Registered before it is complete, so that it is made once.
    this.#types.set(declaration.id, { declaration, isKind, properties: [], nested: [], imports });
    this.#types.set(declaration.id, {
      declaration,
      isKind,
      properties: members.map(([name]) => name),
      nested: this.#nestedOf(members, declaration.name, imports),
      imports,
    });
  }

  /** Returns all types that were added and found, sorted by name. */
  types(): readonly ApplyType[] {
    return [...this.#types.values()].toSorted((left, right) =>
      left.declaration.name < right.declaration.name ? -1 : 1,
    );
  }

  #nestedOf(
    members: readonly (readonly [string, SchemaNode])[],
    access: string,
    imports: ApplyImport[],
  ): readonly (readonly [string, string])[] {
    return members.flatMap(([name, node]): readonly (readonly [string, string])[] => {
      const type = this.#typeAt({ node, access: `NonNullable<${access}[${stringLiteral(name)}]>` }, imports);
      if (type === undefined) return [];
      return [[name, this.#flat(node).nullable === true ? `${type} | null` : type]];
    });
  }

  // Undefined for what keeps the type of the source.
  #typeAt(place: Place, imports: ApplyImport[]): string | undefined {
    const flat = this.#flat(place.node);
    const isValue = flat["x-kubernetes-map-type"] === "atomic" || flat["x-kubernetes-embedded-resource"] === true;
    if (isValue) return undefined;
    if (flat.type === "array") return this.#listAt(place, flat, imports);
    if (flat.type !== "object") return undefined;
    if (flat.properties !== undefined && Object.keys(flat.properties).length > 0)
      return this.#structureAt(place, flat, imports);
    const value = childOf(place.node, this.#named, valueOf);
    const type = value && this.#typeAt({ node: value, access: `NonNullable<${place.access}[string]>` }, imports);
    return type === undefined ? undefined : `Readonly<Record<string, ${type}>>`;
  }

  #listAt(place: Place, flat: SchemaNode, imports: ApplyImport[]): string | undefined {
    if (flat["x-kubernetes-list-type"] !== "map") return undefined;
    const item = childOf(place.node, this.#named, ({ items }) => items);
    const keys = requiredKeys(flat);
    const type = item && this.#typeAt({ node: item, access: `${place.access}[number]` }, imports);
    if (type === undefined) return undefined;
    const names = keys.map((key) => stringLiteral(key)).join(" | ");
    return keys.length === 0 ? `readonly ${type}[]` : `readonly ListMapItem<${type}, ${names}>[]`;
  }

  #structureAt({ node, access }: Place, flat: SchemaNode, imports: ApplyImport[]): string | undefined {
    for (const reference of referencesOf(node, this.#named)) {
      if (reference.startsWith(API)) return this.#builtInAt({ reference, access, flat, imports });
      const declaration = this.#context.source.model.declarations.get(reference);
      const isFree = (this.#owners.get(declaration?.name ?? "") ?? reference) === reference;
      if (declaration?.exportName === undefined || declaration.parameters.length > 0 || !isFree) break;
      this.add(declaration, false);
      return `${declaration.name}Apply`;
    }
    const members = [...membersOf(node, this.#named)];
    const nested = this.#nestedOf(members, access, imports).map(([name, type]) => `${memberName(name)}: ${type}`);
    return `ApplyFields<${[access, ...(nested.length === 0 ? [] : [`{ ${nested.join("; ")} }`])].join(", ")}>`;
  }

  #builtInAt({ reference, access, flat, imports }: BuiltInUse): string | undefined {
    const [module = "", name = ""] = reference.split("#");
    // An object inside an object has no identity that the server would merge it by.
    if (["apiVersion", "kind", "metadata"].every((each) => flat.properties?.[each] !== undefined)) return undefined;
    if (module === API || name.startsWith("JSON")) return undefined;
    if (WRITTEN_BY_HAND.has(module) && !META_TYPES.has(name)) return `ApplyFields<${access}>`;
    const owner = this.#owners.get(name) ?? reference;
    if (owner === reference) this.#owners.set(name, reference);
    const alias = owner === reference ? name : `${pascalCase(module.slice(API.length))}${name}`;
    imports.push({ module: `${API}/apply${module.slice(API.length)}`, name: `${name}Apply`, alias: `${alias}Apply` });
    return `${alias}Apply`;
  }

  #flat(node: SchemaNode): SchemaNode {
    return flattenSchema(node, { schemaOf: this.#named, reportConflict: () => undefined });
  }
}

const API = "@kubescaffold/k8s";
// Their types are no generated ones, and have no twins but these.
const WRITTEN_BY_HAND = new Set([`${API}/meta/v1`, `${API}/admission/v1`]);
const OBJECT_FIELDS = new Set(["apiVersion", "kind", "metadata"]);
const META_TYPES = new Set(["Condition", "ObjectMeta"]);

interface BuiltInUse {
  readonly reference: string;
  readonly access: string;
  readonly flat: SchemaNode;
  readonly imports: ApplyImport[];
}

function pascalCase(module: string): string {
  return module.replaceAll(/\W+(\w?)/gu, (_match, letter: string) => letter.toUpperCase());
}

// The server fills in a key that has a default.
function requiredKeys({ items, ...list }: SchemaNode): readonly string[] {
  const keys = list["x-kubernetes-list-map-keys"] ?? [];
  return keys.filter((key) => items?.properties?.[key]?.default === undefined);
}
