import { Cron } from "croner";

/** The longest list of missed runs; more than these probably mean a wrong clock or a schedule that was changed after a long pause. */
export const MOST_MISSED_RUNS = 100;

/** InvalidScheduleError is thrown if a schedule is not a cron expression with five fields or a nickname. */
export class InvalidScheduleError extends Error {}

/** TooManyMissedRunsError is thrown if more than {@link MOST_MISSED_RUNS} runs were missed. */
export class TooManyMissedRunsError extends Error {}

/** Runs are the latest missed run, and the next one. */
export interface Runs {
  /** The latest run that was due and has not started; undefined if there is none. */
  readonly missed: Date | undefined;
  /** The next run; undefined if the schedule has no further run, such as "0 0 31 2 *". */
  readonly next: Date | undefined;
}

/** Schedule computes the times of a cron expression in UTC. */
export class Schedule {
  readonly #cron: Cron;

  private constructor(cron: Cron) {
    this.#cron = cron;
  }

  /** Parses a cron expression. Fails: with an {@link InvalidScheduleError}. */
  static parse(text: string): Schedule {
    // The library also accepts a date, which is not a schedule, and expressions with seconds and years.
    const isExpression = text.startsWith("@") || text.trim().split(/\s+/u).length === 5;
    if (!isExpression) throw new InvalidScheduleError("must have five fields, or be a nickname such as @hourly");
    try {
      return new Schedule(new Cron(text, { mode: "5-part", paused: true, timezone: "UTC" }));
    } catch (error) {
      throw new InvalidScheduleError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** Returns the first run after a time; undefined if there is none. */
  next(after: Date): Date | undefined {
    return this.#cron.nextRun(after) ?? undefined;
  }

  /**
   * Returns the latest run after `since` and not after `now`, and the first run after `now`.
   *
   * Fails: with a {@link TooManyMissedRunsError}.
   */
  runs({ since, now }: { readonly since: Date; readonly now: Date }): Runs {
    const due: Date[] = [];
    let run = this.next(since);
    for (; run !== undefined && run <= now; run = this.next(run)) {
      due.push(run);
      if (due.length > MOST_MISSED_RUNS) {
        const limit = String(MOST_MISSED_RUNS);
        throw new TooManyMissedRunsError(
          `more than ${limit} runs were missed since ${since.toISOString()}: set or decrease startingDeadlineSeconds, or check the clock`,
        );
      }
    }
    return { missed: due.at(-1), next: run };
  }
}
