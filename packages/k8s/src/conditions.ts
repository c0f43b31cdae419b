import type { Condition, ConditionStatus } from "./api/meta/v1.ts";
import type { int64 } from "./json/scalars.ts";
import { toTime } from "./times.ts";

/** A condition as a controller states it: the time of its last transition follows from its status. */
export interface NewCondition {
  /** The type of the condition, such as `Available`. */
  readonly type: string;
  /** Whether the condition holds. */
  readonly status: ConditionStatus;
  /** A machine-readable reason in CamelCase. */
  readonly reason: string;
  /** A human-readable message; may be empty. */
  readonly message: string;
  /** The `metadata.generation` that the condition is based on. */
  readonly observedGeneration?: int64 | undefined;
  /** When the status changed, for what is known to have happened earlier; now unless given. Ignored while the status stays the same. */
  readonly lastTransitionTime?: string | undefined;
}

/** The conditions after a change, and whether there was one. */
export interface ConditionChange {
  /** A new array; conditions that did not change are the same objects. */
  readonly conditions: Condition[];
  /** Whether any condition was added, updated, or removed. */
  readonly changed: boolean;
}

/**
 * Sets the condition of a type: updates the first one there is, or appends it.
 *
 * Guarantees: `lastTransitionTime` changes only together with `status`; `reason`, `message` and `observedGeneration` are always those of the new
 * condition; the given array and its conditions are not modified; `now` is a date, or the milliseconds that a clock returns. The semantics are those of `meta.SetStatusCondition` in Go.
 *
 * @example
 * const { conditions, changed } = setCondition(guestbook.status?.conditions, {
 *   type: "Available",
 *   status: "True",
 *   reason: "AllPodsAvailable",
 *   message: "3 of 3 Pods are available",
 *   observedGeneration: guestbook.metadata.generation,
 * });
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: NewCondition,
  now: Date | number = new Date(),
): ConditionChange {
  const known = [...(conditions ?? [])];
  const index = known.findIndex(({ type }) => type === condition.type);
  const former = known[index];
  if (former === undefined) return { conditions: [...known, merge(undefined, condition, now)], changed: true };
  if (isUnchanged(former, condition)) return { conditions: known, changed: false };
  known[index] = merge(former, condition, now);
  return { conditions: known, changed: true };
}

/** Removes all conditions of a type. The given array is not modified. */
export function removeCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): { readonly conditions: T[]; readonly changed: boolean } {
  const kept = (conditions ?? []).filter((condition) => condition.type !== type);
  return { conditions: kept, changed: kept.length !== (conditions?.length ?? 0) };
}

/** Returns the first condition of a type; `undefined` if there is none. Conditions of built-in kinds, such as Deployments, are taken, too. */
export function findCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Reports whether there is a condition of a type, and its status is `True`. */
export function isConditionTrue(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return isConditionPresentAndEqual(conditions, type, "True");
}

/** Reports whether there is a condition of a type, and its status is `False`. */
export function isConditionFalse(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return isConditionPresentAndEqual(conditions, type, "False");
}

/** Reports whether there is a condition of a type, and it has a status. */
export function isConditionPresentAndEqual(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
  status: ConditionStatus,
): boolean {
  return findCondition(conditions, type)?.status === status;
}

interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

function isUnchanged(former: Condition, condition: NewCondition): boolean {
  return (
    former.status === condition.status &&
    former.reason === condition.reason &&
    former.message === condition.message &&
    (former.observedGeneration ?? 0) === (condition.observedGeneration ?? 0)
  );
}

function merge(former: Condition | undefined, condition: NewCondition, now: Date | number): Condition {
  const { type, status, reason, message, observedGeneration = 0, lastTransitionTime } = condition;
  const { observedGeneration: _observedGeneration, ...others } = former ?? {};
  const isSameStatus = former?.status === status;
  return {
    ...others,
    type,
    status,
    // Go omits zero.
    ...(observedGeneration === 0 ? {} : { observedGeneration }),
    lastTransitionTime: isSameStatus ? former.lastTransitionTime : transitionTime(lastTransitionTime, now),
    reason,
    message,
  };
}

// The last is the zero time of Go.
const NO_TIME: readonly string[] = ["", "0001-01-01T00:00:00Z"];

function transitionTime(given: string | undefined, now: Date | number): string {
  return given === undefined || NO_TIME.includes(given) ? toTime(Number(now)) : given;
}
