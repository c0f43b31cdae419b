import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { kubectlIn } from "./kubectl.ts";

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";

export const STATEFUL_SET_ROWS: readonly Row[] = [
  {
    row: 182,
    title: "a stateful set creates, replaces, and deletes its pods in order, or all at once",
    needs: ["controllers"],
    run: async (context) => {
      await keepsOrder(context);
      await needsNoOrder(context);
    },
  },
  {
    row: 183,
    title: "revisions of a stateful set move its pods, and return",
    needs: ["controllers"],
    run: async (context) => {
      await rolls(context);
      await stopsAtPartition(context);
      await waitsForDeletes(context);
    },
  },
  {
    row: 184,
    title: "claims of a stateful set follow its retention policy",
    needs: ["controllers"],
    run: async (context) => {
      await keepsClaims(context);
      await deletesClaims(context);
    },
  },
  {
    row: 185,
    title: "kubectl shows, rolls back, and waits for the revisions of a stateful set",
    needs: ["kubectl", "workloads"],
    run: async (context) => {
      const { kubectl, file } = await kubectlIn(context);
      const annotations = { "kubernetes.io/change-cause": "first image" };
      const set = { ...setOf("web", { replicas: 2 }, {}), metadata: { name: "web", annotations } };
      await kubectl("apply", "apply", "-f", await file("set.json", set));
      await noteStatus(context, "web: ready", (status) => status["availableReplicas"] === 2);
      await kubectl("status", "rollout", "status", "statefulset/web", "--timeout=45s");
      await kubectl(
        "annotate",
        "annotate",
        "statefulset/web",
        "kubernetes.io/change-cause=second image",
        "--overwrite",
      );
      await kubectl("set image", "set", "image", "statefulset/web", "main=main:2");
      await noteStatus(context, "web: updated", isUpdated(2));
      await kubectl("history", "rollout", "history", "statefulset/web");
      await kubectl("history of a revision", "rollout", "history", "statefulset/web", "--revision=1");
      await kubectl("undo", "rollout", "undo", "statefulset/web");
      await noteStatus(context, "web: rolled back", isUpdated(2));
      await kubectl("image", "get", "statefulset", "web", "-o", "jsonpath={.spec.template.spec.containers[*].image}");
      await kubectl("history after it", "rollout", "history", "statefulset/web");
      await kubectl("get", "get", "statefulset", "web", "-o", "wide");
      await kubectl("restart", "rollout", "restart", "statefulset/web");
    },
  },
];

async function keepsOrder(context: RowContext): Promise<void> {
  await createSet(context, "ordered", { ordinals: { start: 1 } });
  await noteStatus(context, "ordered: one pod", (status) => status["replicas"] === 1);
  const pod = await podOf(context, "ordered-1");
  const { labels, ownerReferences, generateName }: Json = pod.metadata;
  const { hostname, subdomain }: Json = pod.spec ?? {};
  context.note("ordered: the pod", { labels, ownerReferences, generateName, hostname, subdomain });
  await report(context, "ordered-1", "Running");
  await noteStatus(context, "ordered: two pods", (status) => status["replicas"] === 2);
  await report(context, "ordered-2", "Running");
  await noteStatus(context, "ordered: ready", (status) => status["availableReplicas"] === 2);
  const { uid } = (await podOf(context, "ordered-2")).metadata;
  await report(context, "ordered-2", "Failed");
  await podOf(context, "ordered-2", (found) => found.metadata.uid !== uid);
  await noteStatus(
    context,
    "ordered: one replaced",
    (status) => status["availableReplicas"] === 1 && status["replicas"] === 2,
  );
  await report(context, "ordered-2", "Running");
  await noteStatus(context, "ordered: ready again", (status) => status["availableReplicas"] === 2);
  await patchSet(context, "ordered", { replicas: 0 });
  await noteStatus(context, "ordered: empty", (status) => status["replicas"] === 0);
  await noteEvents(context, "ordered", 4);
}

async function needsNoOrder(context: RowContext): Promise<void> {
  await createSet(context, "parallel", { replicas: 3, podManagementPolicy: "Parallel" });
  await noteStatus(context, "parallel: three pods", (status) => status["replicas"] === 3);
  await patchSet(context, "parallel", { replicas: 1 });
  await noteStatus(context, "parallel: one pod", (status) => status["replicas"] === 1);
}

