import { objectOf, type Answer, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { createJob, MERGE, podsOf } from "./job-steps.ts";

export const OWNERSHIP_ROWS: readonly Row[] = [
  {
    row: 362,
    title: "replica sets and replication controllers adopt pods by their labels, and release them",
    needs: ["controllers"],
    run: async (context) => {
      await adoptsPods(context, { name: "set", path: replicaSets(context), kind: "ReplicaSet", apiVersion: "apps/v1" });
      const path = `/api/v1/namespaces/${context.namespace}/replicationcontrollers`;
      await adoptsPods(context, { name: "controller", path, kind: "ReplicationController", apiVersion: "v1" });
    },
  },
  {
    row: 363,
    title: "a deployment adopts replica sets by their labels, and releases them",
    needs: ["controllers"],
    run: adoptsSets,
  },
  {
    row: 364,
    title: "a job adopts a pod again that lost its owner, and releases one that lost its labels",
    needs: ["controllers"],
    run: adoptsPodOfJob,
  },
];

interface Owner {
  readonly name: string;
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
}

async function adoptsPods(context: RowContext, { name, path, kind, apiVersion }: Owner): Promise<void> {
  const labels = { app: name };
  const orphan = { apiVersion: "v1", kind: "Pod", metadata: { name: `${name}-orphan`, labels }, spec: podSpec() };
  await context.quietly({ method: "POST", path: pods(context), body: orphan });
  const selector = kind === "ReplicaSet" ? { matchLabels: labels } : labels;
  const spec = { replicas: 2, selector, template: { metadata: { labels }, spec: podSpec() } };
  await context.quietly({ method: "POST", path, body: { apiVersion, kind, metadata: { name }, spec } });
  await context.eventually({ path: `${path}/${name}` }, hasReplicas(2));
  await noteOwners(context, `${name}: the orphan`, `${pods(context)}/${name}-orphan`, (owners) => owners.length === 1);
  await noteCount(context, `${name}: pods`, name, 2);
  const change = { metadata: { labels: { app: "other" } } };
  await context.quietly({
    method: "PATCH",
    path: `${pods(context)}/${name}-orphan`,
    body: change,
    contentType: MERGE,
  });
  await noteOwners(
    context,
    `${name}: the released pod`,
    `${pods(context)}/${name}-orphan`,
    (owners) => owners.length === 0,
  );
  await noteCount(context, `${name}: pods after the release`, name, 2);
}

async function adoptsSets(context: RowContext): Promise<void> {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: podSpec() };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const path = `${replicaSets(context)}/former`;
  await context.quietly({
    method: "POST",
    path: replicaSets(context),
    body: { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "former", labels }, spec },
  });
  await context.eventually({ path }, hasReplicas(1));
  await context.quietly({
    method: "POST",
    path: `/apis/apps/v1/namespaces/${context.namespace}/deployments`,
    body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec },
  });
  await noteOwners(context, "the adopted set", path, (owners) => owners.length === 1);
  const answer = await context.eventually({ path }, (each) => objectOf(each).metadata["annotations"] !== undefined);
  context.note("its annotations", objectOf(answer).metadata["annotations"]);
  await context.quietly({ method: "PATCH", path, body: { metadata: { labels: { app: "x" } } }, contentType: MERGE });
  await noteOwners(context, "the released set", path, (owners) => owners.length === 0);
}

async function adoptsPodOfJob(context: RowContext): Promise<void> {
  await createJob(context, "work", { completions: 2, parallelism: 1 });
  const [pod] = await podsOf(context, "work", 1);
  const path = `${pods(context)}/${pod?.metadata.name ?? ""}`;
  const patch = async (metadata: Json): Promise<void> => {
    await context.quietly({ method: "PATCH", path, body: { metadata }, contentType: MERGE });
  };
  await patch({ ownerReferences: null });
  await noteOwners(context, "the orphan", path, (owners) => owners.length === 1);
  const labels = Object.keys(pod?.metadata["labels"] ?? {});
  await patch({ labels: Object.fromEntries(labels.map((label) => [label, null])) });
  await noteOwners(context, "the released pod", path, (owners) => owners.length === 0);
  context.note("other pods", (await podsOf(context, "work", 1)).length);
}

function replicaSets({ namespace }: RowContext): string {
  return `/apis/apps/v1/namespaces/${namespace}/replicasets`;
}

function pods({ namespace }: RowContext): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}

// No scheduler of this name exists, so no pod starts.
function podSpec(): Json {
  return { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
}

function hasReplicas(count: number): (answer: Answer) => boolean {
  return (answer) => objectOf(answer).status?.["replicas"] === count;
}

async function noteOwners(
  { eventually, note }: RowContext,
  step: string,
  path: string,
  isWanted: (owners: readonly unknown[]) => boolean,
): Promise<void> {
  const ownersOf = ({ metadata }: KubeObject): readonly Json[] =>
    (metadata["ownerReferences"] ?? []) as readonly Json[];
  const object = objectOf(await eventually({ path }, (answer) => isWanted(ownersOf(objectOf(answer)))));
  note(step, { owners: ownersOf(object), finalizers: object.metadata["finalizers"] ?? [] });
}

async function noteCount(context: RowContext, step: string, label: string, count: number): Promise<void> {
  const path = `${pods(context)}?labelSelector=app=${label}`;
  const answer = await context.eventually({ path }, (list) => objectOf(list).items?.length === count);
  context.note(step, objectOf(answer).items?.length);
}
