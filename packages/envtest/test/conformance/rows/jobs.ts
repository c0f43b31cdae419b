import { objectOf, type Json, type Row, type RowContext } from "../row.ts";
import {
  createJob,
  endPod,
  exitedContainer,
  hasCondition,
  jobs,
  MERGE,
  noteEvents,
  noteStatus,
  podsOf,
} from "./job-steps.ts";

export const JOB_ROWS: readonly Row[] = [
  {
    row: 180,
    title: "a job counts pods that end, replaces them, and ends with conditions and events",
    needs: ["controllers"],
    run: async (context) => {
      await completes(context);
      await fails(context);
      await countsIndexes(context);
      await suspends(context);
      await isTooLate(context);
    },
  },
  {
    row: 181,
    title: "policies of a job decide about failed pods and success",
    needs: ["controllers"],
    run: async (context) => {
      await ignoresAndFails(context);
      await needsSomeIndexes(context);
    },
  },
];

async function completes(context: RowContext): Promise<void> {
  await createJob(context, "plain", { completions: 2, backoffLimit: 1 });
  await noteStatus(context, "plain: one pod", (status) => status["active"] === 1 && status["ready"] === 0);
  const [pod] = await podsOf(context, "plain", 1);
  const { labels, finalizers, generateName, ownerReferences }: Json = pod?.metadata ?? {};
  context.note("plain: the pod", { labels, finalizers, generateName, ownerReferences });
  await endPod(context, pod, "Succeeded");
  await noteStatus(context, "plain: one success", (status) => status["succeeded"] === 1 && status["active"] === 1);
  const [second] = (await podsOf(context, "plain", 2)).filter(({ status }) => status?.["phase"] === "Pending");
  await endPod(context, second, "Succeeded");
  await noteStatus(context, "plain: two successes", (status) => hasCondition(status, "Complete"));
  context.note(
    "plain: finalizers of its pods",
    (await podsOf(context, "plain", 2)).map(({ metadata }) => metadata["finalizers"] ?? []),
  );
  await noteEvents(context, "plain", 3);
}

async function fails(context: RowContext): Promise<void> {
  await createJob(context, "failing", { completions: 2, parallelism: 2, backoffLimit: 0 });
  const [pod] = await podsOf(context, "failing", 2);
  await noteStatus(context, "failing: two pods", (status) => status["active"] === 2);
  await endPod(context, pod, "Failed");
  await noteStatus(context, "failing: one failure", (status) => hasCondition(status, "Failed"));
  await noteEvents(context, "failing", 4);
}

async function countsIndexes(context: RowContext): Promise<void> {
  const spec = { completionMode: "Indexed", completions: 3, parallelism: 3, backoffLimit: 1 };
  await createJob(context, "indexed", spec);
  await noteStatus(context, "indexed: three pods", (status) => status["active"] === 3);
  const pods = (await podsOf(context, "indexed", 3)).toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  context.note(
    "indexed: the pods",
    pods.map(({ metadata, spec: podSpec = {} }) => ({
      annotations: metadata["annotations"],
      label: (metadata["labels"] as Json)["batch.kubernetes.io/job-completion-index"],
      generateName: metadata["generateName"],
      hostname: podSpec["hostname"],
      env: (podSpec["containers"] as readonly Json[])[0]?.["env"],
    })),
  );
  await endPod(context, pods[2], "Succeeded");
  await noteStatus(context, "indexed: the last index", (status) => status["succeeded"] === 1 && status["active"] === 2);
  await endPod(context, pods[0], "Succeeded");
  await noteStatus(context, "indexed: two indexes", (status) => status["succeeded"] === 2 && status["active"] === 1);
  await endPod(context, pods[1], "Succeeded");
  await noteStatus(context, "indexed: all indexes", (status) => hasCondition(status, "Complete"));
  await noteEvents(context, "indexed", 4);
}

async function suspends(context: RowContext): Promise<void> {
  const suspend = async (value: boolean): Promise<void> => {
    const path = `${jobs(context)}/paused`;
    await context.quietly({ method: "PATCH", path, body: { spec: { suspend: value } }, contentType: MERGE });
  };
  await createJob(context, "paused", { suspend: true });
  await noteStatus(context, "paused: suspended", (status) => hasCondition(status, "Suspended"));
  await suspend(false);
  await noteStatus(context, "paused: resumed", (status) => status["active"] === 1);
  await suspend(true);
  const isOver = (status: Json): boolean =>
    hasCondition(status, "Suspended") && status["active"] === undefined && status["terminating"] === 0;
  await noteStatus(context, "paused: suspended again", isOver);
  context.note("paused: pods", (await podsOf(context, "paused", 0)).length);
  // Equal events are counted together, so only their reasons are compared.
  await noteEvents(context, "paused", 4, ({ reason }) => reason);
}

async function isTooLate(context: RowContext): Promise<void> {
  await createJob(context, "late", { activeDeadlineSeconds: 1 });
  await noteStatus(context, "late: ended", (status) => hasCondition(status, "Failed"));
  await noteEvents(context, "late", 3);
}

async function ignoresAndFails(context: RowContext): Promise<void> {
  const rules = [
    { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
    { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [42] } },
  ];
  await createJob(context, "ruled", { completions: 3, parallelism: 3, backoffLimit: 0, podFailurePolicy: { rules } });
  await noteStatus(context, "ruled: three pods", (status) => status["active"] === 3);
  const [first, second] = await podsOf(context, "ruled", 3);
  const conditions = [{ type: "DisruptionTarget", status: "True", lastTransitionTime: new Date().toISOString() }];
  await endPod(context, first, "Failed", { conditions });
  const path = `/api/v1/namespaces/${context.namespace}/pods/${first?.metadata.name ?? ""}`;
  await context.eventually({ path }, (pod) => objectOf(pod).metadata["finalizers"] === undefined);
  await endPod(context, second, "Failed", { containerStatuses: [exitedContainer(42)] });
  const answer = await context.eventually({ path: `${jobs(context)}/ruled` }, (job) =>
    hasCondition(objectOf(job).status ?? {}, "Failed"),
  );
  // How many pods have failed depends on whether the first one was replaced by then.
  const text = JSON.stringify(objectOf(answer).status?.["conditions"]).replaceAll(
    second?.metadata.name ?? "?",
    "<pod>",
  );
  context.note("ruled: conditions", JSON.parse(text.replaceAll(context.namespace, "<namespace>")));
}

async function needsSomeIndexes(context: RowContext): Promise<void> {
  const rules = [{ succeededIndexes: "0,2", succeededCount: 2 }, { succeededIndexes: "1" }];
  const spec = { completionMode: "Indexed", completions: 3, parallelism: 3, successPolicy: { rules } };
  await createJob(context, "enough", spec);
  await noteStatus(context, "enough: three pods", (status) => status["active"] === 3);
  const pods = (await podsOf(context, "enough", 3)).toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  await endPod(context, pods[0], "Succeeded");
  await noteStatus(context, "enough: one index", (status) => status["succeeded"] === 1 && status["active"] === 2);
  await endPod(context, pods[1], "Succeeded");
  await noteStatus(context, "enough: ended", (status) => hasCondition(status, "Complete"));
}
