import type { JSONValue } from "@kubescaffold/k8s";

import { isJsonObject, type JsonObject } from "../json/json-value.ts";

/**
 * A set of fields, as a tree of path elements in their written form: `f:` and a name, `k:` and the keys of an element, `v:` and a value of a set.
 *
 * A set is never changed.
 */
export type FieldSet = ReadonlyMap<string, FieldNode>;

/** A node in a field set: whether it is a member, and its children. */
export interface FieldNode {
  /** Whether the field itself belongs to the set. */
  readonly isMember: boolean;
  /** The fields below. */
  readonly children: FieldSet;
}

/** The set without fields. */
export const NO_FIELDS: FieldSet = new Map();

const MEMBER: FieldNode = { isMember: true, children: NO_FIELDS };
const NO_NODE: FieldNode = { isMember: false, children: NO_FIELDS };

/** Parses a field set in the format of `metadata.managedFields`. */
export function fieldSetOf(fieldsV1: JSONValue | undefined): FieldSet {
  if (!isJsonObject(fieldsV1)) return NO_FIELDS;
  return new Map(
    Object.entries(fieldsV1)
      .filter(([element]) => element !== ".")
      .map(([element, below]) => [element, nodeOf(below)]),
  );
}

function nodeOf(below: JSONValue): FieldNode {
  if (!isJsonObject(below)) return MEMBER;
  const children = fieldSetOf(below);
  return { isMember: children.size === 0 || Object.hasOwn(below, "."), children };
}

/** Formats a field set for `metadata.managedFields`. */
export function printFieldSet(set: FieldSet): JsonObject {
  const entries = [...set].toSorted(([left], [right]) => compareElements(left, right));
  return Object.fromEntries(
    entries.map(([element, { isMember, children }]) => [
      element,
      { ...(isMember && children.size > 0 ? { ".": {} } : {}), ...printFieldSet(children) },
    ]),
  );
}

// Fields come before elements of lists, as the server prints them.
function compareElements(left: string, right: string): number {
  const order = ELEMENTS.indexOf(left[0] ?? "") - ELEMENTS.indexOf(right[0] ?? "");
  if (order !== 0) return order;
  return left < right ? -1 : Number(left > right);
}

const ELEMENTS = "fkvi";

/** Returns the set of one path and what is below it. */
export function fieldSetAt(element: string, node: FieldNode): FieldSet {
  return isEmptyNode(node) ? NO_FIELDS : new Map([[element, node]]);
}

/** Returns the fields that are in one of two sets. */
export function unionOf(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  return unionOfAll([left, right]);
}

/** Returns the fields that are in one of any number of sets, in the time that their size takes. */
export function unionOfAll(sets: Iterable<FieldSet>): FieldSet {
  const all = new Map<string, FieldNode>();
  for (const set of sets) {
    for (const [element, node] of set) {
      const other = all.get(element);
      all.set(element, other === undefined ? node : unionOfNodes(other, node));
    }
  }
  return all;
}

function unionOfNodes(left: FieldNode, right: FieldNode): FieldNode {
  return { isMember: left.isMember || right.isMember, children: unionOf(left.children, right.children) };
}

/** Returns the fields of a set that are not in another. */
export function differenceOf(left: FieldSet, right: FieldSet): FieldSet {
  return left.size === 0 || right.size === 0 ? left : within(left, right, (own, other) => own && !other);
}

/** Returns the fields that are in both of two sets. */
export function intersectionOf(left: FieldSet, right: FieldSet): FieldSet {
  return left.size === 0 || right.size === 0 ? NO_FIELDS : within(left, right, (own, other) => own && other);
}

// Of a set, which may be much smaller than the other.
function within(left: FieldSet, right: FieldSet, isIn: (own: boolean, other: boolean) => boolean): FieldSet {
  const kept = new Map<string, FieldNode>();
  for (const [element, own] of left) {
    const other = right.get(element) ?? NO_NODE;
    const isMember = isIn(own.isMember, other.isMember);
    const node = { isMember, children: within(own.children, other.children, isIn) };
    if (!isEmptyNode(node)) kept.set(element, node);
  }
  return kept;
}

/** Returns the fields of a set that are neither in another nor below one of its fields. */
export function withoutBelow(set: FieldSet, removed: FieldSet): FieldSet {
  const kept = [...set].flatMap(([element, node]): readonly (readonly [string, FieldNode])[] => {
    const other = removed.get(element);
    if (other?.isMember === true) return [];
    const children = other === undefined ? node.children : withoutBelow(node.children, other.children);
    return isEmptyNode({ ...node, children }) ? [] : [[element, { ...node, children }]];
  });
  return new Map(kept);
}

/** Returns the paths of a set, each as its elements, in the order in which the set is printed. */
export function pathsOf(set: FieldSet, above: readonly string[] = []): readonly (readonly string[])[] {
  return [...set]
    .toSorted(([left], [right]) => compareElements(left, right))
    .flatMap(([element, { isMember, children }]) => {
      const path = [...above, element];
      return [...(isMember ? [path] : []), ...pathsOf(children, path)];
    });
}

function isEmptyNode({ isMember, children }: FieldNode): boolean {
  return !isMember && children.size === 0;
}
