import { differencesOf, type NoiseMask, type RestState, type StateDifference } from "./compare-states.ts";

/** The names of the oracles. */
export type OracleName =
  | "end-state"
  | "reverted-state"
  | "changed-state"
  | "leftover"
  | "deletion"
  | "replaced-object"
  | "rest"
  | "ready"
  | "exit"
  | "denied";

/** A run from a step of the user to the next rest. */
export interface PhaseRecord {
  /** The kind of the step: the owners exist after `create` and `change`, and are gone after `delete`. */
  readonly kind: "create" | "change" | "delete";
  /** The step in messages, such as `create the samples`. */
  readonly step: string;
  /** The state at its end. */
  readonly state: RestState;
  /** The objects of the operator, and Pods, that were deleted in it. */
  readonly deletions: readonly string[];
  /** Why there is no rest; undefined at rest. */
  readonly unrest?: string | undefined;
  /** What the owners lack at its end: a ready condition, a current `observedGeneration`, their deletion. */
  readonly missing: readonly MissingState[];
  /** How the operator's process exited, for each exit of its own. */
  readonly exits: readonly string[];
}

/** An owner that is not in the state that a step leads to. */
export interface MissingState {
  readonly object: string;
  readonly what: string;
}

/** All that oracles see of a run. */
export interface RunRecord {
  readonly phases: readonly PhaseRecord[];
  /** The requests that authorization denied, such as `list secrets`. */
  readonly denied: readonly string[];
  /** The objects that the operator had created before the first step. */
  readonly initial: RestState;
}

/** A statement about an operator that does not hold. */
export interface Violation {
  /** The oracle that found it. */
  readonly oracle: OracleName;
  /** The step after which it was found. */
  readonly step: string;
  /** The object; empty for the operator itself. */
  readonly object: string;
  /** The statement in words, with the values that were found. */
  readonly message: string;
  /** The fields that differ. Default: none. */
  readonly differences?: readonly StateDifference[];
}

/** Names a violation: runs with the same name have found the same. */
export function violationKey({ oracle, object }: { readonly oracle: string; readonly object: string }): string {
  return `${oracle} ${object}`;
}

/** Returns the violations that a run shows by itself, without another one to compare it with. */
export function violationsOf(run: RunRecord): readonly Violation[] {
  return [
    ...run.phases.flatMap((phase) => [...behaviorOf(phase), ...leftovers(phase, run.initial)]),
    ...run.denied.map((request): Violation => ({
      oracle: "denied",
      step: "any step",
      object: request,
      message: `the roles of the operator do not allow it to ${request}`,
    })),
  ];
}

/**
 * Returns the violations of a run with a perturbation that the reference, a run of the same steps without it, does not show.
 *
 * The run may end before the last step of the reference.
 */
export function violationsAgainst(
  run: RunRecord,
  { reference, noise }: { readonly reference: RunRecord; readonly noise: NoiseMask },
): readonly Violation[] {
  const known = new Set(violationsOf(reference).map(violationKey));
  const compared = run.phases.flatMap((phase, index) => {
    const expected = reference.phases[index];
    return expected === undefined ? [] : [...endStates(phase, expected, noise), ...replacements(phase, expected)];
  });
  return [...violationsOf(run), ...compared].filter((violation) => !known.has(violationKey(violation)));
}

/** Returns the differences between two states that should be equal, by object. */
export function unequalStates(
  { oracle, step, expectation }: { readonly oracle: OracleName; readonly step: string; readonly expectation: string },
  { expected, actual, noise }: { readonly expected: RestState; readonly actual: RestState; readonly noise: NoiseMask },
): readonly Violation[] {
  const found = noise.filter(differencesOf(expected, actual));
  return [...new Set(found.map(({ object }) => object))].map((object) => {
    const differences = found.filter((difference) => difference.object === object);
    return {
      oracle,
      step,
      object,
      message: `${object} ${effectOf(differences)}, unlike ${expectation}`,
      differences,
    };
  });
}

function effectOf([first, ...others]: readonly StateDifference[]): string {
  if (first === undefined) return "is equal";
  if (first.path === "") return first.actual === undefined ? "does not exist" : "exists";
  return `differs in ${[first, ...others].map(({ path }) => path).join(", ")}`;
}

function endStates(phase: PhaseRecord, expected: PhaseRecord, noise: NoiseMask): readonly Violation[] {
  // A missing object of the deletion is a leftover, with a message that says so.
  if (phase.kind === "delete" || phase.unrest !== undefined) return [];
  return unequalStates(
    { oracle: "end-state", step: phase.step, expectation: "without the perturbation" },
    { expected: expected.state, actual: phase.state, noise },
  );
}

function replacements(phase: PhaseRecord, expected: PhaseRecord): readonly Violation[] {
  if (phase.kind === "delete") return [];
  const known = new Set(expected.deletions);
  return [...new Set(phase.deletions)]
    .filter((object) => !known.has(object))
    .map((object) => ({
      oracle: "replaced-object",
      step: phase.step,
      object,
      message: `${object} was deleted although its owner lives`,
    }));
}

function behaviorOf({ kind, step, unrest, missing, exits }: PhaseRecord): readonly Violation[] {
  return [
    ...(unrest === undefined ? [] : [{ oracle: "rest", step, object: "", message: unrest } as const]),
    ...missing.map(({ object, what }): Violation => ({
      oracle: kind === "delete" ? "deletion" : "ready",
      step,
      object,
      message: `${object}: ${what}`,
    })),
    ...exits.map((exit): Violation => ({ oracle: "exit", step, object: "", message: `the operator exited: ${exit}` })),
  ];
}

function leftovers({ kind, step, state, missing }: PhaseRecord, initial: RestState): readonly Violation[] {
  // While an owner exists, its objects may, too.
  if (kind !== "delete" || missing.length > 0) return [];
  return [...state.keys()]
    .filter((object) => !initial.has(object))
    .map((object) => ({
      oracle: "leftover",
      step,
      object,
      message: `${object} is left after the deletion of its owner`,
    }));
}
