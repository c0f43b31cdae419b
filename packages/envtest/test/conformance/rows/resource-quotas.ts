import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";

export const RESOURCE_QUOTA_ROWS: readonly Row[] = [
  {
    row: 230,
    title: "a ResourceQuota counts the requests and limits of Pods, and refuses those that exceed it",
    needs: ["controllers"],
    run: async (tools) => {
      const { note } = tools;
      await createQuota(tools, "compute", {
        hard: { "requests.cpu": "1", "limits.cpu": "2", memory: "1Gi", pods: "3", "requests.example.com/gpu": "2" },
      });
      const small = { requests: { cpu: "300m", memory: "128Mi" }, limits: { cpu: "500m" } };
      await createPod(tools, "without requests", [{}, { requests: { cpu: "100m" } }]);
      await createPod(tools, "in dry run", [small], {}, "?dryRun=All");
      await createPod(tools, "first", [small, small]);
      await untilUsed(tools, "compute", { "requests.cpu": "600m", pods: "1" });
      await createPod(tools, "too much CPU", [{ ...small, requests: { cpu: "500m", memory: "128Mi" } }]);
      await createPod(tools, "too much of several", [
        { requests: { cpu: "500m", memory: "2Gi" }, limits: { cpu: "1500m" } },
      ]);
      await createPod(tools, "an extended resource", [
        {
          requests: { ...small.requests, "example.com/gpu": "3" },
          limits: { ...small.limits, "example.com/gpu": "3" },
        },
      ]);
      await createPod(tools, "a small init container", [small], { initContainers: [container("init", small)] });
      await untilUsed(tools, "compute", { "requests.cpu": "900m", pods: "2" });
      await createPod(tools, "a large init container", [small], {
        initContainers: [container("init", { ...small, requests: { cpu: "800m", memory: "1Mi" } })],
      });
      const refused = await tools.quietly({
        method: "POST",
        path: podsOf(tools),
        body: podOf({ generateName: "generated-" }, [small]),
      });
      note("a generated name", String(objectOf(refused)["message"]).replace(/(?<=generated-)\w{5}/u, "<5>"));
      await tools.quietly({ method: "DELETE", path: `${podsOf(tools)}/first?gracePeriodSeconds=0` });
      await untilUsed(tools, "compute", { "requests.cpu": "300m", pods: "1" });
      await createPod(tools, "resources of the Pod", [{}], {
        resources: { requests: { cpu: "400m", memory: "64Mi" }, limits: { cpu: "800m" } },
      });
      await untilUsed(tools, "compute", { "requests.cpu": "700m", pods: "2" });
      await tools.send("the status after all", { path: quotaPath(tools, "compute") });
      await tools.send("a change of the limits", {
        method: "PATCH",
        path: quotaPath(tools, "compute"),
        body: { spec: { hard: { "requests.cpu": null, pods: "1" } } },
        contentType: "application/merge-patch+json",
      });
      await tools.eventually(
        { path: quotaPath(tools, "compute") },
        (answer) => statusOf(answer, "hard")["pods"] === "1",
      );
      await tools.send("the status after the change", { path: quotaPath(tools, "compute") });
    },
  },
  {
    row: 231,
    title: "a ResourceQuota counts objects, types of Services, and storage",
    needs: ["controllers"],
    run: async (tools) => {
      const { send, quietly, note, namespace } = tools;
      await createQuota(tools, "objects", {
        hard: {
          secrets: "1",
          "count/deployments.apps": "1",
          "count/widgets.conformance.example.com": "5",
          "count/unknown.example.com": "5",
          "count/events": "5",
          services: "3",
          "services.nodeports": "3",
          "services.loadbalancers": "1",
          persistentvolumeclaims: "3",
          "requests.storage": "10Gi",
          "gold.storageclass.storage.k8s.io/requests.storage": "5Gi",
        },
      });
      const create = async (step: string, path: string, body: Json): Promise<unknown> =>
        send(step, { method: "POST", path, body });
      const core = `/api/v1/namespaces/${namespace}`;
      for (const name of ["one", "two"]) await create(`the Secret ${name}`, `${core}/secrets`, { metadata: { name } });
      const apps = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      for (const name of ["one", "two"]) await create(`the Deployment ${name}`, apps, deployment(name));
      // Addresses and node ports of Services are random.
      const createService = async (step: string, body: Json): Promise<void> => {
        const { status, body: answered } = await quietly({ method: "POST", path: `${core}/services`, body });
        note(step, [status, (answered as Json)["message"] ?? ""]);
      };
      await createService("two node ports", service("node-ports", "NodePort", 2));
      await createService("two more", service("too-many", "NodePort", 2));
      await createService("a load balancer", service("balanced", "LoadBalancer", 1));
      await createService("another one", {
        ...service("balanced-too", "LoadBalancer", 1),
        spec: { ...(service("balanced-too", "LoadBalancer", 1)["spec"] as Json), allocateLoadBalancerNodePorts: false },
      });
      await createService("a cluster IP", service("internal", "ClusterIP", 1));
      await send("becomes a node port", {
        method: "PATCH",
        path: `${core}/services/internal`,
        body: { spec: { type: "NodePort" } },
        contentType: "application/merge-patch+json",
      });
      const claims = `${core}/persistentvolumeclaims`;
      await create("a claim", claims, claim("plain", "3Gi", ""));
      await create("a claim of a class", claims, claim("golden", "4Gi", "gold"));
      await create("too much of the class", claims, claim("golden-too", "2Gi", "gold"));
      await create("too much at all", claims, claim("large", "4Gi", ""));
      await untilUsed(tools, "objects", { "requests.storage": "7Gi", "services.nodeports": "3", secrets: "1" });
      await send("the status", { path: quotaPath(tools, "objects") });
    },
  },
  {
    row: 232,
    title: "scopes of a ResourceQuota select the Pods and claims that it counts",
    needs: ["controllers"],
    run: async (tools) => {
      await createQuota(tools, "best-effort", { hard: { pods: "1" }, scopes: ["BestEffort"] });
      await createQuota(tools, "limited", { hard: { pods: "1", cpu: "1" }, scopes: ["Terminating", "NotBestEffort"] });
      await createQuota(tools, "high", {
        hard: { pods: "1" },
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["system-cluster-critical"] }],
        },
      });
      await createQuota(tools, "affine", { hard: { pods: "0" }, scopes: ["CrossNamespacePodAffinity"] });
      const some = { requests: { cpu: "100m" } };
      await createPod(tools, "best effort", [{}]);
      await createPod(tools, "best effort again", [{}]);
      await createPod(tools, "neither", [some]);
      await createPod(tools, "with a deadline", [some], { activeDeadlineSeconds: 600 });
      await createPod(tools, "with a deadline again", [some], { activeDeadlineSeconds: 600 });
      await createPod(tools, "gets a deadline", [some]);
      await tools.send("a deadline for a running Pod", {
        method: "PATCH",
        path: `${podsOf(tools)}/gets-a-deadline`,
        body: { spec: { activeDeadlineSeconds: 60 } },
        contentType: "application/merge-patch+json",
      });
      await createPod(tools, "critical", [some], { priorityClassName: "system-cluster-critical" });
      await createPod(tools, "critical again", [some], { priorityClassName: "system-cluster-critical" });
      await createPod(tools, "affine to another namespace", [some], {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "zone", namespaces: ["other"], labelSelector: { matchLabels: { a: "b" } } },
            ],
          },
        },
      });
      for (const name of ["best-effort", "limited", "high", "affine"]) {
        await tools.send(`the quota ${name} after all`, { path: quotaPath(tools, name) });
      }
    },
  },
  {
    row: 233,
    title: "names, amounts, and scopes of a ResourceQuota are validated",
    needs: ["controllers"],
    run: async (tools) => {
      const wrong: readonly (readonly [string, Json])[] = [
        ["unknown name", { hard: { "requests.gpu": "1" } }],
        ["storage", { hard: { storage: "1Gi" } }],
        ["negative", { hard: { pods: "-1" } }],
        ["fraction of a Pod", { hard: { pods: "1.5" } }],
        ["fraction of an extended resource", { hard: { "example.com/gpu": "0.5" } }],
        ["no qualified name", { hard: { "a/b/c": "1" } }],
        ["unsupported scope", { hard: { pods: "1" }, scopes: ["Other"] }],
        ["scope of other resources", { hard: { configmaps: "1" }, scopes: ["BestEffort"] }],
        ["best effort CPU", { hard: { cpu: "1" }, scopes: ["BestEffort"] }],
        ["conflict", { hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] }],
        ["operator of a scope", selector({ scopeName: "Terminating", operator: "In", values: ["a"] })],
        ["no values", selector({ scopeName: "PriorityClass", operator: "In" })],
        ["values without need", selector({ scopeName: "PriorityClass", operator: "Exists", values: ["a"] })],
        ["unknown operator", selector({ scopeName: "PriorityClass", operator: "Equals" })],
        ["unknown scope", selector({ scopeName: "Other", operator: "Exists" })],
        [
          "conflicting selectors",
          selector(
            { scopeName: "Terminating", operator: "Exists" },
            { scopeName: "NotTerminating", operator: "Exists" },
          ),
        ],
      ];
      for (const [step, spec] of wrong) await sendQuota(tools, step, "wrong", spec);
      await sendQuota(tools, "more requests than limits", "unwise", {
        hard: { cpu: "2", "limits.cpu": "1", "requests.ephemeral-storage": "2Gi", "limits.ephemeral-storage": "1Gi" },
      });
      await createQuota(tools, "scoped", { hard: { pods: "1000m" }, scopes: ["NotTerminating"] });
      await tools.send("a change of scopes", {
        method: "PATCH",
        path: quotaPath(tools, "scoped"),
        body: { spec: { scopes: ["Terminating"] } },
        contentType: "application/merge-patch+json",
      });
      await tools.send("a status", {
        method: "PATCH",
        path: `${quotaPath(tools, "scoped")}/status`,
        body: { status: { used: { pods: "-3" } } },
        contentType: "application/merge-patch+json",
      });
      await tools.send("a deletion", { method: "DELETE", path: quotaPath(tools, "scoped") });
    },
  },
];

