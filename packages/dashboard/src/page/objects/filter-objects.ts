import type { ObjectEntry } from "../state/model.ts";
import { isNotReady } from "../state/readiness.ts";

/** The filters of the view of objects, as its URL has them. */
export interface ObjectFilter {
  readonly text: string;
  readonly kind: string;
  readonly namespace: string;
  readonly isNotReadyOnly: boolean;
  readonly hasSystem: boolean;
  readonly hasDeleted: boolean;
}

/** Reads the filters from the parameters of a URL. */
export function objectFilterOf(params: Readonly<Record<string, string>>): ObjectFilter {
  return {
    text: params["q"] ?? "",
    kind: params["kind"] ?? "",
    namespace: params["ns"] ?? "",
    isNotReadyOnly: params["notready"] === "1",
    hasSystem: params["system"] === "1",
    hasDeleted: params["deleted"] === "1",
  };
}

/** Returns a test of entries. Words of the text are separated by spaces, and all have to occur. */
export function objectMatcher(filter: ObjectFilter): (entry: ObjectEntry) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  return (entry) => {
    const { summary } = entry;
    if (entry.isDeleted && !filter.hasDeleted) return false;
    if (entry.isSystem && !filter.hasSystem) return false;
    if (filter.kind !== "" && summary.kind !== filter.kind) return false;
    if (filter.namespace !== "" && summary.namespace !== filter.namespace) return false;
    if (filter.isNotReadyOnly && !isNotReady(entry.readiness)) return false;
    return words.every((word) => entry.searchText.includes(word));
  };
}

/** Reports whether a filter hides objects that nothing else would, so that trees show ancestors for context. */
export function isNarrowing({ text, kind, namespace, isNotReadyOnly }: ObjectFilter): boolean {
  return text !== "" || kind !== "" || namespace !== "" || isNotReadyOnly;
}

/** The values that the filters offer, with the number of objects of each. */
export interface ObjectFacets {
  readonly kinds: readonly (readonly [string, number])[];
  readonly namespaces: readonly (readonly [string, number])[];
  readonly total: number;
  readonly notReady: number;
  readonly system: number;
  readonly deleted: number;
}

/** Counts the values of filters. System and deleted objects count only in their own numbers. */
export function facetsOf(entries: Iterable<ObjectEntry>): ObjectFacets {
  const kinds = new Map<string, number>();
  const namespaces = new Map<string, number>();
  const counts = { total: 0, notReady: 0, system: 0, deleted: 0 };
  for (const { summary, readiness, isDeleted, isSystem } of entries) {
    if (isDeleted) {
      counts.deleted += 1;
      continue;
    }
    if (isSystem) {
      counts.system += 1;
      continue;
    }
    counts.total += 1;
    if (isNotReady(readiness)) counts.notReady += 1;
    kinds.set(summary.kind, (kinds.get(summary.kind) ?? 0) + 1);
    if (summary.namespace !== "") namespaces.set(summary.namespace, (namespaces.get(summary.namespace) ?? 0) + 1);
  }
  return { ...counts, kinds: sorted(kinds), namespaces: sorted(namespaces) };
}

function sorted(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1));
}
