import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { kubectlIn } from "./kubectl.ts";
import { createNode, podsOf } from "./node-tools.ts";

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const HASH = "controller-revision-hash";

export const DAEMON_SET_ROWS: readonly Row[] = [
  {
    row: 207,
    title: "a daemon set has one pod on each node that suits it",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      const taints = [{ key: "team", value: "db", effect: "NoSchedule" }];
      await createNode(context, "plain");
      await createNode(context, "tainted", { taints });
      await createSet(context, "agent", {
        tolerations: [{ key: "node.kubernetes.io/disk-pressure", operator: "Exists" }],
      });
      await noteStatus(context, "agent: one node", (status) => status["numberAvailable"] === 1);
      const [pod] = await podsIn(context, "agent", 1);
      const { labels = {}, ownerReferences, generateName }: Json = pod?.metadata ?? {};
      const { affinity, tolerations }: Json = pod?.spec ?? {};
      context.note("agent: its pod", {
        labels: withoutHash(labels as Json),
        ownerReferences,
        generateName,
        affinity,
        tolerations,
      });
      await noteRevisions(context, "agent: one revision", 1);
      await createNode(context, "second");
      await noteStatus(context, "agent: two nodes", (status) => status["numberAvailable"] === 2);
      await context.quietly({
        method: "PATCH",
        path: "/api/v1/nodes/plain",
        body: { metadata: { labels: { row: "other" } } },
        contentType: MERGE,
      });
      await noteStatus(
        context,
        "agent: one again",
        (status) => status["desiredNumberScheduled"] === 1 && status["numberMisscheduled"] === 0,
      );
      await context.quietly({
        method: "PATCH",
        path: "/api/v1/nodes/second",
        body: { spec: { taints } },
        contentType: MERGE,
      });
      // A taint that leaves the pod where it is does not change the status by itself.
      await context.quietly({
        method: "PATCH",
        path: `${sets(context)}/agent`,
        body: { metadata: { labels: { touched: "yes" } } },
        contentType: MERGE,
      });
      await noteStatus(context, "agent: misplaced", (status) => status["numberMisscheduled"] === 1);
      await context.quietly({
        method: "PATCH",
        path: "/api/v1/nodes/second",
        body: { spec: { taints: [{ ...taints[0], effect: "NoExecute" }] } },
        contentType: MERGE,
      });
      await noteStatus(
        context,
        "agent: none",
        (status) => status["numberMisscheduled"] === 0 && status["desiredNumberScheduled"] === 0,
      );
      await noteEvents(context, "agent", 2);
    },
  },
  {
    row: 208,
    title: "pods of a daemon set are replaced node by node, with a surge, or when they are deleted",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      for (const name of ["d1", "d2", "d3"]) await createNode(context, name);
      await rolls(context);
      await surges(context);
      await waitsForDeletes(context);
    },
  },
  {
    row: 209,
    title: "kubectl shows, rolls back, and waits for the revisions of a daemon set",
    needs: ["kubectl", "workloads"],
    isAlone: true,
    run: async (context) => {
      const { kubectl } = await kubectlIn(context);
      await createNode(context, "only");
      await createSet(context, "web", {}, { annotations: { "kubernetes.io/change-cause": "first image" } });
      await noteStatus(context, "web: ready", isUpdated(1));
      await kubectl("status", "rollout", "status", "daemonset/web", "--timeout=45s");
      await kubectl("annotate", "annotate", "daemonset/web", "kubernetes.io/change-cause=second image", "--overwrite");
      await kubectl("set image", "set", "image", "daemonset/web", "main=main:2");
      await noteStatus(context, "web: updated", isUpdated(1));
      await kubectl("history", "rollout", "history", "daemonset/web");
      await kubectl("history of a revision", "rollout", "history", "daemonset/web", "--revision=1");
      await kubectl("undo", "rollout", "undo", "daemonset/web");
      await noteStatus(context, "web: rolled back", isUpdated(1));
      await kubectl("image", "get", "daemonset", "web", "-o", "jsonpath={.spec.template.spec.containers[*].image}");
      await kubectl("history after it", "rollout", "history", "daemonset/web");
      await kubectl("get", "get", "daemonset", "web", "-o", "wide");
      await kubectl("delete", "delete", "daemonset", "web", "--timeout=20s");
    },
  },
  {
    row: 210,
    title: "a replication controller keeps its pods",
    needs: ["controllers"],
    run: async (context) => {
      const path = `/api/v1/namespaces/${context.namespace}/replicationcontrollers`;
      const labels = { app: "rc" };
      // No scheduler of this name exists.
      const spec = { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
      const body = {
        apiVersion: "v1",
        kind: "ReplicationController",
        metadata: { name: "rc" },
        spec: { replicas: 2, selector: labels, template: { metadata: { labels }, spec } },
      };
      await context.quietly({ method: "POST", path, body });
      const noteReplicas = async (step: string, count: number): Promise<void> => {
        const answer = await context.eventually({ path: `${path}/rc` }, (found) => {
          const { status = {}, metadata } = objectOf(found);
          return status["observedGeneration"] === metadata["generation"] && status["replicas"] === count;
        });
        context.note(step, objectOf(answer).status);
      };
      await noteReplicas("two pods", 2);
      const [pod] = await podsIn(context, "rc", 2);
      const { generateName, ownerReferences }: Json = pod?.metadata ?? {};
      context.note("its pod", { generateName, ownerReferences });
      await context.quietly({
        method: "PATCH",
        path: `${path}/rc`,
        body: { spec: { replicas: 1 } },
        contentType: MERGE,
      });
      await noteReplicas("one pod", 1);
      await noteEvents(context, "rc", 2);
    },
  },
];

