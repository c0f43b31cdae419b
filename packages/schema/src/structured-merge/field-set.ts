import type { JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../json/deep-calls.ts";
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
  return runDeep<JSONValue | undefined, FieldNode>(fieldsV1, { run: nodeOf, placeholder: MEMBER }).children;
}

function nodeOf(fieldsV1: JSONValue | undefined, calls: DeepCalls<JSONValue | undefined, FieldNode>): FieldNode {
  if (!isJsonObject(fieldsV1)) return MEMBER;
  const children = new Map<string, FieldNode>();
  for (const element of Object.keys(fieldsV1)) {
    if (element !== "." && isKnown(element)) children.set(element, calls.call(fieldsV1[element]));
  }
  return { isMember: children.size === 0 || Object.hasOwn(fieldsV1, "."), children };
}

// A later version may know other types of elements.
function isKnown(element: string): boolean {
  return element[1] !== ":" || ELEMENTS.includes(element.charAt(0));
}

/** Formats a field set for `metadata.managedFields`. */
export function printFieldSet(set: FieldSet): JsonObject {
  return runDeep<FieldNode, JsonObject>({ isMember: false, children: set }, { run: printNode, placeholder: {} });
}

function printNode({ isMember, children }: FieldNode, calls: DeepCalls<FieldNode, JsonObject>): JsonObject {
  const printed: { [element: string]: JSONValue } = isMember && children.size > 0 ? { ".": {} } : {};
  const elements = children.size < 2 ? children.keys() : [...children.keys()].sort(compareElements);
  for (const element of elements) printed[element] = calls.call(children.get(element) as FieldNode);
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
  const nodes = Array.from(sets, nodeWith);
  return runDeep<readonly FieldNode[], FieldNode>(nodes, { run: union, placeholder: MEMBER }).children;
}

// All nodes of an element at once: one after the other, the children of the first would be copied for each.
function union(nodes: readonly FieldNode[], calls: DeepCalls<readonly FieldNode[], FieldNode>): FieldNode {
  const [left, right, third] = nodes;
  if (left !== undefined && right !== undefined && third === undefined) return unionOfTwo(left, right, calls);
  const isMember = nodes.some((node) => node.isMember);
  const [first, ...others] = nodes.filter((node) => node.children.size > 0);
  if (first === undefined || others.length === 0) return { isMember, children: first?.children ?? NO_FIELDS };
  const children = new Map(first.children);
  const repeated = new Map<string, FieldNode[]>();
  for (const other of others) {
    for (const [element, node] of other.children) {
      const own = children.get(element);
      const group = repeated.get(element);
      if (own === undefined) children.set(element, node);
      else if (group === undefined) repeated.set(element, [own, node]);
      else group.push(node);
    }
  }
  for (const [element, group] of repeated) children.set(element, calls.call(group));
  return { isMember, children };
}

// Most unions are of two, and need no lists.
function unionOfTwo(left: FieldNode, right: FieldNode, calls: DeepCalls<readonly FieldNode[], FieldNode>): FieldNode {
  const isMember = left.isMember || right.isMember;
  if (left.children.size === 0 || right.children.size === 0)
    return { isMember, children: left.children.size === 0 ? right.children : left.children };
  const children = new Map(left.children);
  for (const [element, node] of right.children) {
    const own = children.get(element);
    children.set(element, own === undefined ? node : calls.call([own, node]));
  }
  return { isMember, children };
}

type Nodes = readonly [left: FieldNode, right: FieldNode];

/** Returns the fields of a set that are not in another; the set itself when that are all of them. */
export function differenceOf(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || right.size === 0) return left;
  return runDeep<Nodes, FieldNode>([nodeWith(left), nodeWith(right)], { run: difference, placeholder: MEMBER })
    .children;
}

function nodeWith(children: FieldSet): FieldNode {
  return { isMember: false, children };
}

