/**
 * Returns the known name that differs least from a mistyped one, or nothing when none is near.
 *
 * Names that differ in upper and lower case alone are the same. Default of `maxDistance`: four tenths of the characters, and at least one.
 */
export function nearestName(
  typed: string,
  known: Iterable<string>,
  { maxDistance = Math.max(1, Math.floor(typed.length * 0.4)) }: { readonly maxDistance?: number } = {},
): string | undefined {
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = name.toLowerCase() === typed.toLowerCase() ? 0 : editDistance(typed, name, maxDistance);
    if (distance <= maxDistance && (nearest === undefined || distance < nearest.distance)) nearest = { name, distance };
  }
  return nearest?.name;
}

// Damerau-Levenshtein: two letters in the wrong order are one error. Gives up beyond the limit.
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
    if (Math.min(...current, ...previous) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
}
