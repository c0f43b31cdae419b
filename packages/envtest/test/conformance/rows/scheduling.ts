import type { Json, Row, RowContext } from "../row.ts";
import {
  createNode,
  createPod,
  deletePod,
  noteEvent,
  noteNode,
  noteUnschedulable,
  podsOf,
  requesting,
} from "./node-tools.ts";

const MERGE = "application/merge-patch+json";
const ZONE = "topology.kubernetes.io/zone";

export const SCHEDULING_ROWS: readonly Row[] = [
  {
    row: 200,
    title: "pods go to nodes with enough resources, and say why none is suitable",
    needs: ["workloads"],
    // The messages count the nodes of all rows.
    isAlone: true,
    run: async (context) => {
      await createNode(context, "small", { resources: { cpu: "2", memory: "4Gi", pods: "3", "example.com/gpu": "1" } });
      await createPod(context, "fits", requesting({ cpu: "1500m" }));
      await noteNode(context, "fits");
      await noteEvent(context, "fits", "Scheduled");
      await createPod(context, "cpu", requesting({ cpu: "1" }));
      await noteUnschedulable(context, "cpu");
      await noteEvent(context, "cpu", "FailedScheduling");
      await createPod(context, "several", requesting({ cpu: "3", memory: "5Gi", "example.com/gpu": "2" }, LIMITS));
      await noteUnschedulable(context, "several");
      await createPod(context, "init", {
        ...requesting({ cpu: "100m" }),
        initContainers: [{ name: "init", image: "init:1", resources: { requests: { memory: "8Gi" } } }],
      });
      await noteUnschedulable(context, "init");
      await deletePod(context, "fits");
      await noteNode(context, "cpu");
      await createPod(context, "plain-1");
      await createPod(context, "plain-2");
      await noteNode(context, "plain-1");
      await noteNode(context, "plain-2");
      await createPod(context, "plain-3");
      await noteUnschedulable(context, "plain-3");
      await grow(context, "small", { pods: "4" });
      await noteNode(context, "plain-3");
    },
  },
  {
    row: 201,
    title: "node selectors, affinity by name, taints, ports, gates, and claims decide where pods may run",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      const taints = [{ key: "team", value: "db", effect: "NoSchedule" }];
      await createNode(context, "tainted", { taints, labels: { size: "8" } });
      await createNode(context, "plain", { labels: { size: "4" } });
      await createPod(context, "selector", { nodeSelector: { disk: "ssd" } });
      await noteUnschedulable(context, "selector");
      await createPod(
        context,
        "larger",
        nodeAffinity({ matchExpressions: [{ key: "size", operator: "Gt", values: ["5"] }] }),
      );
      await noteUnschedulable(context, "larger");
      await createPod(context, "tolerant", {
        ...nodeAffinity({ matchExpressions: [{ key: "size", operator: "Gt", values: ["5"] }] }),
        tolerations: [{ key: "team", operator: "Equal", value: "db" }],
      });
      await noteNode(context, "tolerant");
      await createPod(
        context,
        "named",
        nodeAffinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["tainted"] }] }),
      );
      await noteUnschedulable(context, "named");
      await createPod(
        context,
        "missing",
        nodeAffinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["none"] }] }),
      );
      await noteUnschedulable(context, "missing");
      await createPod(context, "port-1", listening(8080));
      await noteNode(context, "port-1");
      await createPod(context, "port-2", listening(8080));
      await noteUnschedulable(context, "port-2");
      await createPod(context, "claim", {
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      });
      await noteUnschedulable(context, "claim");
      await createPod(context, "gated", { schedulingGates: [{ name: "example.com/wait" }] });
      await noteUnschedulable(context, "gated");
      await context.quietly({
        method: "PATCH",
        path: podsOf(context, "gated"),
        body: { spec: { schedulingGates: [] } },
        contentType: MERGE,
      });
      await noteNode(context, "gated");
      await patchNode(context, "plain", { unschedulable: true });
      await createPod(context, "cordoned");
      await noteUnschedulable(context, "cordoned");
      await patchNode(context, "plain", { unschedulable: false });
      await noteNode(context, "cordoned");
    },
  },
  {
    row: 202,
    title: "pods keep together, apart, and spread over the domains of a topology",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      for (const name of ["a1", "a2", "b1"]) await createNode(context, name, { labels: { [ZONE]: name.slice(0, 1) } });
      await createPod(
        context,
        "db",
        { ...onNode("b1"), ...podAffinity("podAffinity", "db", ZONE) },
        { labels: { app: "db" } },
      );
      await noteNode(context, "db");
      await createPod(context, "near", podAffinity("podAffinity", "db", ZONE));
      await noteNode(context, "near");
      await createPod(context, "lonely", podAffinity("podAffinity", "cache", ZONE));
      await noteUnschedulable(context, "lonely");
      await createPod(context, "cache", onNode("b1"), { labels: { app: "cache" } });
      await noteNode(context, "lonely");
      await createPod(context, "away", {
        ...onNode("b1"),
        ...podAffinity("podAntiAffinity", "db", "kubernetes.io/hostname"),
      });
      await noteUnschedulable(context, "away");
      await createPod(context, "hermit", { ...onNode("a1"), ...podAffinity("podAntiAffinity", "web", ZONE) });
      await noteNode(context, "hermit");
      await createPod(context, "web", onNode("a2"), { labels: { app: "web" } });
      await noteUnschedulable(context, "web");
      const spread = { topologySpreadConstraints: [constraint("DoNotSchedule")] };
      const labels = { app: "spread" };
      await createPod(context, "spread-1", { ...onNode("a1"), ...spread }, { labels });
      await noteNode(context, "spread-1");
      await createPod(context, "spread-2", { ...onNode("a2"), ...spread }, { labels });
      await noteNode(context, "spread-2");
      const everywhere = {
        topologySpreadConstraints: [{ ...constraint("DoNotSchedule"), nodeAffinityPolicy: "Ignore" }],
      };
      await createPod(context, "spread-3", { ...onNode("a2"), ...everywhere }, { labels });
      await noteUnschedulable(context, "spread-3");
      await createPod(context, "spread-4", everywhere, { labels });
      await noteNode(context, "spread-4");
    },
  },
  {
    row: 203,
    title: "important pods take the room of others",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      await createNode(context, "full", { resources: { cpu: "2", memory: "4Gi", pods: "10" } });
      for (const [name, fields] of Object.entries({
        vip: { value: 1000 },
        polite: { value: 1000, preemptionPolicy: "Never" },
      })) {
        const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
        const body = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, ...fields };
        context.cleanUp(async () => await context.quietly({ method: "DELETE", path: `${path}/${name}` }));
        await context.quietly({ method: "POST", path, body });
      }
      await createPod(context, "old-1", requesting({ cpu: "500m" }));
      await noteNode(context, "old-1");
      await createPod(context, "old-2", { ...requesting({ cpu: "1500m" }) });
      await noteNode(context, "old-2");
      await createPod(context, "polite", { ...requesting({ cpu: "1" }), priorityClassName: "polite" });
      await noteUnschedulable(context, "polite");
      await createPod(context, "huge", { ...requesting({ cpu: "3" }), priorityClassName: "vip" });
      await noteUnschedulable(context, "huge");
      await createPod(context, "vip", { ...requesting({ cpu: "1" }), priorityClassName: "vip" });
      await noteEvent(context, "old-2", "Preempted");
      await noteNode(context, "vip");
      await noteNode(context, "old-1", "old-1: its node afterwards");
    },
  },
];

const LIMITS = { limits: { "example.com/gpu": "2" } };

async function grow(context: RowContext, name: string, resources: Json): Promise<void> {
  const body = { status: { capacity: resources, allocatable: resources } };
  await context.quietly({ method: "PATCH", path: `/api/v1/nodes/${name}/status`, body, contentType: MERGE });
}

async function patchNode(context: RowContext, name: string, spec: Json): Promise<void> {
  await context.quietly({ method: "PATCH", path: `/api/v1/nodes/${name}`, body: { spec }, contentType: MERGE });
}

function nodeAffinity(term: Json): Json {
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  };
}

function onNode(name: string): Json {
  return { nodeSelector: { "kubernetes.io/hostname": name } };
}

function podAffinity(kind: "podAffinity" | "podAntiAffinity", app: string, topologyKey: string): Json {
  const term = { labelSelector: { matchLabels: { app } }, topologyKey };
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

function constraint(whenUnsatisfiable: string): Json {
  return { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable, labelSelector: { matchLabels: { app: "spread" } } };
}

function listening(hostPort: number): Json {
  return {
    nodeSelector: { "kubernetes.io/hostname": "plain" },
    containers: [{ name: "main", image: "main:1", ports: [{ containerPort: 80, hostPort }] }],
  };
}
