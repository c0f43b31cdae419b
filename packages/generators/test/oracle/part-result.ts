/** How one part of the oracle tests went. */
export interface PartResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** What was counted besides. */
  readonly details: readonly string[];
}

/** Compares answers one by one and prints the first that differ. */
export function compareAnswers<Question>(options: {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly theirs: readonly unknown[];
  readonly ours: (question: Question) => unknown;
  readonly print: (text: string) => void;
  /** The name of a listed difference that explains this one. */
  readonly listed?: (question: Question, theirs: unknown, ours: unknown) => string | undefined;
}): PartResult {
  const { name, questions, theirs, ours, print, listed = () => undefined } = options;
  const rows = new Map<string, number>();
  let failed = 0;
  for (const [index, question] of questions.entries()) {
    const [expected, found] = [theirs[index], ours(question)];
    if (canonical(expected) === canonical(found)) continue;
    const row = listed(question, expected, found);
    if (row !== undefined) {
      rows.set(row, (rows.get(row) ?? 0) + 1);
      continue;
    }
    failed += 1;
    if (failed <= 10)
      print(
        `${name}: ${JSON.stringify(question)}\n  controller-gen: ${canonical(expected)}\n  ours:           ${canonical(found)}`,
      );
  }
  return {
    name,
    passed: questions.length - failed,
    failed,
    details: [...rows].map(([row, times]) => `${String(times)} listed as ${row}`),
  };
}

/** Writes a value as JSON with sorted keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([left], [right]) => (left < right ? -1 : 1)))
        : typeof each === "bigint"
          ? `${String(each)}n`
          : each,
    ) ?? "undefined"
  );
}
