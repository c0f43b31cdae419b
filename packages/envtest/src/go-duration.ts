const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Returns the milliseconds of a duration in Go's format, such as `1m30s` or `500ms`, or undefined for other text. */
export function parseGoDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)(ms|h|m|s)/gu)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ""] ?? 0), 0);
}
