import { type DeepReadonly, setCondition } from "@kubescaffold/k8s";
import type { Condition } from "@kubescaffold/k8s/meta/v1";

import type { CronJob } from "../../api/v1/cronjob_types.ts";
import { formatTime, type JobsByState, scheduledTime } from "./cronjob_jobs.ts";

/** Plan is the result of reading a schedule: the runs, or why there are none. */
export type Plan =
  | { readonly kind: "scheduled"; readonly missed: Date | undefined; readonly next: Date | undefined }
  | { readonly kind: "suspended" }
  | { readonly kind: "failed"; readonly reason: "InvalidSchedule" | "TooManyMissedRuns"; readonly message: string };

type State = Pick<Condition, "type" | "status" | "reason" | "message">;

/** Returns the conditions of a CronJob. The transition time of a condition changes only with its status. */
export function conditionsOf(owner: DeepReadonly<CronJob>, plan: Plan, jobs: JobsByState, now: Date): Condition[] {
  let conditions = [...(owner.status?.conditions ?? [])];
  const observedGeneration = owner.metadata.generation;
  for (const state of [availableState(plan), progressingState(jobs), degradedState(plan, jobs)])
    ({ conditions } = setCondition(conditions, { ...state, observedGeneration }, now));
  return conditions;
}

function availableState(plan: Plan): State {
  const type = "Available";
  switch (plan.kind) {
    case "failed":
      return { type, status: "False", reason: plan.reason, message: plan.message };
    case "suspended":
      return { type, status: "False", reason: "Suspended", message: "the CronJob is suspended" };
    case "scheduled":
      // The message has no time: the status would change with every run.
      return plan.next === undefined
        ? { type, status: "False", reason: "NoFurtherRuns", message: "the schedule has no further run" }
        : { type, status: "True", reason: "Scheduled", message: "the next run is scheduled" };
  }
}

function progressingState({ active }: JobsByState): State {
  const type = "Progressing";
  if (active.length === 0) return { type, status: "False", reason: "NoActiveJobs", message: "no Jobs are active" };
  const message = active.length === 1 ? "1 Job is active" : `${String(active.length)} Jobs are active`;
  return { type, status: "True", reason: "ActiveJobs", message };
}

function degradedState(plan: Plan, { successful, failed }: JobsByState): State {
  const type = "Degraded";
  if (plan.kind === "failed") return { type, status: "True", reason: plan.reason, message: plan.message };
  const [lastFailed, lastSuccessful] = [failed.at(-1), successful.at(-1)];
  const failedAt = lastFailed && scheduledTime(lastFailed);
  const succeededAt = lastSuccessful && scheduledTime(lastSuccessful);
  if (failedAt === undefined || (succeededAt !== undefined && succeededAt > failedAt))
    return { type, status: "False", reason: "AsExpected", message: "the last finished Job has not failed" };
  return { type, status: "True", reason: "JobFailed", message: `the Job of ${formatTime(failedAt)} failed` };
}
