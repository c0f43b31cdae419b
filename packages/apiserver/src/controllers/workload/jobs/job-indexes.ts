/** Reads the indexes of `status.completedIndexes`, such as `1,3-5`; those from `completions` on do not count. */
export function parseIndexes(text: string, completions: number): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/u.exec(part) ?? [];
    if (first === undefined) return [];
    const length = Math.min(Number(last), completions - 1) - Number(first) + 1;
    return Array.from({ length: Math.max(0, length) }, (_, offset) => Number(first) + offset);
  });
}

/** Prints indexes as the status of a Job has them: three or more in a row as a range, ascending. */
export function formatIndexes(indexes: Iterable<number>): string {
  const runs: { first: number; last: number }[] = [];
  for (const index of [...new Set(indexes)].toSorted((left, right) => left - right)) {
    const run = runs.at(-1);
    if (run?.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs
    .map(({ first, last }) =>
      first === last ? String(first) : `${String(first)}${last === first + 1 ? "," : "-"}${String(last)}`,
    )
    .join(",");
}

/** Returns the first indexes below `completions` that are not taken. */
export function pendingIndexes(
  taken: ReadonlySet<number>,
  { count, completions }: { readonly count: number; readonly completions: number },
): readonly number[] {
  const pending: number[] = [];
  for (let index = 0; index < completions && pending.length < count; index += 1) {
    if (!taken.has(index)) pending.push(index);
  }
  return pending;
}
