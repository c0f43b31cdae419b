/** A field that differs from what is expected; the path is empty for a whole object. */
interface Difference {
  readonly path: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

const MOST_FIELDS = 5;

/** Renders the first fields that differ, a line for each. */
export function differenceLines(differences: readonly Difference[]): readonly string[] {
  const value = (found: unknown): string => (found === undefined ? "nothing" : JSON.stringify(found));
  return differences
    .filter(({ path }) => path !== "")
    .slice(0, MOST_FIELDS)
    .map(({ path, expected, actual }) => `    ${path}: expected ${value(expected)}, found ${value(actual)}\n`);
}
