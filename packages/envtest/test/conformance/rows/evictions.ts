import type { Json, Row, RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";

export const EVICTION_ROWS: readonly Row[] = [
  {
    row: 173,
    title: "an eviction deletes a pod unless a disruption budget forbids it",
    run: async (context) => {
      const { namespace, send, quietly } = context;
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      const evict = async (step: string, name: string, more: Json = {}, query = ""): Promise<void> => {
        const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace }, ...more };
        await send(step, { method: "POST", path: `${pods}/${name}/eviction${query}`, body });
      };
      await evict("a missing pod", "missing");
      await createPod(context, "pending");
      await send("another name", {
        method: "POST",
        path: `${pods}/pending/eviction`,
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "other", namespace } },
      });
      await evict("another uid", "pending", { deleteOptions: { preconditions: { uid: "other" } } });
      await evict("a dry run of the query", "pending", {}, "?dryRun=All");
      await evict("a dry run of the options", "pending", { deleteOptions: { dryRun: ["All"] } });
      await evict("a pending pod", "pending");
      await send("it is gone", { path: `${pods}/pending` });

      await createPod(context, "held", "Running");
      await createBudget(context, "exhausted", 1);
      await evict("with an exhausted budget", "held");
      await quietly({ method: "DELETE", path: `${budgets(namespace)}/exhausted` });
      await createBudget(context, "open", 0);
      await evict("with a budget, dry run", "held", {}, "?dryRun=All");
      await createBudget(context, "second", 0);
      await evict("with two budgets", "held");
      await quietly({ method: "DELETE", path: `${budgets(namespace)}/second` });
      await evict("with a budget", "held", { deleteOptions: { gracePeriodSeconds: 0 } });
      await send("it is gone, too", { path: `${pods}/held` });

      await createPod(context, "graceful", "Running", "node-1");
      await quietly({ method: "DELETE", path: `${budgets(namespace)}/open` });
      await evict("a pod on a node", "graceful", { deleteOptions: { gracePeriodSeconds: 600 } });
      const { body } = await quietly({ path: `${pods}/graceful` });
      const { metadata, status } = body as {
        readonly metadata: Json;
        readonly status: { readonly conditions: readonly Json[] };
      };
      context.note("it is terminating", {
        isDeleted: typeof metadata["deletionTimestamp"],
        conditions: status.conditions
          .filter(({ type }) => ["Ready", "DisruptionTarget"].includes(String(type)))
          .map(({ lastTransitionTime: _time, lastProbeTime: _probe, ...condition }) => condition),
      });
      const released = { metadata: { finalizers: null } };
      await quietly({ method: "PATCH", path: `${pods}/graceful`, body: released, contentType: MERGE });
      await quietly({ method: "DELETE", path: `${pods}/graceful`, body: { gracePeriodSeconds: 0 } });
    },
  },
];

async function createPod(
  { namespace, quietly }: RowContext,
  name: string,
  phase?: string,
  nodeName?: string,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const spec = {
    schedulerName: "none",
    containers: [{ name: "main", image: "main:1" }],
    ...(nodeName === undefined ? {} : { nodeName }),
  };
  // A node of the target may end the pod at once; the finalizer keeps it for the last step.
  const finalizers = nodeName === undefined ? [] : ["example.com/keep"];
  const metadata = { name, labels: { app: "evicted" }, finalizers };
  await quietly({ method: "POST", path, body: { apiVersion: "v1", kind: "Pod", metadata, spec } });
  if (phase === undefined) return;
  const conditions = [{ type: "Ready", status: "True" }];
  const status = { phase, conditions };
  await quietly({ method: "PATCH", path: `${path}/${name}/status`, body: { status }, contentType: MERGE });
}

function budgets(namespace: string): string {
  return `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
}

// Sets the status that the controller of a cluster sets, for servers without one.
async function createBudget(
  { namespace, quietly, eventually }: RowContext,
  name: string,
  minAvailable: number,
): Promise<void> {
  const path = `${budgets(namespace)}/${name}`;
  const spec = { minAvailable, selector: { matchLabels: { app: "evicted" } } };
  const body = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name }, spec };
  await quietly({ method: "POST", path: budgets(namespace), body });
  const disruptionsAllowed = 1 - minAvailable;
  const status = {
    observedGeneration: 1,
    expectedPods: 1,
    currentHealthy: 1,
    desiredHealthy: minAvailable,
    disruptionsAllowed,
  };
  await quietly({ method: "PATCH", path: `${path}/status`, body: { status }, contentType: MERGE });
  await eventually({ path }, (answer) => {
    const stored = (answer.body as { readonly status?: Json }).status;
    return stored?.["currentHealthy"] === 1 && stored["disruptionsAllowed"] === disruptionsAllowed;
  });
}
