import type { Json, Row, RowContext } from "../row.ts";
import { MERGE } from "./job-steps.ts";

const TIME = "2026-01-01T00:00:00Z";
const LATER = "2026-01-01T01:00:00Z";

export const JOB_STATUS_ROWS: readonly Row[] = [
  {
    row: 365,
    title: "updates of a job's status must be consistent, and lead from one state to the next",
    run: async (context) => {
      await rejectsContradictions(context);
      await rejectsIndexes(context);
      await rejectsReversals(context);
    },
  },
];

async function rejectsContradictions(context: RowContext): Promise<void> {
  const patch = await createJob(context, "plain", {});
  await patch("negative", { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 });
  await patch("negative alone", { active: -1 });
  await patch("more ready than active", { active: 1, ready: 2 });
  await patch("uncounted twice", { uncountedTerminatedPods: { succeeded: ["a", "a"], failed: ["b", "", "a"] } });
  await patch("complete alone", { conditions: conditions("Complete") });
  await patch("failed alone", { conditions: conditions("Failed"), startTime: TIME });
  await patch("complete and failed", {
    conditions: conditions("SuccessCriteriaMet", "FailureTarget", "Complete", "Failed"),
    startTime: TIME,
    completionTime: TIME,
  });
  await patch("complete with pods", {
    ...completed(),
    active: 1,
    terminating: 1,
    uncountedTerminatedPods: { succeeded: ["a"] },
  });
  await patch("complete before its start", { ...completed(), startTime: LATER });
  await patch("completion time alone", { completionTime: TIME });
  await patch("failed indexes without a limit", { failedIndexes: "0", completedIndexes: "0" });
}

async function rejectsIndexes(context: RowContext): Promise<void> {
  const spec = { completionMode: "Indexed", completions: 5, parallelism: 5, backoffLimitPerIndex: 1 };
  const patch = await createJob(context, "indexed", spec);
  for (const completedIndexes of ["x", "1-2-3", "3,1", "2-2", "7", "1-9", "1,x-2"])
    await patch(`completed ${completedIndexes}`, { completedIndexes });
  await patch("failed x", { failedIndexes: "x" });
  await patch("overlap", { completedIndexes: "0,2-4", failedIndexes: "1,3" });
}

async function rejectsReversals(context: RowContext): Promise<void> {
  const patch = await createJob(context, "ended", { successPolicy: undefined });
  await patch(undefined, { ...completed(), succeeded: 1, failed: 1 });
  await patch("no longer complete", { conditions: [] });
  await patch("fewer pods", { succeeded: 0, failed: 0 });
  await patch("another completion time", { completionTime: LATER });
  await patch("no start time", { startTime: null });
}

function completed(): Json {
  return { conditions: conditions("SuccessCriteriaMet", "Complete"), startTime: TIME, completionTime: TIME };
}

function conditions(...types: readonly string[]): readonly Json[] {
  return types.map((type) => ({ type, status: "True" }));
}

// No controller changes the Job, since it is another one's. Without a step, the patch is not recorded.
async function createJob(
  { namespace, quietly, send }: RowContext,
  name: string,
  spec: Json,
): Promise<(step: string | undefined, status: Json) => Promise<void>> {
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "main:1" }] } };
  const body = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { managedBy: "example.com/none", template, ...spec },
  };
  await quietly({ method: "POST", path, body });
  return async (step, status) => {
    const call = { method: "PATCH", path: `${path}/${name}/status`, body: { status }, contentType: MERGE } as const;
    if (step === undefined) await quietly(call);
    else await send(`${name}: ${step}`, call);
  };
}
