import type { ObjectEntry } from "../state/model.ts";
import { ancestorsOf, parentOf } from "./object-tree.ts";

/** The largest number of nodes that a person can read in one picture. */
export const LARGEST_GRAPH = 250;

/** A graph of owners, without positions. */
export interface OwnerGraph {
  readonly nodes: readonly ObjectEntry[];
  /** From the owner to the object. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly isController: boolean }[];
  /** How many matching objects are left out. */
  readonly omitted: number;
}

/** A graph with the size of the drawing and the centers of its nodes. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly positions: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
}

/** The size of a node in pixels. */
export const NODE = { width: 216, height: 44 } as const;

/** What the layout needs of a graph; it is sent to a worker. */
export interface LayoutRequest {
  readonly id: number;
  readonly nodes: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Selects the objects to draw: those that match, with their owners, families first. */
export function ownerGraph(
  objects: ReadonlyMap<string, ObjectEntry>,
  matches: (entry: ObjectEntry) => boolean,
): OwnerGraph {
  const families = new Map<string, Map<string, ObjectEntry>>();
  let matching = 0;
  for (const entry of objects.values()) {
    if (!matches(entry)) continue;
    matching += 1;
    const ancestors = ancestorsOf(objects, entry);
    const root = ancestors.at(-1) ?? entry.summary.uid;
    const family = families.get(root) ?? new Map<string, ObjectEntry>();
    families.set(root, family);
    family.set(entry.summary.uid, entry);
    for (const uid of ancestors) {
      const ancestor = objects.get(uid);
      if (ancestor !== undefined) family.set(uid, ancestor);
    }
  }
  const nodes: ObjectEntry[] = [];
  const ranked = [...families.values()].map((family) => ({ family, key: smallestKey(family) })).toSorted(byFamily);
  for (const { family } of ranked) {
    if (nodes.length + family.size > LARGEST_GRAPH && nodes.length > 0) continue;
    nodes.push(...[...family.values()].slice(0, LARGEST_GRAPH));
  }
  const drawn = new Set(nodes.map(({ summary }) => summary.uid));
  const drawnMatches = nodes.filter(matches).length;
  return { nodes, edges: edgesAmong(objects, nodes, drawn), omitted: matching - drawnMatches };
}

interface Ranked {
  readonly family: ReadonlyMap<string, ObjectEntry>;
  /** The first of the sort keys of its objects. */
  readonly key: string;
}

// Larger families say more than single objects; custom resources come before the rest of the same size.
function byFamily(left: Ranked, right: Ranked): number {
  const isSingle = Number(left.family.size === 1) - Number(right.family.size === 1);
  if (isSingle !== 0) return isSingle;
  return left.key < right.key ? -1 : 1;
}

function smallestKey(family: ReadonlyMap<string, ObjectEntry>): string {
  let least = "\uFFFF";
  for (const { sortKey } of family.values()) if (sortKey < least) least = sortKey;
  return least;
}

function edgesAmong(
  objects: ReadonlyMap<string, ObjectEntry>,
  nodes: readonly ObjectEntry[],
  drawn: ReadonlySet<string>,
): OwnerGraph["edges"] {
  return nodes.flatMap((entry) => {
    const { uid, owners = [] } = entry.summary;
    const parent = parentOf(objects, entry);
    return owners
      .filter((owner) => drawn.has(owner.uid) && owner.uid !== uid)
      .map((owner) => ({ from: owner.uid, to: uid, isController: owner.uid === parent }));
  });
}
