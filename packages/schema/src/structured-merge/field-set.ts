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
  const set = new Map<string, FieldNode>();
  for (const element of Object.keys(fieldsV1)) {
    if (element !== "." && isKnown(element)) set.set(element, nodeOf(fieldsV1[element] ?? null));
  }
  return set;
}

// A later version may know other types of elements.
function isKnown(element: string): boolean {
  return element[1] !== ":" || ELEMENTS.includes(element.charAt(0));
}

function nodeOf(below: JSONValue): FieldNode {
  if (!isJsonObject(below)) return MEMBER;
  const children = fieldSetOf(below);
  return { isMember: children.size === 0 || Object.hasOwn(below, "."), children };
}

/** Formats a field set for `metadata.managedFields`. */
export function printFieldSet(set: FieldSet): JsonObject {
  return printInto({}, set);
}

function printInto(printed: { [element: string]: JSONValue }, set: FieldSet): JsonObject {
  const elements = set.size < 2 ? [...set.keys()] : [...set.keys()].sort(compareElements);
  for (const element of elements) {
    const { isMember, children } = set.get(element) as FieldNode;
    printed[element] = printInto(isMember && children.size > 0 ? { ".": {} } : {}, children);
  }
  return printed;
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

/** Returns the fields of a set that are not in another; the set itself when that are all of them. */
export function differenceOf(left: FieldSet, right: FieldSet): FieldSet {
  if (!overlap(left, right)) return left;
  const kept = new Map<string, FieldNode>();
  for (const [element, own] of left) {
    const other = right.get(element) ?? NO_NODE;
    const isMember = own.isMember && !other.isMember;
    const children = differenceOf(own.children, other.children);
    const node = isMember === own.isMember && children === own.children ? own : { isMember, children };
    if (!isEmptyNode(node)) kept.set(element, node);
  }
  return kept;
}

function overlap(left: FieldSet, right: FieldSet): boolean {
  if (left.size === 0 || right.size === 0) return false;
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  for (const [element, own] of small) {
    const other = large.get(element);
    if (other === undefined) continue;
    if ((own.isMember && other.isMember) || overlap(own.children, other.children)) return true;
  }
  return false;
}

/** Returns the fields that are in both of two sets. */
export function intersectionOf(left: FieldSet, right: FieldSet): FieldSet {
  if (!overlap(left, right)) return NO_FIELDS;
  const kept = new Map<string, FieldNode>();
  for (const [element, own] of left) {
    const other = right.get(element) ?? NO_NODE;
    const node = {
      isMember: own.isMember && other.isMember,
      children: intersectionOf(own.children, other.children),
    };
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

/**
 * Returns the paths of a set, each as its elements: at each level the members first, and then what lies below, as conflicts are listed.
 *
 * structured-merge-diff: fieldpath.Set.Iterate
 */
export function pathsOf(set: FieldSet, above: readonly string[] = []): readonly (readonly string[])[] {
  const nodes = [...set].toSorted(([left], [right]) => compareElements(left, right));
  return [
    ...nodes.filter(([, { isMember }]) => isMember).map(([element]) => [...above, element]),
    ...nodes.flatMap(([element, { children }]) => pathsOf(children, [...above, element])),
  ];
}

function isEmptyNode({ isMember, children }: FieldNode): boolean {
  return !isMember && children.size === 0;
}
