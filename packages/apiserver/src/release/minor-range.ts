/**
 * Reports whether a generated table has an entry for a minor version of Kubernetes: `1.36` stands for that version and newer ones, `1.34-1.35` for
 * both and those between, and an empty text for all.
 */
export function isInRange(minor: string, range: string): boolean {
  const [first = "", last = minor] = range.split("-");
  return !isOlder(minor, first) && !isOlder(last, minor);
}

function isOlder(left: string, right: string): boolean {
  return left.localeCompare(right, "en", { numeric: true }) < 0;
}
