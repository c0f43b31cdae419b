import {
  nameKey,
  type Declaration,
  type MarkerComment,
  type NodeComments,
  type Property,
  type SourceLocation,
  type TypeExpression,
  type TypeModel,
} from "../loader/type-model.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";

/** Something of the sources that carries markers. */
export interface MarkedPlace {
  readonly location: SourceLocation;
  readonly markers: readonly MarkerUse[];
  readonly comments: NodeComments;
  readonly type: TypeExpression | undefined;
}

/** A marker as it was read and as it is written. */
export interface WrittenMarker {
  readonly use: MarkerUse;
  readonly comment: MarkerComment;
}

/** Leads from places of the sources to what is there. */
export class SourceIndex {
  readonly #model: TypeModel;
  readonly #marked: MarkedModel;
  readonly #places: ReadonlyMap<string, MarkedPlace>;

  constructor(model: TypeModel, marked: MarkedModel) {
    this.#model = model;
    this.#marked = marked;
    const properties = [...marked.properties].map(
      ([property, markers]) => [keyOf(property.location), placeOfProperty(property, markers)] as const,
    );
    const types = [...model.declarations.values()].map(
      (declaration) => [keyOf(declaration.location), this.#placeOfType(declaration)] as const,
    );
    this.#places = new Map([...properties, ...types]);
  }

  /** Returns what carries markers at a place. */
  placeAt(location: SourceLocation): MarkedPlace | undefined {
    return this.#places.get(keyOf(location));
  }

  /** Returns the markers that shape a place, its own first, then those of the types that it is a use of. */
  markersFor(place: MarkedPlace): readonly WrittenMarker[] {
    return this.#chainOf(place).flatMap((each) => writtenMarkers(each));
  }

  /** Returns the place and the types that it is a use of. */
  chainOf(place: MarkedPlace): readonly MarkedPlace[] {
    return this.#chainOf(place);
  }

  /** Returns the markers of the package that a file belongs to. */
  packageMarkers(file: string): readonly MarkerUse[] {
    const holder = this.#model.packages.find((each) => each.files.some((one) => one.path === file));
    return holder === undefined ? [] : (this.#marked.packages.get(holder.directory) ?? []);
  }

  /** Reports whether the type of a place extends a type of `@kubescaffold/k8s`, named by its module and its name, directly or not. */
  isBasedOn(place: MarkedPlace, builtIn: string): boolean {
    return place.type !== undefined && this.#isBasedOn(place.type, builtIn, new Set());
  }

  #isBasedOn(type: TypeExpression, builtIn: string, visited: Set<string>): boolean {
    if (type.kind === "intersection") return type.members.some((each) => this.#isBasedOn(each, builtIn, visited));
    if (type.kind === "object") return type.extends.some((each) => this.#isBasedOn(each, builtIn, visited));
    if (type.kind !== "reference") return false;
    const target = this.#model.names.get(nameKey(type.file, type.name));
    if (target?.kind === "built-in") return `${target.module}#${target.name}` === builtIn;
    if (target?.kind !== "declaration" || visited.has(target.id)) return false;
    visited.add(target.id);
    const shape = this.#model.declarations.get(target.id)?.shape;
    return shape?.kind === "type" && this.#isBasedOn(shape.type, builtIn, visited);
  }

  #chainOf(place: MarkedPlace): readonly MarkedPlace[] {
    const chain: MarkedPlace[] = [];
    let current: MarkedPlace | undefined = place;
    while (current !== undefined && !chain.includes(current)) {
      chain.push(current);
      current = this.#behind(current.type);
    }
    return chain;
  }

  #behind(type: TypeExpression | undefined): MarkedPlace | undefined {
    const named = type === undefined ? undefined : withoutNothing(type);
    if (named?.kind === "array") return this.#behind(named.items);
    if (named?.kind !== "reference") return undefined;
    const target = this.#model.names.get(nameKey(named.file, named.name));
    if (target?.kind === "global") return this.#behind(named.arguments.at(named.name === "Record" ? 1 : 0));
    const declaration = target?.kind === "declaration" ? this.#model.declarations.get(target.id) : undefined;
    return declaration === undefined ? undefined : this.placeAt(declaration.location);
  }

  #placeOfType(declaration: Declaration): MarkedPlace {
    const { location, comments, shape, id } = declaration;
    const markers = this.#marked.types.get(id) ?? [];
    return { location, comments, markers, type: shape.kind === "type" ? shape.type : undefined };
  }
}

/** Returns the markers of a place with their text. */
function writtenMarkers({ markers, comments }: MarkedPlace): readonly WrittenMarker[] {
  return markers.map((use) => {
    const comment = comments.markers.find((each) => keyOf(each.location) === keyOf(use.location));
    return { use, comment: comment ?? { text: `+${use.name}`, isAdjacent: true, location: use.location } };
  });
}

function placeOfProperty({ location, comments, type }: Property, markers: readonly MarkerUse[]): MarkedPlace {
  return { location, comments, markers, type };
}

function withoutNothing(type: TypeExpression): TypeExpression | undefined {
  if (type.kind !== "union") return type;
  const members = type.members.filter((each) => !isNothing(each));
  return members.length === 1 ? members[0] : undefined;
}

function isNothing(type: TypeExpression): boolean {
  return (type.kind === "literal" && type.value === null) || (type.kind === "keyword" && type.name === "undefined");
}

function keyOf({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}
