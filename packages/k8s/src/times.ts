import { formatGoDuration, goDurationProblem, readGoNanoseconds } from "@kubescaffold/platform";

import type { Duration } from "./api/meta/v1.ts";
import { DurationError, TimeError } from "./failures/errors.ts";

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

/**
 * Compares two times by their moments, in any zone and with any fraction of a second: negative if the first one is earlier, zero if they are equal.
 *
 * Fails: {@link TimeError}.
 *
 * @example
 * const oldestFirst = pods.toSorted((a, b) => compareTimes(a.metadata.creationTimestamp, b.metadata.creationTimestamp));
 */
export function compareTimes(left: string, right: string): number {
  const difference = nanosecondsOf(left) - nanosecondsOf(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

// `Date` has milliseconds only.
function nanosecondsOf(time: string): bigint {
  const [, start = "", fraction = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:[.](\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/u.exec(time) ?? [];
  const epochMs = Date.parse(`${start}${zone}`);
  if (Number.isNaN(epochMs)) throw new TimeError(time);
  return BigInt(epochMs) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/**
 * Reads a duration, such as `1h30m` or `-1.5s`, as milliseconds, which may have a fraction.
 *
 * Fails: {@link DurationError} with the message of Go.
 *
 * @example
 * return { requeueAfterMs: parseDuration(backup.spec.interval ?? "1h") };
 */
export function parseDuration(duration: Duration): number {
  const nanos = readGoNanoseconds(duration);
  if (nanos === undefined) throw new DurationError(goDurationProblem(duration));
  return Number(nanos) / NANOS_PER_MS;
}

/**
 * Prints milliseconds as a duration, as Go does: `1h30m0s`, `1.5s`, `200ms`; a part of a nanosecond is rounded.
 *
 * Fails: {@link DurationError} for more than 292 years, which Go cannot hold.
 */
export function formatDuration(durationMs: number): Duration {
  const nanos = Math.round(durationMs * NANOS_PER_MS);
  if (!(Math.abs(nanos) < 2 ** 63)) throw new DurationError(`cannot print ${String(durationMs)} ms as a duration`);
  return formatGoDuration(BigInt(nanos));
}

const NANOS_PER_MS = 1_000_000;
