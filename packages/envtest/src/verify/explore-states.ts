import { StatusError } from "@kubescaffold/k8s";

import { differencesOf, type RestState } from "../oracles/compare-states.ts";
import { type PhaseRecord, violationsAgainst } from "../oracles/oracles.ts";
import type { Judged } from "./confirm-finding.ts";
import { type JudgedChange, REFUSED, withoutStatus } from "./explore-changes.ts";
import type { PlayContext } from "./play-record.ts";
import { playSchedule } from "./play.ts";
import type { Reference } from "./reference.ts";
import { isUnobserved, type Schedule } from "./schedule.ts";

/** Runs a schedule after whose steps the states are those of the reference. */
export async function judgeStates(
  schedule: Schedule,
  { context, reference: { run: reached, noise } }: { readonly context: PlayContext; readonly reference: Reference },
): Promise<Judged & Partial<JudgedChange>> {
  const expected = { ...reached, phases: expectedPhases(schedule, reached.phases) };
  try {
    const run = await playSchedule(schedule, {
      ...context,
      watches: reached.watches,
      isExpected: (state, step) => {
        const phase = expected.phases[step];
        if (phase === undefined) return true;
        return noise.filter(differencesOf(phase.state, comparedState(schedule, { state, step }))).length === 0;
      },
    });
    const phases = run.phases.map((phase, step) => ({
      ...phase,
      state: comparedState(schedule, { state: phase.state, step }),
      // The operator may start to work between two events that it receives at once.
      deletions: schedule.steps[step]?.kind === "unobserved-change" ? [] : phase.deletions,
    }));
    const violations =
      run.failure === undefined
        ? violationsAgainst({ ...run, phases }, { reference: expected, noise })
        : [{ oracle: "exit", step: "start", object: "", message: run.failure } as const];
    // Values that are expected are those of the reference.
    return { violations: reached.redact(run.redact(violations)), output: run.output, isReached: run.isReached };
  } catch (error) {
    // A rule of the server, or a webhook, may refuse the value of a change.
    if (error instanceof StatusError && schedule.steps.some(isUnobserved)) return REFUSED;
    throw error;
  }
}

/** Returns the phases of the reference that the steps of a schedule must lead to. */
export function expectedPhases(
  { steps, perturbation }: Schedule,
  reached: readonly PhaseRecord[],
): readonly PhaseRecord[] {
  const [created, deleted, again] = reached;
  if (created === undefined || deleted === undefined) return [];
  // The samples are deleted while they are created.
  if (perturbation?.kind === "deletion") return [deleted];
  return steps.map(({ kind }, index) => {
    if (kind === "delete") return deleted;
    if (kind === "unobserved-change") return { ...created, state: withoutStatus(created.state) };
    // Whatever a deletion deletes may be deleted, and need not.
    if (kind === "unobserved-recreation")
      return { ...created, deletions: [...created.deletions, ...deleted.deletions] };
    return index === 0 ? created : (again ?? created);
  });
}

function comparedState(
  { steps }: Schedule,
  { state, step }: { readonly state: RestState; readonly step: number },
): RestState {
  return steps[step]?.kind === "unobserved-change" ? withoutStatus(state) : state;
}