async function rolls(context: RowContext): Promise<void> {
  await createManualSet(context, "rolled", { rollingUpdate: { maxUnavailable: 1 } });
  await setImage(context, "rolled", "main:2");
  await noteStatus(
    context,
    "rolled: one replaced",
    (status) => status["updatedNumberScheduled"] === 1 && status["numberReady"] === 2,
  );
  for (let count = 1; count <= 3; count += 1) {
    await report(context, "rolled", "main:2", count);
    await context.eventually({ path: `${sets(context)}/rolled` }, (answer) => {
      const { updatedNumberScheduled, numberAvailable } = objectOf(answer).status ?? {};
      return updatedNumberScheduled === Math.min(count + 1, 3) && (count < 3 || numberAvailable === 3);
    });
  }
  await noteStatus(context, "rolled: all", isUpdated(3));
  await noteRevisions(context, "rolled: two revisions", 2);
}

async function surges(context: RowContext): Promise<void> {
  await createManualSet(context, "surging", { rollingUpdate: { maxUnavailable: 0, maxSurge: "34%" } });
  // Of the two pods of a node, the status counts the older one, by seconds.
  await context.eventually({ path: `${podsOf(context)}?labelSelector=app=surging` }, (list) =>
    (objectOf(list).items ?? []).every(({ metadata }) => {
      return Date.now() > Date.parse(String(metadata["creationTimestamp"])) + 1000;
    }),
  );
  await setImage(context, "surging", "main:2");
  await podsIn(context, "surging", 5);
  await noteStatus(context, "surging: two more", (status) => status["numberAvailable"] === 3);
  await report(context, "surging", "main:2", 2);
  await podsIn(context, "surging", 4);
  await noteStatus(context, "surging: two replaced", (status) => status["updatedNumberScheduled"] === 2);
  await report(context, "surging", "main:2", 3);
  await noteStatus(context, "surging: all", isUpdated(3));
}

async function waitsForDeletes(context: RowContext): Promise<void> {
  await createManualSet(context, "manual", { type: "OnDelete" });
  await setImage(context, "manual", "main:2");
  await noteStatus(context, "manual: none", (status) => status["observedGeneration"] === 2);
  const [pod] = await podsIn(context, "manual", 3);
  await context.quietly({ method: "DELETE", path: podsOf(context, pod?.metadata.name) });
  await noteStatus(context, "manual: one", (status) => status["updatedNumberScheduled"] === 1);
  const [next] = (await podsIn(context, "manual", 3)).filter(hasImage("main:1"));
  const failed = { status: { phase: "Failed" } };
  await context.quietly({
    method: "PATCH",
    path: `${podsOf(context, next?.metadata.name)}/status`,
    body: failed,
    contentType: MERGE,
  });
  await noteStatus(context, "manual: another", (status) => status["updatedNumberScheduled"] === 2);
  const path = `/api/v1/namespaces/${context.namespace}/events?fieldSelector=involvedObject.name=manual,reason=FailedDaemonPod`;
  const events = await context.eventually({ path }, (list) => objectOf(list).items?.length === 1);
  const { type, message } = (objectOf(events).items ?? [])[0] ?? ({} as KubeObject);
  context.note("manual: event of a failed pod", {
    type,
    message: String(message)
      .replace(next?.metadata.name ?? "", "<name>")
      .replace(/on node d\d/u, "on node <node>"),
  });
}

const sets = ({ namespace }: RowContext): string => `/apis/apps/v1/namespaces/${namespace}/daemonsets`;

