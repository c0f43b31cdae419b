/** Returns what is wrong with indexes such as `1,3-5`, undefined if they are below `completions` and ascend. */
export function formatProblem(text: string, completions: number): string | undefined {
  if (text === "") return undefined;
  let last = -1;
  for (const part of text.split(",")) {
    const interval = intervalOf(part, completions);
    if (typeof interval === "string") return interval;
    if (last >= interval.first)
      return `non-increasing order, previous: ${String(last)}, current: ${String(interval.first)}`;
    last = interval.last;
  }
  return undefined;
}

/** Returns that an index has failed and is completed, undefined if there is none. Parts that cannot be read are ignored. */
export function overlapProblem(completed: string, failed: string, completions: number): string | undefined {
  if (completed === "" || failed === "") return undefined;
  const [done, lost] = [completed, failed].map((text) =>
    text
      .split(",")
      .map((part) => intervalOf(part, completions))
      .filter((interval) => typeof interval !== "string"),
  );
  for (let [left, right] = [0, 0]; ;) {
    const [one, other] = [done?.[left], lost?.[right]];
    if (one === undefined || other === undefined) return undefined;
    if (one.first <= other.last && other.first <= one.last)
      return `failedIndexes and completedIndexes overlap at index: ${String(Math.max(one.first, other.first))}`;
    if (one.first <= other.first) left += 1;
    else right += 1;
  }
}

interface Interval {
  readonly first: number;
  readonly last: number;
}

// Returns the problem of an interval that cannot be read.
function intervalOf(text: string, completions: number): Interval | string {
  const limits = text.split("-");
  if (limits.length > 2)
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const limit of limits) {
    if (!/^[+-]?\d+$/u.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
  }
  const [first = 0, last = first] = limits.map(Number);
  if (limits.length > 1 && first >= last)
    return `non-increasing order, previous: ${String(first)}, current: ${String(last)}`;
  return { first, last };
}
