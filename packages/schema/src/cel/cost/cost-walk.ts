import { characterCount } from "../../text/character-count.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import { declaredTypeAt, type DeclaredType } from "../expressions/declared-type.ts";
import type { CelNode, LiteralNode } from "../expressions/expression-tree.ts";
import type { CelType } from "../values/cel-type.ts";
import { appendToPath, NO_PATH, type NodePath, stepsOf } from "./node-path.ts";
import { fixed, type Span, union, UNKNOWN } from "./ranges.ts";

/** Is how large keys and values of a list or map get that an expression makes. */
export interface EntrySizes {
  readonly container: "list" | "map";
  readonly key: Span;
  readonly value: Span;
}

/** A name that a macro binds, and what is known of its value. */
interface LocalVariable {
  readonly path: NodePath;
  readonly size: Span | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Is what is known at one moment of an estimate; it changes as the estimate goes on. */
export interface CostWalk {
  readonly checked: CheckedExpression;
  /** What `self` and `oldSelf` are declared as. */
  readonly root: DeclaredType;
  readonly paths: Map<CelNode, NodePath>;
  readonly sizes: Map<CelNode, Span>;
  readonly entries: Map<CelNode, EntrySizes>;
  readonly locals: Map<string, LocalVariable[]>;
  /** The parts of `self` and `oldSelf` whose sizes were asked for, by their paths. */
  readonly read: Map<string, readonly string[]>;
}

/** Starts an estimate. */
export function startWalk(checked: CheckedExpression, root: DeclaredType): CostWalk {
  return { checked, root, paths: new Map(), sizes: new Map(), entries: new Map(), locals: new Map(), read: new Map() };
}

/** Returns the path from a variable to a node, as far as one is known. */
export function pathOf(walk: CostWalk, node: CelNode): NodePath {
  const local = node.kind === "ident" ? localOf(walk, node.name) : undefined;
  return local?.path ?? walk.paths.get(node) ?? NO_PATH;
}

/** Returns the variable that a macro bound to a name. */
export function localOf(walk: CostWalk, name: string): LocalVariable | undefined {
  return walk.locals.get(name)?.at(-1);
}

/** Binds a name to the value of an expression. */
export function bindValue(walk: CostWalk, name: string, value: CelNode): void {
  const entries = entriesOf(walk, value);
  push(walk, name, { path: pathOf(walk, value), size: sizeOf(walk, value), entries });
}

/** Binds a name to one of the two things that a loop goes over; `item` is the item of a list and the key of a map. */
export function bindElement(
  walk: CostWalk,
  name: string,
  loop: { range: CelNode; part: "item" | "key" | "value" },
): void {
  const entries = entriesOf(walk, loop.range);
  const isList = (entries?.container ?? walk.checked.typeOf(loop.range).kind) === "list";
  const isValue = loop.part === "value" || (loop.part === "item" && isList);
  const step = isValue ? (isList ? "@items" : "@values") : isList ? "@indices" : "@keys";
  const size = isValue ? entries?.value : entries?.key;
  push(walk, name, { path: appendToPath(pathOf(walk, loop.range), step), size, entries: undefined });
}

/** Ends the binding that was made last. */
export function unbind(walk: CostWalk, name: string): void {
  walk.locals.get(name)?.pop();
}

function push(walk: CostWalk, name: string, variable: LocalVariable): void {
  const bindings = walk.locals.get(name) ?? [];
  bindings.push(variable);
  walk.locals.set(name, bindings);
}

/** Returns how large the value of a node gets, or undefined where nothing is known. */
export function sizeOf(walk: CostWalk, node: CelNode): Span | undefined {
  const known = walk.sizes.get(node) ?? sizeAsWritten(node);
  if (known !== undefined) {
    return known;
  }
  const declared = declaredSize(walk, pathOf(walk, node));
  if (declared !== undefined) {
    walk.sizes.set(node, declared);
    return declared;
  }
  if (isOfOneSize(walk.checked.typeOf(node))) {
    return fixed(1n);
  }
  return node.kind === "ident" ? localOf(walk, node.name)?.size : undefined;
}

/** Returns how large the value of a node gets; what is not known may be of any size. */
export function sizeOrUnknown(walk: CostWalk, node: CelNode): Span {
  return sizeOf(walk, node) ?? UNKNOWN;
}

/** Returns the size that the schema declares for what a path leads to. */
export function declaredSize(walk: CostWalk, path: NodePath): Span | undefined {
  if (path.length === 0) {
    return undefined;
  }
  const steps = stepsOf(path);
  const declared = declaredTypeAt(walk.root, steps.slice(1));
  if (steps[0] === "self" || steps[0] === "oldSelf") {
    walk.read.set(steps.slice(1).join("\n"), steps.slice(1));
  }
  return declared === undefined ? undefined : { min: 0n, max: BigInt(declared.maxElements) };
}

/** Returns how large the entries get of a list or map that the expression itself makes. */
export function entriesOf(walk: CostWalk, node: CelNode): EntrySizes | undefined {
  return walk.entries.get(node) ?? (node.kind === "ident" ? localOf(walk, node.name)?.entries : undefined);
}

/** Returns the sizes that hold for the entries of both, if both are known. */
export function unionOfEntries(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
  return left === undefined || right === undefined
    ? undefined
    : { container: left.container, key: union(left.key, right.key), value: union(left.value, right.value) };
}

/** Remembers what an expression produces; what is not known changes nothing. */
export function remember(
  walk: CostWalk,
  node: CelNode,
  found: { readonly size?: Span | undefined; readonly entries?: EntrySizes | undefined },
): void {
  if (found.size !== undefined) {
    walk.sizes.set(node, found.size);
  }
  if (found.entries !== undefined) {
    walk.entries.set(node, found.entries);
  }
}

function sizeAsWritten(node: CelNode): Span | undefined {
  switch (node.kind) {
    case "literal":
      return fixed(sizeOfLiteral(node.value));
    case "list":
      return fixed(BigInt(node.elements.length));
    case "map":
      return fixed(BigInt(node.entries.length));
    default:
      return undefined;
  }
}

function sizeOfLiteral(value: LiteralNode["value"]): bigint {
  if (typeof value === "string") {
    return BigInt(characterCount(value));
  }
  return value instanceof Uint8Array ? BigInt(value.length) : 1n;
}

const KINDS_OF_ONE_SIZE: ReadonlySet<CelType["kind"]> = new Set([
  "bool",
  "double",
  "duration",
  "int",
  "timestamp",
  "uint",
]);

function isOfOneSize(type: CelType): boolean {
  const [content] = type.parameters;
  return (
    KINDS_OF_ONE_SIZE.has(type.kind) ||
    (type.kind === "opaque" && type.name === "optional_type" && content !== undefined && isOfOneSize(content))
  );
}