function difference([left, right]: Nodes, calls: DeepCalls<Nodes, FieldNode>): FieldNode {
  const changed = sharedNodes(left.children, right.children, (own, other) => {
    if (own.children.size === 0) return own.isMember && other.isMember ? NO_NODE : undefined;
    const node = calls.call([own, other]);
    return node === own ? undefined : node;
  });
  const isMember = left.isMember && !right.isMember;
  if (changed === undefined) return isMember === left.isMember ? left : { isMember, children: left.children };
  const kept = new Map<string, FieldNode>();
  for (const [element, own] of left.children) {
    const node = changed.get(element) ?? own;
    if (!isEmptyNode(node)) kept.set(element, node);
  }
  return { isMember, children: kept };
}

/** Returns what a function makes of the nodes of the elements that are in two sets, in the order of the smaller one; undefined when it makes nothing of any. */
function sharedNodes(
  left: FieldSet,
  right: FieldSet,
  nodeOf: (left: FieldNode, right: FieldNode) => FieldNode | undefined,
): Map<string, FieldNode> | undefined {
  let nodes: Map<string, FieldNode> | undefined;
  const isLeftSmaller = left.size < right.size;
  const [small, large] = isLeftSmaller ? [left, right] : [right, left];
  for (const [element, node] of small) {
    const other = large.get(element);
    if (other === undefined) continue;
    const made = isLeftSmaller ? nodeOf(node, other) : nodeOf(other, node);
    if (made !== undefined) (nodes ??= new Map()).set(element, made);
  }
  return nodes;
}

/** Returns the fields that are in both of two sets. */
export function intersectionOf(left: FieldSet, right: FieldSet): FieldSet {
  return runDeep<Nodes, FieldNode>([nodeWith(left), nodeWith(right)], { run: intersection, placeholder: MEMBER })
    .children;
}

function intersection([left, right]: Nodes, calls: DeepCalls<Nodes, FieldNode>): FieldNode {
  const kept = sharedNodes(left.children, right.children, (own, other) => {
    const node = calls.call([own, other]);
    return isEmptyNode(node) ? undefined : node;
  });
  return { isMember: left.isMember && right.isMember, children: kept ?? NO_FIELDS };
}

/** Returns the fields of a set that are neither in another nor below one of its fields. */
export function withoutBelow(set: FieldSet, removed: FieldSet): FieldSet {
  return runDeep<Nodes, FieldNode>([nodeWith(set), nodeWith(removed)], { run: withoutNodes, placeholder: MEMBER })
    .children;
}

function withoutNodes([{ isMember, children }, removed]: Nodes, calls: DeepCalls<Nodes, FieldNode>): FieldNode {
  if (removed.isMember) return NO_NODE;
  if (removed.children.size === 0) return { isMember, children };
  const kept = new Map<string, FieldNode>();
  for (const [element, own] of children) {
    const other = removed.children.get(element);
    const node = other === undefined ? own : calls.call([own, other]);
    if (!isEmptyNode(node)) kept.set(element, node);
  }
  return { isMember, children: kept };
}

/**
 * Returns the paths of a set, each as its elements: at each level the members first, and then what lies below, as conflicts are listed.
 *
 * structured-merge-diff: fieldpath.Set.Iterate
 */
export function pathsOf(set: FieldSet): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const above: string[] = [];
  const open = [childrenOf(set, above, paths)];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.pop();
    // The element whose children these are.
    above.length = open.length - 1;
    if (next === undefined) {
      open.pop();
      continue;
    }
    const [element, { children }] = next;
    above.push(element);
    open.push(childrenOf(children, above, paths));
  }
  return paths;
}

// Adds the paths of the members, and returns the nodes with children, the last one first.
function childrenOf(
  set: FieldSet,
  above: readonly string[],
  paths: (readonly string[])[],
): (readonly [string, FieldNode])[] {
  const nodes = [...set].toSorted(([left], [right]) => compareElements(left, right));
  for (const [element, { isMember }] of nodes) if (isMember) paths.push([...above, element]);
  return nodes.filter(([, { children }]) => children.size > 0).toReversed();
}

function isEmptyNode({ isMember, children }: FieldNode): boolean {
  return !isMember && children.size === 0;
}
