import { describe, expect, it } from "vitest";

import { parseSchedule, planOf, zonedTime } from "../../../src/controllers/workload/cron-jobs/cron-schedule.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function timesOf(text: string, count: number, { timezone = "UTC", after = START } = {}): readonly string[] {
  const schedule = parseSchedule(text, timezone);
  const times: string[] = [];
  for (let time: number | undefined = after; times.length < count;) {
    time = schedule.next(time ?? 0);
    times.push(time === undefined ? "never" : new Date(time).toISOString().slice(0, 19));
  }
  return times;
}

describe("parseSchedule", () => {
  it.each([
    ["*/20 * * * *", ["2026-01-01T00:20:00", "2026-01-01T00:40:00"]],
    ["@hourly", ["2026-01-01T01:00:00", "2026-01-01T02:00:00"]],
    ["@weekly", ["2026-01-04T00:00:00", "2026-01-11T00:00:00"]],
    ["@every 1h30m", ["2026-01-01T01:30:00", "2026-01-01T03:00:00"]],
    ["0 9 ? * MON-TUE", ["2026-01-05T09:00:00", "2026-01-06T09:00:00"]],
    // The day of the month or of the week must match when both are given.
    ["0 0 3 * FRI", ["2026-01-02T00:00:00", "2026-01-03T00:00:00"]],
  ])("reads %s", (text, expected) => {
    expect(timesOf(text, 2)).toEqual(expected);
  });

  it("counts in the time zone", () => {
    expect(timesOf("30 6 * * *", 1, { timezone: "Asia/Kolkata" })).toEqual(["2026-01-01T01:00:00"]);
    const summer = { timezone: "Europe/Berlin", after: Date.UTC(2026, 6, 1) };
    expect(timesOf("0 6 * * *", 1, summer)).toEqual(["2026-07-01T04:00:00"]);
  });
});

describe("planOf", () => {
  it("returns the latest time that is due, and the next one", () => {
    const schedule = parseSchedule("*/5 * * * *", "UTC");
    const plan = (minutes: number, deadlineMs = Infinity): object =>
      planOf(schedule, { since: START, now: START + minutes * MINUTE, deadlineMs });
    expect(plan(4)).toEqual({ due: undefined, count: 0, next: START + 5 * MINUTE });
    expect(plan(5)).toEqual({ due: START + 5 * MINUTE, count: 1, next: START + 10 * MINUTE });
    expect(plan(22)).toEqual({ due: START + 20 * MINUTE, count: 4, next: START + 25 * MINUTE });
    expect(plan(23, MINUTE)).toEqual({ due: undefined, count: 0, next: START + 25 * MINUTE });
  });

  it("does not count every time of a long pause", () => {
    const now = START + 3650 * DAY;
    const plan = planOf(parseSchedule("* * * * *", "UTC"), { since: START, now, deadlineMs: Infinity });
    expect(plan).toEqual({ due: now, count: 3650 * 24 * 60, next: now + MINUTE });
  });

  it("fails when a schedule has no times", () => {
    const schedule = parseSchedule("0 0 31 2 *", "UTC");
    expect(() => planOf(schedule, { since: START, now: START, deadlineMs: Infinity })).toThrow(
      "time difference between two schedules is less than 1 second",
    );
  });
});

describe("zonedTime", () => {
  it("prints the offset of the time zone", () => {
    expect(zonedTime(START, "UTC")).toBe("2026-01-01T00:00:00Z");
    expect(zonedTime(START, "Europe/London")).toBe("2026-01-01T00:00:00Z");
    expect(zonedTime(START, "Asia/Kolkata")).toBe("2026-01-01T05:30:00+05:30");
    expect(zonedTime(START, "America/New_York")).toBe("2025-12-31T19:00:00-05:00");
  });
});
