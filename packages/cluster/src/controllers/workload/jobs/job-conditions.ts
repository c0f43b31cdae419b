import type { Job, JobCondition } from "@kubescaffold/k8s/batch/v1";

/** The parts of a condition that say what it is about. */
export type JobFinding = Required<Pick<JobCondition, "type" | "reason" | "message">>;

/** Why a Job has failed, or that it has enough successes. */
export const BACK_OFF_LIMIT_EXCEEDED: JobFinding = {
  type: "FailureTarget",
  reason: "BackoffLimitExceeded",
  message: "Job has reached the specified backoff limit",
};
/** Why a Job has failed, or that it has enough successes. */
export const DEADLINE_EXCEEDED: JobFinding = {
  type: "FailureTarget",
  reason: "DeadlineExceeded",
  message: "Job was active longer than specified deadline",
};
/** Why a Job has failed, or that it has enough successes. */
export const MAX_FAILED_INDEXES_EXCEEDED: JobFinding = {
  type: "FailureTarget",
  reason: "MaxFailedIndexesExceeded",
  message: "Job has exceeded the specified maximal number of failed indexes",
};
/** Why a Job has failed, or that it has enough successes. */
export const FAILED_INDEXES: JobFinding = {
  type: "FailureTarget",
  reason: "FailedIndexes",
  message: "Job has failed indexes",
};
/** Why a Job has failed, or that it has enough successes. */
export const COMPLETIONS_REACHED: JobFinding = {
  type: "SuccessCriteriaMet",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/** Returns a condition of a Job that is true. */
export function trueCondition({ conditions }: NonNullable<Job["status"]>, type: string): JobCondition | undefined {
  return conditions?.find((condition) => condition.type === type && condition.status === "True");
}

/** Returns the condition with which a Job has ended. */
export function endOf({ status = {} }: Job): JobCondition | undefined {
  return trueCondition(status, "Complete") ?? trueCondition(status, "Failed");
}

/** Returns the conditions with one of them set, with a new time when it changes; one that is false is not added. */
export function withCondition(
  conditions: readonly JobCondition[],
  set: JobFinding & { readonly status: "True" | "False" },
  time: string,
): JobCondition[] {
  const condition: JobCondition = { ...set, lastProbeTime: time, lastTransitionTime: time };
  const former = conditions.find(({ type }) => type === set.type);
  if (former === undefined) return set.status === "False" ? [...conditions] : [...conditions, condition];
  const isSame = former.status === set.status && former.reason === set.reason && former.message === set.message;
  return isSame ? [...conditions] : conditions.map((each) => (each === former ? condition : each));
}