function selector(...matchExpressions: readonly Json[]): Json {
  return { hard: { pods: "1" }, scopeSelector: { matchExpressions: [...matchExpressions] } };
}

function container(name: string, resources: Json): Json {
  return { name, image: "nginx", resources };
}

function deployment(name: string): Json {
  return {
    metadata: { name },
    spec: {
      replicas: 0,
      selector: { matchLabels: { name } },
      template: { metadata: { labels: { name } }, spec: { containers: [container("c", {})] } },
    },
  };
}

function service(name: string, type: string, ports: number): Json {
  const list = Array.from({ length: ports }, (_, index) => ({ name: `p${String(index)}`, port: 80 + index }));
  return { metadata: { name }, spec: { type, ports: list, selector: { name } } };
}

function claim(name: string, storage: string, storageClassName: string): Json {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } },
  };
}

const podsOf = ({ namespace }: RowContext): string => `/api/v1/namespaces/${namespace}/pods`;

function quotaPath({ namespace }: RowContext, name: string): string {
  return `/api/v1/namespaces/${namespace}/resourcequotas/${name}`;
}

async function sendQuota({ namespace, send }: RowContext, step: string, name: string, spec: Json): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  await send(step, { method: "POST", path, body: { metadata: { name }, spec } });
}

async function createQuota(tools: RowContext, name: string, spec: Json): Promise<void> {
  await sendQuota(tools, `the quota ${name}`, name, spec);
  const { hard } = spec as { readonly hard: Json };
  await tools.eventually(
    { path: quotaPath(tools, name) },
    (answer) => Object.keys(statusOf(answer, "hard")).length === Object.keys(hard).length,
  );
  await untilAdmissionKnows(tools);
}

