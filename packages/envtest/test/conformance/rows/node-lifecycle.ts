import { objectOf, type Json, type Row, type RowContext } from "../row.ts";
import { kubectlIn } from "./kubectl.ts";
import { createNode, createPod, noteEvent, noteNode, noteUnschedulable, podsOf } from "./node-tools.ts";

const MERGE = "application/merge-patch+json";

export const NODE_LIFECYCLE_ROWS: readonly Row[] = [
  {
    row: 204,
    title: "kubectl cordons, taints, and drains nodes",
    needs: ["kubectl", "workloads"],
    isAlone: true,
    run: async (context) => {
      const { kubectl } = await kubectlIn(context);
      await createNode(context, "first", { labels: { "topology.kubernetes.io/zone": "a" } });
      await createPod(context, "before", {}, { labels: { app: "drained" } });
      await noteNode(context, "before");
      const { body } = await context.eventually({ path: podsOf(context, "before") }, ({ status }) => status === 200);
      context.note("labels of a pod in a zone", objectOf({ body } as never).metadata["labels"]);
      await kubectl("cordon", "cordon", "first");
      await kubectl("cordon again", "cordon", "first");
      await noteTaints(context, "first", "cordoned", (taints) => taints.length === 1);
      await createPod(context, "after");
      await noteUnschedulable(context, "after");
      await kubectl("drain a bare pod", "drain", "first", "--timeout=10s");
      await kubectl("drain", "drain", "first", "--force", "--timeout=20s");
      await kubectl("what is left", "get", "pods", "-o", "name");
      await kubectl("uncordon", "uncordon", "first");
      await noteNode(context, "after");
      await noteTaints(context, "first", "uncordoned", (taints) => taints.length === 0);
      await kubectl("taint", "taint", "node", "first", "maintenance=now:NoExecute");
      await noteEvent(context, "after", "TaintManagerEviction");
      await context.eventually({ path: podsOf(context, "after") }, ({ status }) => status === 404);
      await createPod(context, "patient", {
        tolerations: [{ key: "maintenance", operator: "Exists", effect: "NoExecute", tolerationSeconds: 3600 }],
      });
      await noteNode(context, "patient");
      await kubectl("remove the taint", "taint", "node", "first", "maintenance-");
    },
  },
  {
    row: 206,
    title: "a node has the status that it is created with, and allocatable resources like its capacity",
    run: async ({ send, cleanUp, quietly }) => {
      const path = "/api/v1/nodes/made-206";
      cleanUp(async () => await quietly({ method: "DELETE", path }));
      const status = {
        capacity: { cpu: "2", pods: "3" },
        conditions: [{ type: "Ready", status: "False", reason: "Broken" }],
      };
      const metadata = { name: "made-206", annotations: { "kubescaffold.dev/simulate": "manual" } };
      const spec = { unschedulable: true };
      const body = { apiVersion: "v1", kind: "Node", metadata, spec, status };
      await send("create", { method: "POST", path: "/api/v1/nodes?dryRun=All", body });
    },
  },
  {
    row: 205,
    title: "nodes that are not ready or unreachable are tainted, and their pods leave when they no longer tolerate it",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      await createNode(context, "ill", { annotations: { "kubescaffold.dev/simulate": "manual" } }, true);
      await report(context, "ill", [{ type: "Ready", status: "True" }]);
      await noteTaints(context, "ill", "new", (taints) => taints.length === 0);
      await noteEvent(context, "ill", "RegisteredNode", "default");
      await createPod(context, "stays");
      await createPod(context, "goes", { tolerations: brief("not-ready") });
      for (const name of ["stays", "goes"]) await noteNode(context, name);
      await report(context, "ill", [
        { type: "Ready", status: "False" },
        { type: "MemoryPressure", status: "True" },
      ]);
      await noteTaints(context, "ill", "not ready", (taints) => taints.length === 3);
      await noteEvent(context, "goes", "TaintManagerEviction");
      await createPod(context, "late");
      await noteUnschedulable(context, "late");
      await report(context, "ill", [
        { type: "Ready", status: "Unknown" },
        { type: "MemoryPressure", status: "False" },
      ]);
      await noteTaints(context, "ill", "unreachable", (taints) =>
        taints.every(({ key }) => key === "node.kubernetes.io/unreachable"),
      );
      await report(context, "ill", [{ type: "Ready", status: "True" }]);
      await noteTaints(context, "ill", "ready again", (taints) => taints.length === 0);
      await noteNode(context, "late");
    },
  },
];

function brief(name: string): readonly Json[] {
  return [{ key: `node.kubernetes.io/${name}`, operator: "Exists", effect: "NoExecute", tolerationSeconds: 1 }];
}

async function noteTaints(
  context: RowContext,
  name: string,
  step: string,
  isWanted: (taints: readonly Json[]) => boolean,
): Promise<void> {
  const taintsOf = (body: unknown): readonly Json[] =>
    ((objectOf({ body } as never).spec?.["taints"] ?? []) as readonly Json[]).toSorted((a, b) =>
      `${String(a["key"])}${String(a["effect"])}`.localeCompare(`${String(b["key"])}${String(b["effect"])}`),
    );
  const answer = await context.eventually({ path: `/api/v1/nodes/${name}` }, ({ body }) => isWanted(taintsOf(body)));
  context.note(`${name}: taints when ${step}`, taintsOf(answer.body));
}

async function report(context: RowContext, name: string, conditions: readonly Json[]): Promise<void> {
  const time = new Date().toISOString().replace(/\.\d+Z$/u, "Z");
  const status = {
    conditions: conditions.map((condition) => ({ ...condition, lastHeartbeatTime: time, lastTransitionTime: time })),
    capacity: { cpu: "8", memory: "8Gi", pods: "10" },
    allocatable: { cpu: "8", memory: "8Gi", pods: "10" },
  };
  await context.quietly({
    method: "PATCH",
    path: `/api/v1/nodes/${name}/status`,
    body: { status },
    contentType: MERGE,
  });
}
