const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Readonly<Record<string, number>> = { alpha: 1, beta: 2 };

/** Orders versions by stability and number, the most stable and newest first: v2, v1, v1beta2, v1alpha1, others by name. */
export function compareVersions(left: string, right: string): number {
  const [leftRank, rightRank] = [rankOf(left), rankOf(right)];
  if (leftRank === undefined || rightRank === undefined) {
    return (
      (leftRank === undefined ? 1 : 0) - (rightRank === undefined ? 1 : 0) || (left < right ? -1 : left > right ? 1 : 0)
    );
  }
  for (const [index, rank] of leftRank.entries()) {
    const difference = (rightRank[index] ?? 0) - rank;
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function rankOf(version: string): readonly number[] | undefined {
  const match = VERSION.exec(version);
  if (match === null) {
    return undefined;
  }
  const [, major = "0", stage, minor = "0"] = match;
  return [stage === undefined ? 3 : (STAGES[stage] ?? 0), Number(major), Number(minor)];
}