// Admission of a real server reads quotas from its cache. What it sees last is a quota that allows nothing.
async function untilAdmissionKnows(tools: RowContext): Promise<void> {
  const { namespace, quietly, eventually } = tools;
  const [quotas, name] = [`/api/v1/namespaces/${namespace}/resourcequotas`, "probe"];
  await quietly({
    method: "POST",
    path: quotas,
    body: { metadata: { name }, spec: { hard: { "count/leases.coordination.k8s.io": "0" } } },
  });
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases?dryRun=All`;
  const probe = { method: "POST" as const, path: leases, body: { metadata: { name } } };
  await eventually(probe, ({ status, body }) => status === 403 && JSON.stringify(body).includes("exceeded"));
  await quietly({ method: "DELETE", path: `${quotas}/${name}` });
  await eventually(probe, ({ status }) => status === 201);
}

function statusOf(answer: Answer, field: "hard" | "used"): Json {
  return (objectOf(answer).status?.[field] ?? {}) as Json;
}

async function untilUsed(tools: RowContext, name: string, used: Json): Promise<void> {
  const answer = await tools.eventually({ path: quotaPath(tools, name) }, (each) =>
    Object.entries(used).every(([resource, amount]) => statusOf(each, "used")[resource] === amount),
  );
  tools.note(`used of ${name}: ${JSON.stringify(used)}`, statusOf(answer, "used"));
  await untilAdmissionKnows(tools);
}

async function createPod(
  tools: RowContext,
  step: string,
  resources: readonly Json[],
  spec: Json = {},
  query = "",
): Promise<void> {
  const body = podOf({ name: step.toLowerCase().replaceAll(" ", "-") }, resources, spec);
  await tools.send(`a Pod: ${step}`, { method: "POST", path: `${podsOf(tools)}${query}`, body });
}

function podOf(metadata: Json, resources: readonly Json[], spec: Json = {}): Json {
  const containers = resources.map((each, index) => container(`c${String(index)}`, each));
  return {
    metadata,
    spec: {
      schedulerName: "none",
      serviceAccountName: "default",
      automountServiceAccountToken: false,
      containers,
      ...spec,
    },
  };
}
