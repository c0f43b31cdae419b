import type { ObjectEntry } from "../state/model.ts";
import { isNarrowing, objectMatcher, type ObjectFilter } from "./filter-objects.ts";

/** A visible row of the tree of objects. */
export interface TreeRow {
  readonly entry: ObjectEntry;
  /** 1 for roots. */
  readonly level: number;
  readonly children: number;
  readonly isExpanded: boolean;
  /** Whether it is shown only because an object that it owns matches. */
  readonly isContext: boolean;
}

/**
 * Returns the visible rows of the tree of objects by owner, in order.
 *
 * An object with several owners is a child of its controller, or of the first owner that exists. Under a narrowing filter the owners of matches are shown too, and nothing is collapsed.
 */
export function treeRows(
  objects: ReadonlyMap<string, ObjectEntry>,
  { filter, collapsed }: { readonly filter: ObjectFilter; readonly collapsed: ReadonlySet<string> },
): readonly TreeRow[] {
  const matches = objectMatcher(filter);
  const shown = new Map<string, boolean>();
  for (const [uid, entry] of objects) {
    if (!matches(entry)) continue;
    shown.set(uid, true);
    if (isNarrowing(filter))
      for (const owner of ancestorsOf(objects, entry)) if (!shown.has(owner)) shown.set(owner, false);
  }
  const { roots, children } = group(objects, shown);
  const rows: TreeRow[] = [];
  const isOpen = (uid: string): boolean => isNarrowing(filter) || !collapsed.has(uid);
  const visit = (entry: ObjectEntry, level: number): void => {
    const { uid } = entry.summary;
    const below = children.get(uid) ?? [];
    const isExpanded = below.length > 0 && isOpen(uid);
    rows.push(rowOf({ entry, level, children: below.length, isExpanded, isContext: shown.get(uid) === false }));
    if (isExpanded) for (const child of below) visit(child, level + 1);
  };
  for (const root of roots) visit(root, 1);
  return rows;
}

/** The rows of a tree, with what they were computed from. */
export interface ObjectTree {
  readonly objects: ReadonlyMap<string, ObjectEntry>;
  readonly filter: ObjectFilter;
  readonly collapsed: ReadonlySet<string>;
  readonly rows: readonly TreeRow[];
}

/** Returns the tree after a change. As long as all objects stay at their places, only the rows of changed objects are computed. */
export function updatedTree(
  last: ObjectTree | undefined,
  objects: ReadonlyMap<string, ObjectEntry>,
  options: { readonly filter: ObjectFilter; readonly collapsed: ReadonlySet<string> },
): ObjectTree {
  const { filter, collapsed } = options;
  const isSameView = last?.filter === filter && last.collapsed === collapsed;
  const rows = (isSameView ? changedRows(last, objects) : undefined) ?? treeRows(objects, options);
  return { objects, filter, collapsed, rows };
}

function changedRows(last: ObjectTree, objects: ReadonlyMap<string, ObjectEntry>): readonly TreeRow[] | undefined {
  if (objects.size !== last.objects.size) return undefined;
  const matches = objectMatcher(last.filter);
  const replaced = new Map<ObjectEntry, ObjectEntry>();
  for (const [uid, entry] of objects) {
    const before = last.objects.get(uid);
    if (before === entry) continue;
    if (before === undefined || !isAtSamePlace(before, entry) || matches(before) !== matches(entry)) return undefined;
    replaced.set(before, entry);
  }
  return last.rows.map((row) => {
    const entry = replaced.get(row.entry);
    return entry === undefined ? row : rowOf({ ...row, entry });
  });
}

function isAtSamePlace(before: ObjectEntry, after: ObjectEntry): boolean {
  const [left, right] = [before.summary.owners ?? [], after.summary.owners ?? []];
  return (
    before.sortKey === after.sortKey &&
    left.length === right.length &&
    left.every(
      ({ uid, isController }, index) => uid === right[index]?.uid && isController === right[index].isController,
    )
  );
}

