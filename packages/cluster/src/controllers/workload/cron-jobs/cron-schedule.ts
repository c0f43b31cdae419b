import { Cron } from "croner";

/** The times of a schedule, in milliseconds since 1970. */
export interface CronSchedule {
  /** Returns the first time after another; nothing when there is none. */
  next(after: number): number | undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0, ns: 0 };

/** Reads a schedule: five fields, a nickname such as `@hourly`, or `@every 1h30m`. Fails when it is not one of these, or the time zone is unknown. */
export function parseSchedule(text: string, timezone: string): CronSchedule {
  const every = /^@every (\S+)$/u.exec(text)?.[1];
  if (every !== undefined) {
    // Amounts and units take turns.
    const tokens = every.match(/[\d.]+|[a-z]+/gu) ?? [];
    const total = tokens.reduce((sum, token, index) => {
      const unitMs = UNIT_MS[token];
      return unitMs === undefined ? sum : sum + Number(tokens[index - 1] ?? 0) * unitMs;
    }, 0);
    const intervalMs = Math.max(1000, Math.floor(total / 1000) * 1000);
    return { next: (after) => Math.floor(after / 1000) * 1000 + intervalMs };
  }
  // A question mark means any value in Kubernetes, and the present one in this library.
  const cron = new Cron(text.replaceAll("?", "*"), { mode: "5-part", paused: true, timezone });
  return { next: (after) => cron.nextRun(new Date(after))?.getTime() };
}

/** What a schedule asks for at a time. */
export interface CronPlan {
  /** The latest time that is due. */
  readonly due: number | undefined;
  /** About how many times are due. */
  readonly count: number;
  /** The first time that is not due yet. */
  readonly next: number | undefined;
}

/** Returns what is due after the last run, and not longer ago than the deadline. Fails when the schedule has no times at all, such as `0 0 31 2 *`. */
export function planOf(
  schedule: CronSchedule,
  { since, now, deadlineMs }: { readonly since: number; readonly now: number; readonly deadlineMs: number },
): CronPlan {
  const { latest, count } = dueTimes(schedule, Math.max(since, now - deadlineMs), now);
  const all = dueTimes(schedule, since, now);
  return { due: latest, count, next: schedule.next(all.latest ?? (all.count === 0 ? since : now)) };
}

function dueTimes(
  schedule: CronSchedule,
  since: number,
  now: number,
): { readonly latest: number | undefined; readonly count: number } {
  const first = schedule.next(since);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || second === undefined)
    throw new Error("time difference between two schedules is less than 1 second");
  if (now < first) return { latest: undefined, count: 0 };
  if (now < second) return { latest: first, count: 1 };
  // After a long pause, most of the times are skipped: as many as there would be if all were as far apart as the first two.
  const count = Math.floor((now - first) / (second - first)) + 1;
  let latest: number | undefined;
  let time = schedule.next(first + (count - 2) * (second - first));
  for (; time !== undefined && time <= now; time = schedule.next(time)) latest = time;
  return { latest, count };
}

/** Prints a time in a time zone as Go does, with the offset: `2026-01-01T06:00:00+01:00`, or with `Z` for none. */
export function zonedTime(time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(time);
  const [, sign = "+", hours = "00", minutes = "00"] =
    /^GMT([+-])(\d\d):(\d\d)/u.exec(parts.find(({ type }) => type === "timeZoneName")?.value ?? "") ?? [];
  const offsetMs = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = new Date(time + offsetMs).toISOString().slice(0, 19);
  return offsetMs === 0 ? `${local}Z` : `${local}${sign}${hours}:${minutes}`;
}
