import type { UpgradeViolation } from "../oracles/upgrade-record.ts";

/** A fault of an upgrade. Nothing in it contains values of Secrets. */
export interface UpgradeFinding extends UpgradeViolation {
  /** The number; 1 is the first. */
  readonly id: number;
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /** `undecided` if the former version did not come to rest, or its samples not to their state: then `missing` says why. */
  readonly verdict: "clean" | "findings" | "undecided";
  /** The findings, in the order of the steps. */
  readonly findings: readonly UpgradeFinding[];
  /** Why the run could not judge, and what to add. */
  readonly missing: readonly string[];
  /** What was accepted, and what did not repeat. */
  readonly notes: readonly string[];
  /** The steps that were taken. */
  readonly steps: readonly string[];
  /** The end of the output of both versions, if there are findings or nothing could be judged. */
  readonly output: readonly string[];
  /** The duration of the run. */
  readonly durationMs: number;
}
