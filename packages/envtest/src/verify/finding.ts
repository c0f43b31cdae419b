import type { Violation } from "../oracles/oracles.ts";
import type { Schedule } from "./schedule.ts";

/** A fault of the operator that repeats. Nothing in it contains values of Secrets. */
export interface Finding {
  /** The number; 1 is the first. */
  readonly id: number;
  /** When it happens, such as `after a crash after create deployments.apps default/web`. */
  readonly description: string;
  /** The statements that do not hold, in each of the runs. */
  readonly violations: readonly Violation[];
  /** How often it was seen in how many runs of the schedule. */
  readonly confirmed: { readonly seen: number; readonly runs: number };
  /** The steps and the perturbation, for a replay. */
  readonly schedule: Schedule;
  /** The end of the operator's output in the last run. */
  readonly output: readonly string[];
}

/** The result of a run. */
export interface VerifyReport {
  /** `undecided` if the operator did not come to rest without a perturbation, or its samples not to their state: then `missing` says why. */
  readonly verdict: "clean" | "findings" | "undecided";
  /** The findings, in the order of their ids. */
  readonly findings: readonly Finding[];
  /** Why the run could not judge, and what to add. */
  readonly missing: readonly string[];
  /** Fields that differ between two runs without a perturbation, and that are not compared. */
  readonly noise: readonly string[];
  /** Fields of the samples that have no effect, and other observations that are no faults. */
  readonly notes: readonly string[];
  /** How much of the plan the budget was enough for. */
  readonly schedules: SchedulesCount;
  /** The duration of the run. */
  readonly durationMs: number;
}

/** How many schedules there were. */
export interface SchedulesCount {
  /** All that the reference leads to. */
  readonly planned: number;
  /** Those that were run. */
  readonly explored: number;
  /** Those whose write did not occur again. */
  readonly unreached: number;
}