// A row that is as before is the same object, so that its elements stay as they are.
function rowOf(row: TreeRow): TreeRow {
  const last = lastRows.get(row.entry);
  const isSame =
    last !== undefined &&
    last.level === row.level &&
    last.children === row.children &&
    last.isExpanded === row.isExpanded &&
    last.isContext === row.isContext;
  if (isSame) return last;
  lastRows.set(row.entry, row);
  return row;
}

const lastRows = new WeakMap<ObjectEntry, TreeRow>();

/** Returns the UID of the owner below which an object is shown. */
export function parentOf(objects: ReadonlyMap<string, ObjectEntry>, entry: ObjectEntry): string | undefined {
  const { owners, uid } = entry.summary;
  let first: string | undefined;
  for (const owner of owners ?? []) {
    if (owner.uid === uid || !objects.has(owner.uid)) continue;
    if (owner.isController) return owner.uid;
    first ??= owner.uid;
  }
  return first;
}

/** Returns the UIDs of the owners of an object, nearest first. Cycles end. */
export function ancestorsOf(objects: ReadonlyMap<string, ObjectEntry>, entry: ObjectEntry): readonly string[] {
  const found: string[] = [];
  let current: ObjectEntry | undefined = entry;
  while (current !== undefined) {
    const parent = parentOf(objects, current);
    if (parent === undefined || parent === entry.summary.uid || found.includes(parent)) break;
    found.push(parent);
    current = objects.get(parent);
  }
  return found;
}

function group(
  objects: ReadonlyMap<string, ObjectEntry>,
  shown: ReadonlyMap<string, boolean>,
): { readonly roots: readonly ObjectEntry[]; readonly children: ReadonlyMap<string, ObjectEntry[]> } {
  const roots: ObjectEntry[] = [];
  const children = new Map<string, ObjectEntry[]>();
  for (const uid of shown.keys()) {
    const entry = objects.get(uid);
    if (entry === undefined) continue;
    const parent = parentOf(objects, entry);
    if (parent === undefined || !shown.has(parent)) {
      roots.push(entry);
      continue;
    }
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entry]);
    else siblings.push(entry);
  }
  addCycles(objects, { shown, roots, children });
  roots.sort(bySortKey);
  for (const siblings of children.values()) if (siblings.length > 1) siblings.sort(bySortKey);
  return { roots, children };
}

interface Groups {
  readonly shown: ReadonlyMap<string, boolean>;
  readonly roots: ObjectEntry[];
  readonly children: Map<string, ObjectEntry[]>;
}

// Owners that own one another have no root, and would have no row: each of them becomes a root. There are hardly ever any, which counting finds out.
function addCycles(objects: ReadonlyMap<string, ObjectEntry>, { shown, roots, children }: Groups): void {
  let reached = 0;
  const open = [...roots];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    reached += 1;
    for (const child of children.get(entry.summary.uid) ?? []) open.push(child);
  }
  if (reached === shown.size) return;
  for (const uid of shown.keys()) {
    const entry = objects.get(uid);
    if (entry === undefined || !isInCycle(objects, entry)) continue;
    const parent = parentOf(objects, entry) ?? "";
    children.set(
      parent,
      (children.get(parent) ?? []).filter((sibling) => sibling !== entry),
    );
    roots.push(entry);
  }
}

function isInCycle(objects: ReadonlyMap<string, ObjectEntry>, entry: ObjectEntry): boolean {
  const seen = new Set<string>([entry.summary.uid]);
  let current: ObjectEntry | undefined = entry;
  while (current !== undefined) {
    const parent = parentOf(objects, current);
    if (parent === undefined) return false;
    if (parent === entry.summary.uid) return true;
    if (seen.has(parent)) return false;
    seen.add(parent);
    current = objects.get(parent);
  }
  return false;
}

function bySortKey(left: ObjectEntry, right: ObjectEntry): number {
  return left.sortKey < right.sortKey ? -1 : left.sortKey > right.sortKey ? 1 : 0;
}
