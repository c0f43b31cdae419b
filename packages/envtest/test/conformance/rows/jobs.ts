import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";

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
  const time = new Date().toISOString();
  const terminated = { exitCode: 42, reason: "Error", startedAt: time, finishedAt: time };
  const container = {
    name: "main",
    image: "main:1",
    imageID: "",
    ready: false,
    restartCount: 0,
    state: { terminated },
  };
  await endPod(context, second, "Failed", { containerStatuses: [container] });
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

function jobs({ namespace }: RowContext): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs`;
}

// No scheduler of this name exists, so the row decides how the pods end.
async function createJob(context: RowContext, name: string, spec: Json): Promise<void> {
  const template = {
    spec: { restartPolicy: "Never", schedulerName: "none", containers: [{ name: "main", image: "main:1" }] },
  };
  const body = { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { ...spec, template } };
  await context.quietly({ method: "POST", path: jobs(context), body });
}

async function podsOf(
  { namespace, eventually }: RowContext,
  job: string,
  count: number,
): Promise<readonly KubeObject[]> {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=batch.kubernetes.io/job-name=${job}`;
  const answer = await eventually({ path }, (list) => objectOf(list).items?.length === count);
  return objectOf(answer).items ?? [];
}

async function endPod(
  { namespace, quietly }: RowContext,
  pod: KubeObject | undefined,
  phase: string,
  more: Json = {},
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name ?? ""}/status`;
  await quietly({ method: "PATCH", path, body: { status: { phase, ...more } }, contentType: MERGE });
}

// A status is noted when nothing is left to count: no controller changes it until the row does something.
async function noteStatus(context: RowContext, step: string, isWanted: (status: Json) => boolean): Promise<void> {
  const [name = ""] = step.split(":");
  const answer = await context.eventually({ path: `${jobs(context)}/${name}` }, (job) => {
    const { status = {} } = objectOf(job);
    const uncounted = status["uncountedTerminatedPods"] ?? {};
    return Object.keys(uncounted).length === 0 && isWanted(status);
  });
  context.note(step, objectOf(answer).status);
}

function hasCondition(status: Json, type: string): boolean {
  const conditions = (status["conditions"] ?? []) as readonly Json[];
  return conditions.some((condition) => condition["type"] === type && condition["status"] === "True");
}

async function noteEvents(
  { namespace, eventually, note }: RowContext,
  job: string,
  count: number,
  textOf: (event: KubeObject) => unknown = ({ type, reason, message }) =>
    `${String(type)} ${String(reason)}: ${String(message).replace(/(pod: \S+)-\S{5}$/u, "$1-<suffix>")}`,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name=${job}`;
  const answer = await eventually({ path }, (list) => (objectOf(list).items?.length ?? 0) >= count);
  note(`${job}: events`, [...new Set((objectOf(answer).items ?? []).map((event) => String(textOf(event))))].toSorted());
}
