/** Returns how many indexes a text such as `0-2,5` names; a text with the reason where it cannot be read. */
export function indexCount(text: string, completions: number): number | string {
  if (text === "") return 0;
  let [count, last] = [0, -1];
  for (const fragment of text.split(",")) {
    const interval = readInterval(fragment, completions);
    if (typeof interval === "string") return interval;
    const [first, end] = interval;
    if (last >= first && count > 0) return `non-increasing order, previous: ${last}, current: ${first}`;
    count += end - first + 1;
    last = end;
  }
  return count;
}

function readInterval(fragment: string, completions: number): readonly [number, number] | string {
  const limits = fragment.split("-");
  if (limits.length > 2) {
    return `the fragment ${JSON.stringify(fragment)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
  }
  const [first = 0, last = first] = limits.map(Number);
  return limits.length > 1 && first >= last
    ? `non-increasing order, previous: ${first}, current: ${last}`
    : [first, last];
}
