import { CelDuration, CelTimestamp, NANOS_PER_SECOND } from "../../values/cel-time.ts";
import { CelError } from "../../values/cel-value.ts";
import { noSuchOverload } from "../../values/equality.ts";
import type { Invoke, Operations } from "./invoke.ts";

const DAY_MS = 86_400_000;

// A date whose UTC parts are the local ones.
const PARTS: Readonly<Record<string, (date: Date, nanosOfSecond: bigint) => number>> = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth(),
  day_of_year: (date) => Math.floor((date.getTime() - startOfYear(date)) / DAY_MS),
  day_of_month: (date) => date.getUTCDate() - 1,
  day_of_month_1_based: (date) => date.getUTCDate(),
  day_of_week: (date) => date.getUTCDay(),
  hours: (date) => date.getUTCHours(),
  minutes: (date) => date.getUTCMinutes(),
  seconds: (date) => date.getUTCSeconds(),
  milliseconds: (_date, nanosOfSecond) => Number(nanosOfSecond / 1_000_000n),
};

function startOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return start.getTime();
}

/** Implements the parts of moments, in UTC or a time zone, and of spans. */
export const TIMES: Operations = {
  ...Object.fromEntries(
    Object.keys(PARTS).flatMap((part) => [
      [`timestamp_to_${part}`, partOf(part)],
      [part === "seconds" ? "timestamp_to_seconds_tz" : `timestamp_to_${part}_with_tz`, partOf(part)],
    ]),
  ),
  duration_to_hours: spanIn(3600n * NANOS_PER_SECOND),
  duration_to_minutes: spanIn(60n * NANOS_PER_SECOND),
  duration_to_seconds: spanIn(NANOS_PER_SECOND),
  duration_to_milliseconds: spanIn(1_000_000n),
};

function spanIn(unit: bigint): Invoke {
  return (span) => (span instanceof CelDuration ? span.nanos / unit : noSuchOverload());
}

function partOf(name: string): Invoke {
  return (moment, zone = "UTC") => {
    if (!(moment instanceof CelTimestamp) || typeof zone !== "string") return noSuchOverload();
    const local = localDate(moment, zone);
    return local instanceof CelError ? local : BigInt(PARTS[name]?.(local, moment.nanosOfSecond) ?? 0);
  };
}

function localDate(moment: CelTimestamp, zone: string): Date | CelError {
  const ms = Number(moment.seconds) * 1000;
  if (!zone.includes(":")) return dateInZone(ms, zone);
  const [hours, minutes] = [zone.slice(0, zone.indexOf(":")), zone.slice(zone.indexOf(":") + 1)];
  for (const part of [hours, minutes]) {
    if (!/^[-+]?\d+$/.test(part)) return new CelError(`strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
  }
  const offset = Number(hours) * 60 + (zone.startsWith("-") ? -Number(minutes) : Number(minutes));
  return new Date(ms + offset * 60_000);
}

function dateInZone(ms: number, zone: string): Date | CelError {
  if (zone === "" || zone === "UTC") return new Date(ms);
  try {
    const format = new Intl.DateTimeFormat("en-US", { ...ALL_PARTS, timeZone: zone });
    const parts = Object.fromEntries(
      format.formatToParts(new Date(ms)).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    return date;
  } catch {
    return new CelError(`unknown time zone ${zone}`);
  }
}

const ALL_PARTS: Intl.DateTimeFormatOptions = {
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
};
