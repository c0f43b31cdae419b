import { objectOf, type Answer, type Call, type Json, type Row, type RowContext } from "../row.ts";

export const AUTOSCALING_ROWS: readonly Row[] = [
  {
    row: 343,
    title: "an autoscaler keeps its target within its bounds, and reports what it cannot read",
    needs: ["controllers"],
    run: async (tools) => {
      for (const [name, replicas] of REPLICAS) await createReplicaSet(tools, name, replicas);
      await createAutoscaler(tools, "low", { minReplicas: 2, maxReplicas: 4 });
      await createAutoscaler(tools, "high", { maxReplicas: 1 });
      await createAutoscaler(tools, "none", { maxReplicas: 4 });
      await createAutoscaler(tools, "resource", { maxReplicas: 4 });
      await createAutoscaler(tools, "metrics", { maxReplicas: 4, metrics: METRICS });
      await createAutoscaler(tools, "missing", { maxReplicas: 4 });
      const scaleTargetRef = { apiVersion: "example.com/v1", kind: "Farm", name: "farm" };
      await createAutoscaler(tools, "unknown", { maxReplicas: 4, scaleTargetRef });
      for (const name of ["low", "high", "none", "resource", "metrics", "missing", "unknown"]) {
        await noteAutoscaler(tools, name);
      }
    },
  },
];

const REPLICAS = [
  ["low", 1],
  ["high", 2],
  ["none", 0],
  ["resource", 1],
  ["metrics", 1],
] as const;

const selector = {
  matchLabels: { queue: "a" },
  matchExpressions: [{ key: "tier", operator: "In", values: ["b", "c"] }],
};
const describedObject = { apiVersion: "v1", kind: "Service", name: "web" };
const METRICS: readonly Json[] = [
  { type: "External", external: { metric: { name: "queue", selector }, target: { type: "Value", value: "10" } } },
  { type: "External", external: { metric: { name: "load" }, target: { type: "AverageValue", averageValue: "10" } } },
  { type: "Pods", pods: { metric: { name: "load" }, target: { type: "AverageValue", averageValue: "10" } } },
  { type: "Object", object: { describedObject, metric: { name: "load" }, target: { type: "Value", value: "10" } } },
  {
    type: "Object",
    object: { describedObject, metric: { name: "share" }, target: { type: "AverageValue", averageValue: "10" } },
  },
  {
    type: "ContainerResource",
    containerResource: {
      name: "memory",
      container: "main",
      target: { type: "AverageValue", averageValue: "10Mi" },
    },
  },
];

async function createReplicaSet({ namespace, quietly, eventually }: RowContext, app: string, replicas: number) {
  const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
  const podSpec = { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
  const template = { metadata: { labels: { app } }, spec: podSpec };
  const spec = { replicas, selector: { matchLabels: { app } }, template };
  await quietly({ method: "POST", path, body: { metadata: { name: app }, spec } });
  await eventually({ path: `${path}/${app}` }, (answer) => objectOf(answer).status?.["replicas"] === replicas);
}

async function createAutoscaler({ namespace, quietly }: RowContext, name: string, spec: Json): Promise<void> {
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "ReplicaSet", name };
  const path = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
  await quietly({ method: "POST", path, body: { metadata: { name }, spec: { scaleTargetRef, ...spec } } });
}

async function noteAutoscaler(tools: RowContext, name: string): Promise<void> {
  const path = `/apis/autoscaling/v2/namespaces/${tools.namespace}/horizontalpodautoscalers/${name}`;
  const answer = await patiently(tools, { path }, (each) => objectOf(each).status?.["conditions"] !== undefined);
  tools.note(`the autoscaler ${name}`, objectOf(answer).status);
  const fields = `involvedObject.kind=HorizontalPodAutoscaler,involvedObject.name=${name}`;
  const events = `/api/v1/namespaces/${tools.namespace}/events?fieldSelector=${encodeURIComponent(fields)}`;
  const isComplete = (each: Answer): boolean =>
    name === "none" || (objectOf(each).items ?? []).length >= (LAST_EVENTS[name] ?? 1);
  const { items = [] } = objectOf(await patiently(tools, { path: events }, isComplete));
  const shown = items.map(({ type, reason, message, source, reportingComponent }) =>
    JSON.stringify({ type, reason, message, source, reportingComponent }),
  );
  tools.note(
    `events of ${name}`,
    [...new Set(shown)].toSorted().map((text) => JSON.parse(text) as Json),
  );
}

// Each metric has an event, and all of them together.
const LAST_EVENTS: Readonly<Record<string, number>> = { resource: 2, metrics: METRICS.length + 1 };

// The controller looks every 15 seconds.
async function patiently(
  { eventually }: RowContext,
  call: Call,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await eventually(call, isWanted);
    if (isWanted(answer) || attempt === 5) return answer;
  }
}