async function rolls(context: RowContext): Promise<void> {
  await createReadySet(context, "rolled", { revisionHistoryLimit: 1 });
  await setImage(context, "rolled", "main:2");
  await readyAs(context, "rolled-1", "main:2");
  await podOf(context, "rolled-0", hasImage("main:2"));
  await noteStatus(context, "rolled: half", (status) => status["updatedReplicas"] === 2);
  await readyAs(context, "rolled-0", "main:2");
  await noteStatus(context, "rolled: all", isUpdated(2));
  const [first] = await noteRevisions(context, "rolled: two revisions", 2);
  const path = `${sets(context)}/rolled`;
  await context.quietly({ method: "PATCH", path, body: first?.["data"], contentType: STRATEGIC });
  for (const name of ["rolled-1", "rolled-0"]) await readyAs(context, name, "main:1");
  await noteStatus(context, "rolled: back", isUpdated(2));
  await noteRevisions(context, "rolled: revisions after the way back", 2);
  await setImage(context, "rolled", "main:3");
  for (const name of ["rolled-1", "rolled-0"]) await readyAs(context, name, "main:3");
  await noteStatus(context, "rolled: to a third", isUpdated(2));
  await noteRevisions(context, "rolled: revisions after the third", 2);
}

async function stopsAtPartition(context: RowContext): Promise<void> {
  // The field is dropped, since its feature gate is off.
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1, maxUnavailable: 2 } };
  const set = await createReadySet(context, "parted", { updateStrategy });
  context.note("parted: its strategy", set.spec?.["updateStrategy"]);
  await setImage(context, "parted", "main:2");
  await readyAs(context, "parted-1", "main:2");
  await noteStatus(context, "parted: half", (status) => status["updatedReplicas"] === 1 && isReady(2)(status));
  const { uid } = (await podOf(context, "parted-0")).metadata;
  await deletePod(context, "parted-0");
  const pod = await podOf(context, "parted-0", (found) => found.metadata.uid !== uid);
  context.note("parted: a new pod below the partition", hasImage("main:1")(pod));
}

async function waitsForDeletes(context: RowContext): Promise<void> {
  await createReadySet(context, "manual", { updateStrategy: { type: "OnDelete" } });
  await setImage(context, "manual", "main:2");
  await noteStatus(context, "manual: none", (status) => status["observedGeneration"] === 2);
  await deletePod(context, "manual-0");
  await readyAs(context, "manual-0", "main:2");
  await noteStatus(context, "manual: one", (status) => status["updatedReplicas"] === 1 && isReady(2)(status));
}

async function keepsClaims(context: RowContext): Promise<void> {
  await createReadySet(context, "kept", { volumeClaimTemplates: [CLAIM] });
  const volumes = (await podOf(context, "kept-0")).spec?.["volumes"] as readonly Json[] | undefined;
  context.note("kept: the first volume", volumes?.[0]);
  await patchSet(context, "kept", { replicas: 1 });
  await noteStatus(context, "kept: one pod", (status) => status["replicas"] === 1);
  await noteClaims(context, "kept: claims that stay", (claims) => claims.length === 2);
  await noteEvents(context, "kept", 5);
  await patchSet(context, "kept", { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } });
  await noteClaims(context, "kept: claims with an owner", ([claim]) => ownersOf(claim).length === 1);
}

async function deletesClaims(context: RowContext): Promise<void> {
  const persistentVolumeClaimRetentionPolicy = { whenScaled: "Delete", whenDeleted: "Delete" };
  await createReadySet(context, "gone", { volumeClaimTemplates: [CLAIM], persistentVolumeClaimRetentionPolicy });
  await noteClaims(context, "gone: claims of the set", (claims) =>
    claims.every((claim) => ownersOf(claim).length === 1),
  );
  const path = `${pods(context)}/gone-1`;
  const held = { metadata: { finalizers: ["example.com/held"] } };
  await context.quietly({ method: "PATCH", path, body: held, contentType: MERGE });
  await patchSet(context, "gone", { replicas: 1 });
  await noteClaims(
    context,
    "gone: claims of the set and of a pod",
    ([, claim]) => ownersOf(claim)[0]?.["kind"] === "Pod",
  );
  const free = { metadata: { finalizers: null } };
  await context.quietly({ method: "PATCH", path, body: free, contentType: MERGE });
  await noteClaims(context, "gone: claims without those of the pod", (claims) => claims.length === 1);
  await context.quietly({ method: "DELETE", path: `${sets(context)}/gone` });
  await noteClaims(context, "gone: no claims", (claims) => claims.length === 0);
}

const CLAIM = {
  metadata: { name: "data", labels: { tier: "db" } },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "" },
};

