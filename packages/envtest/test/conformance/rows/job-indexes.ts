import type { KubeObject, Row, RowContext } from "../row.ts";
import { createJob, endPod, exitedContainer, hasCondition, noteEvents, noteStatus, podsOf } from "./job-steps.ts";

const INDEXED = { completionMode: "Indexed" };

export const JOB_INDEX_ROWS: readonly Row[] = [
  {
    row: 360,
    title: "a job with a limit for each index counts the failures of an index, and fails when all indexes have ended",
    needs: ["controllers"],
    run: async (context) => {
      await createJob(context, "limited", { ...INDEXED, completions: 3, parallelism: 3, backoffLimitPerIndex: 1 });
      await noteStatus(context, "limited: three pods", (status) => status["active"] === 3);
      const [first, second, third] = await podsByName(context, "limited", 3);
      noteAnnotations(context, "limited: the first pod", first);
      await endPod(context, second, "Succeeded");
      await noteStatus(context, "limited: one success", (status) => status["succeeded"] === 1);
      await endPod(context, first, "Failed");
      await noteStatus(context, "limited: waits", (status) => status["active"] === undefined);
      const again = (await podsByName(context, "limited", 4)).find(
        ({ metadata, status }) => metadata.name.startsWith("limited-0-") && status?.["phase"] === "Pending",
      );
      noteAnnotations(context, "limited: the next pod of the index", again);
      await noteStatus(context, "limited: one failure", (status) => status["failed"] === 1);
      await endPod(context, again, "Failed");
      await noteStatus(context, "limited: one failed index", (status) => status["failedIndexes"] === "0");
      await endPod(context, third, "Succeeded");
      await noteStatus(context, "limited: ended", (status) => hasCondition(status, "Failed"));
      await noteEvents(context, "limited", 5);
    },
  },
  {
    row: 361,
    title: "a job fails an index by its pod failure policy, and ends when too many indexes have failed",
    needs: ["controllers"],
    run: async (context) => {
      await failsIndexByPolicy(context);
      await exceedsFailedIndexes(context);
    },
  },
];

async function failsIndexByPolicy(context: RowContext): Promise<void> {
  const rules = [{ action: "FailIndex", onExitCodes: { operator: "In", values: [42] } }];
  const spec = { completions: 2, parallelism: 2, backoffLimitPerIndex: 5, podFailurePolicy: { rules } };
  await createJob(context, "ruled", { ...INDEXED, ...spec });
  await noteStatus(context, "ruled: two pods", (status) => status["active"] === 2);
  const [first, second] = await podsByName(context, "ruled", 2);
  await endPod(context, first, "Failed", { containerStatuses: [exitedContainer(42)] });
  await noteStatus(context, "ruled: one failed index", (status) => status["failed"] === 1);
  await endPod(context, second, "Succeeded");
  await noteStatus(context, "ruled: ended", (status) => hasCondition(status, "Failed"));
  await noteEvents(context, "ruled", 3);
}

async function exceedsFailedIndexes(context: RowContext): Promise<void> {
  const spec = { completions: 3, parallelism: 1, backoffLimitPerIndex: 0, maxFailedIndexes: 0 };
  await createJob(context, "strict", { ...INDEXED, ...spec });
  await noteStatus(context, "strict: one pod", (status) => status["active"] === 1);
  const [pod] = await podsByName(context, "strict", 1);
  await endPod(context, pod, "Failed");
  await noteStatus(context, "strict: ended", (status) => hasCondition(status, "Failed"));
  await noteEvents(context, "strict", 2);
}

async function podsByName(context: RowContext, job: string, count: number): Promise<readonly KubeObject[]> {
  const pods = await podsOf(context, job, count);
  return pods.toSorted((left, right) => left.metadata.name.localeCompare(right.metadata.name));
}

function noteAnnotations({ note }: RowContext, step: string, pod: KubeObject | undefined): void {
  note(step, pod?.metadata["annotations"]);
}
