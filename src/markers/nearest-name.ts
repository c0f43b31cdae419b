/** Finds the known name that a misspelt one most likely means; undefined when none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const lastSegment = name.slice(name.lastIndexOf(":") + 1);
  const limit = Math.max(1, Math.floor(lastSegment.length / 4));
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = candidate.toLowerCase() === name.toLowerCase() ? 0 : editDistance(name, candidate, limit);
    if (distance <= limit && (nearest === undefined || distance < nearest.distance))
      nearest = { name: candidate, distance };
  }
  return nearest?.name;
}

// Counts insertions, deletions, replacements and swaps of neighbors; gives up beyond the limit.
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current: number[] = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        best = Math.min(best, (beforePrevious[column - 2] ?? best) + 1);
      current.push(best);
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
}