const sets = ({ namespace }: RowContext): string => `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
const pods = ({ namespace }: RowContext): string => `/api/v1/namespaces/${namespace}/pods`;

function setOf(name: string, spec: Json, podSpec: Json): Json {
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { ...podSpec, containers: [{ name: "main", image: "main:1", args: ["<a> & b"] }] },
  };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, annotations: { note: "text" } },
    spec: { replicas: 2, serviceName: "main", selector: { matchLabels: labels }, template, ...spec },
  };
}

// No scheduler of this name exists, so the row decides how the pods run.
async function createSet(context: RowContext, name: string, spec: Json): Promise<KubeObject> {
  const body = setOf(name, spec, { schedulerName: "none" });
  return objectOf(await context.quietly({ method: "POST", path: sets(context), body }));
}

async function createReadySet(context: RowContext, name: string, spec: Json): Promise<KubeObject> {
  const set = await createSet(context, name, spec);
  for (const ordinal of ["0", "1"]) await report(context, `${name}-${ordinal}`, "Running");
  await noteStatus(context, `${name}: ready`, isReady(2));
  return set;
}

async function patchSet(context: RowContext, name: string, spec: Json): Promise<void> {
  const path = `${sets(context)}/${name}`;
  await context.quietly({ method: "PATCH", path, body: { spec }, contentType: MERGE });
}

async function setImage(context: RowContext, name: string, image: string): Promise<void> {
  const containers = [{ name: "main", image }];
  const body = { spec: { template: { spec: { containers } } } };
  await context.quietly({ method: "PATCH", path: `${sets(context)}/${name}`, body, contentType: STRATEGIC });
}

async function podOf(
  context: RowContext,
  name: string,
  isWanted: (pod: KubeObject) => boolean = () => true,
): Promise<KubeObject> {
  const answer = await context.eventually(
    { path: `${pods(context)}/${name}` },
    (found) => found.status === 200 && isWanted(objectOf(found)),
  );
  return objectOf(answer);
}

async function deletePod(context: RowContext, name: string): Promise<void> {
  await context.quietly({ method: "DELETE", path: `${pods(context)}/${name}` });
}

async function report(context: RowContext, name: string, phase: "Running" | "Failed"): Promise<void> {
  await podOf(context, name);
  const status = phase === "Running" ? "True" : "False";
  const conditions = [{ type: "Ready", status, lastTransitionTime: new Date().toISOString() }];
  const path = `${pods(context)}/${name}/status`;
  await context.quietly({ method: "PATCH", path, body: { status: { phase, conditions } }, contentType: MERGE });
}

async function readyAs(context: RowContext, name: string, image: string): Promise<void> {
  await podOf(context, name, hasImage(image));
  await report(context, name, "Running");
}

function hasImage(image: string): (pod: KubeObject) => boolean {
  return ({ spec = {} }) => (spec["containers"] as readonly Json[])[0]?.["image"] === image;
}

function isReady(count: number): (status: Json) => boolean {
  return (status) => status["availableReplicas"] === count && status["readyReplicas"] === count;
}

function isUpdated(count: number): (status: Json) => boolean {
  return (status) => isReady(count)(status) && status["currentRevision"] === status["updateRevision"];
}

// Only a status of the latest generation is noted.
async function noteStatus(context: RowContext, step: string, isWanted: (status: Json) => boolean): Promise<void> {
  const [name = ""] = step.split(":");
  const answer = await context.eventually({ path: `${sets(context)}/${name}` }, (set) => {
    const { status = {}, metadata } = objectOf(set);
    return status["observedGeneration"] === metadata["generation"] && isWanted(status);
  });
  context.note(step, objectOf(answer).status);
}

async function noteRevisions(context: RowContext, step: string, count: number): Promise<readonly KubeObject[]> {
  const [set = ""] = step.split(":");
  const path = `/apis/apps/v1/namespaces/${context.namespace}/controllerrevisions?labelSelector=app=${set}`;
  const answer = await context.eventually({ path }, (list) => objectOf(list).items?.length === count);
  const numberOf = ({ revision }: KubeObject): number => Number(revision);
  const revisions = (objectOf(answer).items ?? []).toSorted((left, right) => numberOf(left) - numberOf(right));
  context.note(
    step,
    revisions.map(({ metadata: { name, labels, annotations, ownerReferences }, revision, data }) => {
      return { name, labels, annotations, ownerReferences, revision, data };
    }),
  );
  return revisions;
}

async function noteClaims(
  context: RowContext,
  step: string,
  isWanted: (claims: readonly KubeObject[]) => boolean,
): Promise<void> {
  const [set = ""] = step.split(":");
  const path = `/api/v1/namespaces/${context.namespace}/persistentvolumeclaims?labelSelector=app=${set}`;
  const answer = await context.eventually({ path }, (list) => isWanted(objectOf(list).items ?? []));
  context.note(
    step,
    (objectOf(answer).items ?? []).map(({ metadata: { name, labels, ownerReferences, finalizers }, spec }) => {
      return { name, labels, ownerReferences, finalizers, spec };
    }),
  );
}

function ownersOf(claim: KubeObject | undefined): readonly Json[] {
  return (claim?.metadata["ownerReferences"] ?? []) as readonly Json[];
}

async function noteEvents({ namespace, eventually, note }: RowContext, set: string, count: number): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name=${set}`;
  const textOf = ({ type, reason, message }: KubeObject): string =>
    `${String(type)} ${String(reason)}: ${String(message)}`;
  // Equal events are counted together, so only their texts are compared.
  const textsOf = (list: KubeObject): readonly string[] => [...new Set((list.items ?? []).map(textOf))];
  const answer = await eventually({ path }, (list) => textsOf(objectOf(list)).length >= count);
  note(`${set}: events`, textsOf(objectOf(answer)).toSorted());
}
