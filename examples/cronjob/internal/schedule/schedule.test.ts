import { describe, expect, it } from "vitest";

import { InvalidScheduleError, MOST_MISSED_RUNS, Schedule, TooManyMissedRunsError } from "./schedule.ts";

const at = (time: string): Date => new Date(`2026-01-01T${time}Z`);

describe("a schedule", () => {
  it.each([
    ["*/5 * * * *", "00:05:00", "00:10:00"],
    ["*/5 * * * *", "00:04:59.999", "00:05:00"],
    ["@hourly", "00:00:00", "01:00:00"],
    ["30 3 * * thu", "00:00:00", "03:30:00"],
  ])("%s after %s runs at %s", (expression, after, next) => {
    expect(Schedule.parse(expression).next(at(after))).toEqual(at(next));
  });

  it("matches the day of the month or the day of the week if both are set", () => {
    const schedule = Schedule.parse("0 0 13 * mon");
    expect(schedule.next(at("00:00:00"))).toEqual(new Date("2026-01-05T00:00:00Z"));
    expect(schedule.next(new Date("2026-01-12T00:00:00Z"))).toEqual(new Date("2026-01-13T00:00:00Z"));
  });

  it.each(["", "nope", "* * *", "61 * * * *", "* * * * * *", "@sometimes", "2026-01-01T00:00:00", "*/0 * * * *"])(
    "%j is rejected",
    (expression) => {
      expect(() => Schedule.parse(expression)).toThrow(InvalidScheduleError);
    },
  );

  it("without a further run has no next run", () => {
    expect(Schedule.parse("0 0 31 2 *").next(at("00:00:00"))).toBeUndefined();
  });
});

describe("the missed run", () => {
  const schedule = Schedule.parse("*/5 * * * *");

  it("is undefined before the first run", () => {
    const runs = schedule.runs({ since: at("00:01:00"), now: at("00:04:59") });
    expect(runs).toEqual({ missed: undefined, next: at("00:05:00") });
  });

  it("is the run that is due now", () => {
    const runs = schedule.runs({ since: at("00:01:00"), now: at("00:05:00") });
    expect(runs).toEqual({ missed: at("00:05:00"), next: at("00:10:00") });
  });

  it("is the latest of several", () => {
    const runs = schedule.runs({ since: at("00:00:00"), now: at("01:01:00") });
    expect(runs).toEqual({ missed: at("01:00:00"), next: at("01:05:00") });
  });

  it("is not computed if there are too many", () => {
    const since = at("00:00:00");
    const after = (runs: number): Date => new Date(since.getTime() + runs * 300_000);
    expect(schedule.runs({ since, now: after(MOST_MISSED_RUNS) }).missed).toEqual(after(MOST_MISSED_RUNS));
    expect(() => schedule.runs({ since, now: after(MOST_MISSED_RUNS + 1) })).toThrow(TooManyMissedRunsError);
  });
});
