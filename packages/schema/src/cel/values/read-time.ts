import { readGoNanoseconds } from "@kubescaffold/platform";

import { readFormatNanoseconds } from "../../formats/durations.ts";
import { CelDuration, CelTimestamp, NANOS_PER_SECOND } from "./cel-time.ts";

/** Reads a duration as Go does: `1h30m`, `-1.5s`. */
export function readGoDuration(text: string): CelDuration | undefined {
  const nanos = readGoNanoseconds(text);
  return nanos === undefined ? undefined : new CelDuration(nanos);
}

/** Reads a value of the format `duration`: as Go does, or in words, such as `2 days`. */
export function readSchemaDuration(text: string): CelDuration | undefined {
  const nanos = readFormatNanoseconds(text);
  return nanos === undefined ? undefined : new CelDuration(nanos);
}

const RFC3339 =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d+))?(?<zone>Z|[-+]\d\d:\d\d)$/;

/** Reads a moment as Go's `time.Parse` does with RFC 3339. */
export function readTimestamp(text: string): CelTimestamp | undefined {
  const parts = RFC3339.exec(text)?.groups;
  return parts === undefined ? undefined : momentOf(parts);
}

/** Reads a value of the format `date-time`: RFC 3339, without an offset too. */
export function readSchemaDateTime(text: string): CelTimestamp | undefined {
  if (text === "") return new CelTimestamp(0n);
  return readTimestamp(text) ?? (/[0-9]$/.test(text) ? readTimestamp(`${text}Z`) : undefined);
}

/** Reads a value of the format `date`. */
export function readSchemaDate(text: string): CelTimestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? readTimestamp(`${text}T00:00:00Z`) : undefined;
}

function momentOf(parts: Readonly<Record<string, string | undefined>>): CelTimestamp | undefined {
  const number = (name: string): number => Number(parts[name] ?? "0");
  const [year, month, day] = [number("year"), number("month"), number("day")];
  const [hour, minute, second] = [number("hour"), number("minute"), number("second")];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const offset = offsetOf(parts["zone"] ?? "Z");
  if (!exists || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const seconds = BigInt(date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset * 60);
  const fraction = BigInt((parts["fraction"] ?? "").slice(0, 9).padEnd(9, "0"));
  return new CelTimestamp(seconds * NANOS_PER_SECOND + fraction, offset);
}

function offsetOf(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 24 || minutes > 60) return undefined;
  const total = hours * 60 + minutes;
  return zone.startsWith("-") ? -total : total;
}