async function createSet(
  context: RowContext,
  name: string,
  podSpec: Json,
  more: Json = {},
  spec: Json = {},
): Promise<void> {
  const labels = { app: name };
  const { template = {}, ...metadata } = more;
  const body = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, ...metadata },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, ...(template as Json) },
        spec: {
          nodeSelector: { row: context.namespace },
          terminationGracePeriodSeconds: 0,
          containers: [{ name: "main", image: "main:1" }],
          ...podSpec,
        },
      },
      ...spec,
    },
  };
  const answer = await context.quietly({ method: "POST", path: sets(context), body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

// The row reports when the pods are ready.
async function createManualSet(context: RowContext, name: string, updateStrategy: Json): Promise<void> {
  const template = { annotations: { "kubescaffold.dev/simulate": "manual" } };
  await createSet(context, name, {}, { template }, { updateStrategy });
  await report(context, name, "main:1", 3);
  await noteStatus(context, `${name}: ready`, isUpdated(3));
}

// Reports that pods of an image are ready, until a number of them is.
async function report(context: RowContext, name: string, image: string, count: number): Promise<void> {
  const path = `${podsOf(context)}?labelSelector=app=${name}`;
  await context.eventually({ path }, (list) => (objectOf(list).items ?? []).filter(hasImage(image)).length >= count);
  const found = (objectOf(await context.quietly({ path })).items ?? []).filter(hasImage(image));
  const conditions = [{ type: "Ready", status: "True", lastTransitionTime: new Date().toISOString() }];
  for (const { metadata } of found.slice(0, 3)) {
    const body = { status: { phase: "Running", conditions } };
    await context.quietly({
      method: "PATCH",
      path: `${podsOf(context, metadata.name)}/status`,
      body,
      contentType: STRATEGIC,
    });
  }
}

async function setImage(context: RowContext, name: string, image: string): Promise<void> {
  const body = { spec: { template: { spec: { containers: [{ name: "main", image }] } } } };
  await context.quietly({ method: "PATCH", path: `${sets(context)}/${name}`, body, contentType: STRATEGIC });
}

function hasImage(image: string): (pod: KubeObject) => boolean {
  return ({ spec = {} }) => (spec["containers"] as readonly Json[])[0]?.["image"] === image;
}

function isUpdated(count: number): (status: Json) => boolean {
  return (status) => status["updatedNumberScheduled"] === count && status["numberAvailable"] === count;
}

async function podsIn(context: RowContext, name: string, count: number): Promise<readonly KubeObject[]> {
  const path = `${podsOf(context)}?labelSelector=app=${name}`;
  const answer = await context.eventually({ path }, (list) => objectOf(list).items?.length === count);
  return objectOf(answer).items ?? [];
}

async function noteStatus(context: RowContext, step: string, isWanted: (status: Json) => boolean): Promise<void> {
  const [name = ""] = step.split(":");
  const answer = await context.eventually({ path: `${sets(context)}/${name}` }, (set) => {
    const { status = {}, metadata } = objectOf(set);
    return status["observedGeneration"] === metadata["generation"] && isWanted(status);
  });
  context.note(step, objectOf(answer).status);
}

// The hashes of templates differ.
function withoutHash({ [HASH]: hash, ...labels }: Json): Json {
  return { ...labels, [HASH]: typeof hash };
}

async function noteRevisions(context: RowContext, step: string, count: number): Promise<void> {
  const [set = ""] = step.split(":");
  const path = `/apis/apps/v1/namespaces/${context.namespace}/controllerrevisions?labelSelector=app=${set}`;
  const answer = await context.eventually({ path }, (list) => objectOf(list).items?.length === count);
  const numberOf = ({ revision }: KubeObject): number => Number(revision);
  context.note(
    step,
    (objectOf(answer).items ?? [])
      .toSorted((left, right) => numberOf(left) - numberOf(right))
      .map(({ metadata: { name, labels, annotations, ownerReferences }, revision, data }) => ({
        isNamedByHash: name === `${set}-${String((labels as Json)[HASH])}`,
        labels: withoutHash(labels as Json),
        annotations,
        ownerReferences,
        revision,
        data,
      })),
  );
}

async function noteEvents({ namespace, eventually, note }: RowContext, set: string, count: number): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name=${set}`;
  const textsOf = (list: KubeObject): readonly string[] => [
    ...new Set(
      (list.items ?? []).map(({ type, reason, message }) =>
        `${String(type)} ${String(reason)}: ${String(message)}`.replace(/-[a-z0-9]{5}$/u, "-<5>"),
      ),
    ),
  ];
  const answer = await eventually({ path }, (list) => textsOf(objectOf(list)).length >= count);
  note(`${set}: events`, textsOf(objectOf(answer)).toSorted());
}
