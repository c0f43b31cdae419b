import type { FileTree } from "../machinery/file-tree.ts";
import type { Fragment } from "../machinery/insertion-marker.ts";
import { indexOfLines } from "../machinery/replace-lines.ts";
import type { ProjectPart } from "./replay.ts";

/** A part with the lines that it contributes to files of others. */
export interface PlacedPart {
  readonly part: ProjectPart;
  readonly fragments: readonly Fragment[];
}

/**
 * Puts parts into the order in which commands made them, as the order of their lines in the project tells.
 *
 * Guarantees: `init` is first, and the types of a resource come before what uses them; parts of which nothing is known keep their order.
 */
export function orderParts(parts: readonly PlacedPart[], tree: FileTree): readonly ProjectPart[] {
  const before = predecessors(parts, tree);
  const left = new Set(parts.keys());
  const ordered: ProjectPart[] = [];
  for (let count = 0; count < parts.length; count += 1) {
    const isFree = (index: number): boolean => [...(before.get(index) ?? [])].every((each) => !left.has(each));
    // Lines that were moved about may contradict each other: then the order of PROJECT decides.
    const next = [...left].find((index) => isFree(index)) ?? [...left][0] ?? 0;
    left.delete(next);
    ordered.push(...parts.slice(next, next + 1).map(({ part }) => part));
  }
  return ordered;
}

function predecessors(parts: readonly PlacedPart[], tree: FileTree): ReadonlyMap<number, ReadonlySet<number>> {
  const before = new Map<number, Set<number>>([...parts.keys()].map((index) => [index, new Set()]));
  for (const places of placesByMarker(parts, tree).values()) {
    // Of lines that several parts contribute nobody knows which of them came first.
    const own = places.filter(({ line }) => places.filter((each) => each.line === line).length === 1);
    const sorted = own.toSorted((left, right) => left.line - right.line);
    sorted.slice(1).forEach(({ index }, offset) => {
      const previous = sorted[offset];
      if (previous !== undefined && previous.index !== index) before.get(index)?.add(previous.index);
    });
  }
  parts.forEach(({ part }, index) => {
    parts.forEach(({ part: other }, earlier) => {
      if (earlier !== index && isFoundation(other, part)) before.get(index)?.add(earlier);
    });
  });
  return before;
}

interface Place {
  readonly index: number;
  readonly line: number;
}

function placesByMarker(parts: readonly PlacedPart[], tree: FileTree): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  parts.forEach(({ fragments }, index) => {
    for (const { path, marker, lines, position } of fragments) {
      const content = position === "below" ? undefined : tree.read(path);
      const line = content === undefined ? -1 : indexOfLines(content, lines);
      if (line < 0) continue;
      const key = `${path} ${marker}`;
      places.set(key, [...(places.get(key) ?? []), { index, line }]);
    }
  });
  return places;
}

function isFoundation(earlier: ProjectPart, later: ProjectPart): boolean {
  if (earlier.kind === "init") return later.kind !== "init";
  return (
    earlier.kind === "types" && later.kind !== "types" && later.kind !== "init" && earlier.resource === later.resource
  );
}
