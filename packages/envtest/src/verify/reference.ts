import { StatusError } from "@kubescaffold/k8s";

import { differencesOf, NoiseMask } from "../oracles/compare-states.ts";
import { unequalStates, type Violation, violationKey, violationsOf } from "../oracles/oracles.ts";
import type { PlayContext, PlayRecord } from "./play-record.ts";
import { playSchedule } from "./play.ts";
import { BASE_STEPS, type Schedule } from "./schedule.ts";

/** Two runs of the steps without a perturbation, which all others are compared with. */
export interface Reference {
  readonly run: PlayRecord;
  readonly noise: NoiseMask;
  /** The violations that both runs show. */
  readonly violations: readonly Violation[];
  /** Why nothing can be compared with it; none if something can. */
  readonly missing: readonly string[];
}

/** The schedule of the reference. */
export const BASE_SCHEDULE: Schedule = { changes: [], steps: BASE_STEPS };

const HOLD_MS = 2500;

/** Runs the reference twice. */
export async function playReference(context: PlayContext, report: (run: number) => void): Promise<Reference> {
  report(1);
  const first = await playSchedule(BASE_SCHEDULE, { ...context, holdMs: HOLD_MS }).catch(refusal);
  if (typeof first === "string") return { ...NOTHING, missing: [first] };
  const reasons = missingIn(first);
  if (reasons.length > 0) return { ...NOTHING, run: first, missing: reasons };
  report(2);
  const second = await playSchedule(BASE_SCHEDULE, { ...context, watches: first.watches });
  // A run ends early when its samples are not gone.
  const differences = second.phases.flatMap(({ state }, index) => {
    const expected = first.phases[index]?.state;
    return expected === undefined ? [] : differencesOf(expected, state);
  });
  const noise = new NoiseMask(differences, context.options.ignore);
  const shown = [first, second].map((run) => [...violationsOf(run), ...recreated(run, noise)]);
  const [ofFirst = [], ofSecond = []] = shown;
  const keys = new Set(ofSecond.map(violationKey));
  const isStable = second.failure === undefined && second.phases.every(({ unrest }) => unrest === undefined);
  const isLooping = ofFirst.some(({ oracle }) => oracle === "rest");
  return {
    run: first,
    noise,
    violations: first.redact(ofFirst.filter((each) => each.oracle === "rest" || keys.has(violationKey(each)))),
    missing: isStable || isLooping ? [] : missingIn(second),
  };
}

/** Returns how the state after the second creation of the samples differs from that after the first. */
function recreated({ phases }: PlayRecord, noise: NoiseMask): readonly Violation[] {
  const [created, , again] = phases;
  if (created === undefined || again === undefined) return [];
  return unequalStates(
    { oracle: "reverted-state", step: again.step, expectation: "after the first creation" },
    { expected: created.state, actual: again.state, noise },
  );
}

const NOTHING: Reference = {
  run: {
    phases: [],
    denied: [],
    initial: new Map(),
    writes: [],
    watches: [],
    fieldChanges: [],
    isReached: true,
    failure: undefined,
    output: [],
    redact: (value) => value,
  },
  noise: new NoiseMask([]),
  violations: [],
  missing: [],
};

function refusal(error: unknown): string {
  if (error instanceof StatusError) return `the server refuses a sample: ${error.message}`;
  throw error;
}

/** Returns why a run without a perturbation is no reference. A loop of writes is a finding, and not in it. */
function missingIn(run: PlayRecord): readonly string[] {
  return run.redact(reasonsIn(run));
}

function reasonsIn({ failure, phases, output }: PlayRecord): readonly string[] {
  const printed = output.filter((line) => line !== "").slice(-3);
  const said = printed.length === 0 ? "" : `; the operator printed: ${printed.join(" | ")}`;
  if (failure !== undefined) return [`${failure}${said}`];
  const created = phases[0];
  if (created === undefined) return ["the samples were not created"];
  const unready = created.missing.map(({ object, what }) => `${object} does not become ready: ${what}${said}`);
  return created.exits.length > 0 ? [`the operator exits: ${created.exits.join("; ")}`] : unready;
}
