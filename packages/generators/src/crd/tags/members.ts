import type { SourceLocation } from "../../loader/type-model.ts";
import type { MarkerUse } from "../../markers/read-markers.ts";
import { celFieldName } from "../model/cel-field-name.ts";
import type { SchemaNode } from "../model/schema-node.ts";
import type { NamedNodes } from "../model/schema-parts.ts";
import { typeNameOf } from "./tag-predicates.ts";

/** A property of an object with its tags. */
export interface Member {
  readonly name: string;
  readonly node: SchemaNode;
  readonly markers: readonly MarkerUse[];
}

/** What rules about several properties of an object are made from. */
export interface MemberRulesOptions {
  readonly members: readonly Member[];
  readonly typeOf: NamedNodes;
  readonly report: (misfit: {
    readonly message: string;
    readonly hint: string;
    readonly location: SourceLocation;
  }) => void;
}

/** Returns the uses of a tag above properties. */
export function usesOf(tag: string, members: readonly Member[]): readonly (readonly [Member, MarkerUse])[] {
  return members.flatMap((member) =>
    member.markers.filter(({ name }) => name === tag).map((marker) => [member, marker] as const),
  );
}

/** Returns the condition that a property is set: a list or a map with nothing in it is not, as in Go. */
export function isSet(object: string, { name, node }: Member, typeOf: NamedNodes): string {
  const field = `${object}.${celFieldName(name)}`;
  const isCollection = typeNameOf(node, typeOf) === "array" || isMap(node, typeOf);
  return isCollection ? `(has(${field}) && ${field}.size() > 0)` : `has(${field})`;
}

function isMap(node: SchemaNode, typeOf: NamedNodes): boolean {
  const type = node.reference === undefined ? node : typeOf(node.reference);
  if (type.additionalProperties !== undefined) return true;
  return type !== node && isMap(type, typeOf);
}

/** Returns the value of a discriminator, which is empty if it is not set. */
export function discriminatorOf(object: string, { name, node }: Member, typeOf: NamedNodes): string {
  const field = `${object}.${celFieldName(name)}`;
  return `(has(${field}) ? ${field} : ${typeNameOf(node, typeOf) === "boolean" ? "false" : "''"})`;
}
