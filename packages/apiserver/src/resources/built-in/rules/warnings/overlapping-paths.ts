/** The path of a file in a volume. */
export interface PlacedPath {
  readonly path: string;
  /** What the file is of; empty where the volume has one source alone. */
  readonly source: string;
}

type Overlap = readonly [path: PlacedPath, earlier: PlacedPath];

/** A folder or a file, with the indexes of the earlier paths that end at it, and of those that end below. */
interface Place {
  readonly id: number;
  readonly at: number[];
  readonly below: number[];
}

/**
 * Returns the first pairs of paths of which one is the other, or a folder that contains it, in the order of the later path; at most `most`.
 *
 * The time is that of the length of all paths, and of the pairs: a request has any number of both.
 */
export function firstOverlaps(paths: readonly PlacedPath[], most: number): readonly Overlap[] {
  const trimmed = paths.map(({ path, source }) => ({ path: path.replace(/(?<!\/)\/+$/u, ""), source }));
  const places = new Map<string, Place>();
  const overlaps: Overlap[] = [];
  for (const [index, path] of trimmed.entries()) {
    if (path.path === "") continue;
    for (const other of overlapping(path.path, index, places)) {
      if (overlaps.length >= most) return overlaps;
      overlaps.push([path, trimmed[other] as PlacedPath]);
    }
  }
  return overlaps;
}

// Adds a path, and returns the earlier ones that overlap with it.
function overlapping(path: string, index: number, places: Map<string, Place>): readonly number[] {
  const above: number[] = [];
  let place: Place = { id: 0, at: [], below: [] };
  const names = path.split("/");
  for (const [level, name] of names.entries()) {
    const key = `${String(place.id)}/${name}`;
    place = places.get(key) ?? { id: places.size + 1, at: [], below: [] };
    places.set(key, place);
    if (level === names.length - 1) break;
    for (const other of place.at) above.push(other);
    place.below.push(index);
  }
  const others = [...above, ...place.at, ...place.below].toSorted((left, right) => left - right);
  place.at.push(index);
  return others;
}
