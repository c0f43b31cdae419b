// Many writes have the same time.
let latest = { second: Number.NaN, text: "" };

/** Prints a moment as objects carry it: RFC 3339 in UTC with whole seconds. */
export function toTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(epochMs).toISOString().slice(0, 19)}Z` };
  return latest.text;
}

/** Prints a moment as `MicroTime`, which events and leases carry: RFC 3339 in UTC with microseconds. */
export function toMicroTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/Z$/u, "000Z");
}
