import { changeSchedules } from "./field-changes.ts";
import type { PlayRecord } from "./play-record.ts";
import { lateSchedules, perturbedSchedules, type Schedule, unobservedSchedules } from "./schedule.ts";

/** Returns the schedules that a run of the reference leads to, those first that find the most. */
export function plannedSchedules({
  writes,
  watches,
  fieldChanges,
}: Pick<PlayRecord, "writes" | "watches" | "fieldChanges">): readonly Schedule[] {
  // Writes before the first step are those of a start.
  const perturbed = writes.filter(({ step }) => step >= 0);
  return [
    ...perturbedSchedules(perturbed, ["crash"]),
    ...lateSchedules(watches),
    ...fieldChanges.map((change) => changeSchedules(change).changed),
    ...unobservedSchedules(fieldChanges),
    ...perturbedSchedules(perturbed, ["deletion", "lost-answer", "late-answer"]),
  ];
}
