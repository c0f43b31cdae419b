import { numberOf } from "@kubescaffold/apiserver/cluster-api";
import type { Pod } from "@kubescaffold/k8s/core/v1";

const FIRST_DELAY_MS = 10_000;
const LONGEST_DELAY_MS = 600_000;

/** How often pods of a Job have failed since the last success. */
export interface JobBackOff {
  readonly failures: number;
  /** Milliseconds since 1970. */
  readonly lastFailure: number;
}

/** The state of a Job without failures. */
export const NO_BACK_OFF: JobBackOff = { failures: 0, lastFailure: 0 };

/** Adds pods that have ended; failures before the last success do not count. */
export function nextBackOff(
  former: JobBackOff,
  ended: { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] },
): JobBackOff {
  const lastSuccess = Math.max(...ended.succeeded.map((pod) => finishedAt(pod)));
  const failures = ended.failed.map((pod) => finishedAt(pod)).filter((time) => time > lastSuccess);
  if (ended.succeeded.length === 0 && failures.length === 0) return former;
  return {
    failures: (ended.succeeded.length === 0 ? former.failures : 0) + failures.length,
    lastFailure: Math.max(0, ...failures),
  };
}

/** Returns the time until a failed pod may be replaced, in milliseconds: 10 s after the first failure, then twice as long each time, at most 10 minutes. */
export function remainingBackOffMs({ failures, lastFailure }: JobBackOff, now: number): number {
  if (failures === 0) return 0;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  return Math.max(0, lastFailure + delay - now);
}

/** Returns when all containers of a pod had ended; otherwise when it was no longer ready, or was deleted. In milliseconds since 1970. */
export function finishedAt({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => timeOf(state?.terminated?.finishedAt));
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends);
  const notReady = status?.conditions?.find((each) => each.type === "Ready" && each.status === "False");
  const deletion = timeOf(metadata.deletionTimestamp);
  return (
    timeOf(notReady?.lastTransitionTime) ??
    (deletion === undefined ? undefined : deletion - numberOf(metadata.deletionGracePeriodSeconds ?? 0) * 1000) ??
    timeOf(metadata.creationTimestamp) ??
    0
  );
}

function timeOf(text: string | null | undefined): number | undefined {
  return text === undefined || text === null ? undefined : Date.parse(text);
}
