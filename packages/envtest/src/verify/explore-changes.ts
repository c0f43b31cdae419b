import { StatusError } from "@kubescaffold/k8s";

import type { RestState } from "../oracles/compare-states.ts";
import { differencesOf, NoiseMask } from "../oracles/compare-states.ts";
import { unequalStates, type Violation, violationKey, violationsAgainst } from "../oracles/oracles.ts";
import type { Judged } from "./confirm-finding.ts";
import { changeSchedules } from "./field-changes.ts";
import type { PlayContext, PlayRecord } from "./play-record.ts";
import { playSchedule } from "./play.ts";
import type { Reference } from "./reference.ts";
import type { FieldChange } from "./schedule.ts";

/** What a change of a field shows. */
export interface JudgedChange extends Judged {
  /** Whether the server refuses the value, or the operator does not reach a state with it, so that nothing can be compared. */
  readonly isRefused: boolean;
  /** Whether the change has no effect at all. */
  readonly hasNoEffect: boolean;
}

/** A change that the server refuses. */
export const REFUSED: JudgedChange = {
  violations: [],
  output: [],
  isReached: true,
  isRefused: true,
  hasNoEffect: false,
};

/**
 * Changes a field and changes it back: the state in between is compared with that of samples that are created with the value, and the state at the end with that
 * at the beginning.
 */
export async function judgeChange(
  change: FieldChange,
  { context, reference }: { readonly context: PlayContext; readonly reference: Reference },
): Promise<JudgedChange> {
  const { run: expected, noise } = reference;
  const { changed, created } = changeSchedules(change);
  try {
    const target = await playSchedule(created, { ...context, watches: expected.watches });
    const [wanted] = target.phases;
    if (wanted === undefined || wanted.missing.length > 0 || wanted.unrest !== undefined || wanted.exits.length > 0) {
      return REFUSED;
    }
    const states = [expected.phases[0]?.state, wanted.state, expected.phases[0]?.state];
    const run = await playSchedule(changed, {
      ...context,
      watches: expected.watches,
      isExpected: (state, step) => isLike(states[step], state, { noise, step }),
    });
    const violations = violationsOfChange(run, { reference, wanted: wanted.state });
    return {
      violations: expected.redact(target.redact(run.redact(violations))),
      output: run.output,
      isReached: run.failure === undefined,
      isRefused: false,
      hasNoEffect:
        noise.filter(
          differencesOf(withoutSamples(states[0], change, context), withoutSamples(wanted.state, change, context)),
        ).length === 0,
    };
  } catch (error) {
    if (error instanceof StatusError) return REFUSED;
    throw error;
  }
}

function violationsOfChange(
  run: PlayRecord,
  { reference: { run: expected, noise }, wanted }: { readonly reference: Reference; readonly wanted: RestState },
): readonly Violation[] {
  const [created, changed, reverted] = run.phases;
  if (created === undefined || changed === undefined || reverted === undefined) return [];
  const known = new Set(expected.phases.flatMap(({ missing }) => missing.map(({ object }) => object)));
  const compared = [
    ...unequalStates(
      { oracle: "changed-state", step: changed.step, expectation: "after a creation with this value" },
      {
        expected: withoutStatus(wanted),
        actual: withoutStatus(withoutEarlierRuns(changed.state, { expected: wanted })),
        noise,
      },
    ),
    ...unequalStates(
      { oracle: "reverted-state", step: reverted.step, expectation: "before the change" },
      { expected: withoutStatus(created.state), actual: withoutStatus(reverted.state), noise },
    ),
  ];
  // Objects may be replaced by a change; what the run shows by itself must hold.
  const own = violationsAgainst(
    { ...run, phases: run.phases.map((phase) => ({ ...phase, deletions: [] })) },
    { reference: { ...expected, phases: [] }, noise: new NoiseMask([]) },
  ).filter(({ object }) => !known.has(object));
  const keys = new Set(own.map(violationKey));
  return [...own, ...compared.filter((violation) => !keys.has(violationKey(violation)))];
}

function isLike(
  expected: RestState | undefined,
  actual: RestState,
  { noise, step }: { readonly noise: NoiseMask; readonly step: number },
): boolean {
  if (expected === undefined) return true;
  if (step === 0) return noise.filter(differencesOf(expected, actual)).length === 0;
  const compared = step === 1 ? withoutEarlierRuns(actual, { expected }) : actual;
  return noise.filter(differencesOf(withoutStatus(expected), withoutStatus(compared))).length === 0;
}

const JOBS = "jobs.batch ";

/**
 * Returns a state after a change without what the value before it has left: a Job is the record of a run, which a change neither deletes nor repeats. A Job that
 * the new value leads to must exist.
 */
export function withoutEarlierRuns(state: RestState, { expected }: { readonly expected: RestState }): RestState {
  return new Map(
    [...state].flatMap(([name, object]): readonly [string, unknown][] => {
      if (!name.startsWith(JOBS)) return [[name, object]];
      const wanted = expected.get(name);
      return wanted === undefined ? [] : [[name, wanted]];
    }),
  );
}

/** Returns a state without statuses, which may count, or remember how they were reached. */
export function withoutStatus(state: RestState): RestState {
  return new Map([...state].map(([name, object]) => [name, { ...(object as object), status: undefined }]));
}

function withoutSamples(state: RestState | undefined, change: FieldChange, { samples }: PlayContext): RestState {
  const { kind, metadata } = samples[change.sample] ?? { kind: "", metadata: {} };
  const isSample = (object: unknown): boolean => {
    const found = object as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
    return found.kind === kind && found.metadata?.name === metadata.name;
  };
  return new Map([...(state ?? [])].filter(([, object]) => !isSample(object)));
}
