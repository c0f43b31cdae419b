/** Steps of the rows about Jobs. */
import { objectOf, type Json, type KubeObject, type RowContext } from "../row.ts";

export const MERGE = "application/merge-patch+json";

export function jobs({ namespace }: RowContext): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs`;
}

// No scheduler of this name exists, so the row decides how the pods end.
export async function createJob(context: RowContext, name: string, spec: Json): Promise<void> {
  const template = {
    spec: { restartPolicy: "Never", schedulerName: "none", containers: [{ name: "main", image: "main:1" }] },
  };
  const body = { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { ...spec, template } };
  await context.quietly({ method: "POST", path: jobs(context), body });
}

export async function podsOf(
  { namespace, eventually }: RowContext,
  job: string,
  count: number,
): Promise<readonly KubeObject[]> {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=batch.kubernetes.io/job-name=${job}`;
  const answer = await eventually({ path }, (list) => objectOf(list).items?.length === count);
  return objectOf(answer).items ?? [];
}

export async function endPod(
  { namespace, quietly }: RowContext,
  pod: KubeObject | undefined,
  phase: string,
  more: Json = {},
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name ?? ""}/status`;
  await quietly({ method: "PATCH", path, body: { status: { phase, ...more } }, contentType: MERGE });
}

export function exitedContainer(exitCode: number): Json {
  const time = new Date().toISOString();
  const terminated = { exitCode, reason: "Error", startedAt: time, finishedAt: time };
  return { name: "main", image: "main:1", imageID: "", ready: false, restartCount: 0, state: { terminated } };
}

// A status is noted when nothing is left to count: no controller changes it until the row does something.
export async function noteStatus(
  context: RowContext,
  step: string,
  isWanted: (status: Json) => boolean,
): Promise<void> {
  const [name = ""] = step.split(":");
  const answer = await context.eventually({ path: `${jobs(context)}/${name}` }, (job) => {
    const { status = {} } = objectOf(job);
    const uncounted = status["uncountedTerminatedPods"] ?? {};
    return Object.keys(uncounted).length === 0 && isWanted(status);
  });
  context.note(step, objectOf(answer).status);
}

export function hasCondition(status: Json, type: string): boolean {
  const conditions = (status["conditions"] ?? []) as readonly Json[];
  return conditions.some((condition) => condition["type"] === type && condition["status"] === "True");
}

export async function noteEvents(
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
