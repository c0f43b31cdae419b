import type { Json, Row, RowContext } from "../row.ts";

export const LIMIT_RANGE_ROWS: readonly Row[] = [
  {
    row: 190,
    title: "a LimitRange has defaults, and adds requests and limits to containers without them",
    run: async (tools) => {
      const { send } = tools;
      await createLimits(tools, "compute", [
        { type: "Container", default: { cpu: "200m", memory: "64Mi" }, defaultRequest: { cpu: "100m" } },
      ]);
      await createPod(tools, "bare", [{}]);
      await createPod(tools, "some", [
        { limits: { cpu: "300m" } },
        { requests: { memory: "16Mi", cpu: "50m" } },
        { limits: { cpu: "1", memory: "1Gi", "ephemeral-storage": "1Gi" } },
      ]);
      await createPod(tools, "with init containers", [{}], { initContainers: [container("init", {})] });
      await createPod(tools, "in dry run", [{}], {}, "?dryRun=All");
      await createLimits(tools, "storage", [{ type: "Container", default: { "ephemeral-storage": "1Gi" } }]);
      await createPod(tools, "of two ranges", [{ limits: { cpu: "1", memory: "1Gi" } }]);
      await send("an update of the image", {
        method: "PATCH",
        path: `${podsOf(tools)}/bare`,
        body: { spec: { containers: [{ name: "c0", image: "other" }] } },
        contentType: "application/strategic-merge-patch+json",
      });
    },
  },
  {
    row: 191,
    title: "a LimitRange refuses containers, Pods, and claims below its minimum and above its maximum",
    run: async (tools) => {
      await createLimits(tools, "compute", [
        {
          type: "Container",
          min: { cpu: "100m", memory: "16Mi" },
          max: { cpu: "1", memory: "1Gi" },
          default: { cpu: "500m", memory: "64Mi" },
          defaultRequest: { cpu: "200m", memory: "32Mi" },
          maxLimitRequestRatio: { cpu: "4" },
        },
        { type: "Pod", max: { cpu: "1500m" }, min: { memory: "64Mi" } },
        { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "10Gi" } },
      ]);
      await createPod(tools, "valid", [{}, {}]);
      await createPod(tools, "below the minimum", [{ requests: { cpu: "50m" } }, {}]);
      await createPod(tools, "limit below the minimum", [{ limits: { cpu: "50m" } }, {}]);
      await createPod(tools, "above the maximum", [{ limits: { cpu: "2" } }, {}]);
      await createPod(tools, "request above the maximum", [
        { requests: { memory: "2Gi" }, limits: { memory: "3Gi" } },
        {},
      ]);
      await createPod(tools, "too large a ratio", [{ requests: { cpu: "110m" }, limits: { cpu: "700m" } }, {}]);
      await createPod(tools, "too large a Pod", [{}, {}, {}, {}]);
      await createPod(tools, "too small a Pod", [{ requests: { memory: "16Mi" } }]);
      await createPod(tools, "several reasons", [{ requests: { cpu: "10m" }, limits: { cpu: "3" } }]);
      await createPod(tools, "an init container", [{}, {}], {
        initContainers: [container("init", { limits: { cpu: "5" } })],
      });
      await createPod(tools, "a sidecar", [{}, {}], {
        initContainers: [{ ...container("init", { limits: { cpu: "1" } }), restartPolicy: "Always" }],
      });
      await createPod(tools, "resources of the Pod", [{}, {}], { resources: { limits: { cpu: "2" } } });
      for (const storage of ["512Mi", "1Gi", "10Gi", "11Gi"]) await createClaim(tools, storage);
      await tools.send("a Deployment is not checked", {
        method: "POST",
        path: `/apis/apps/v1/namespaces/${tools.namespace}/deployments`,
        body: {
          metadata: { name: "large" },
          spec: {
            replicas: 0,
            selector: { matchLabels: { a: "b" } },
            template: {
              metadata: { labels: { a: "b" } },
              spec: { containers: [container("c", { limits: { cpu: "9" } })] },
            },
          },
        },
      });
    },
  },
  {
    row: 192,
    title: "maximum and minimum of a LimitRange are defaults, and what they refuse if nothing is specified",
    run: async (tools) => {
      await createLimits(tools, "maximum", [{ type: "Container", max: { cpu: "1" } }]);
      await createPod(tools, "nothing", [{}]);
      await tools.send("a deletion", {
        method: "DELETE",
        path: `/api/v1/namespaces/${tools.namespace}/limitranges/maximum`,
      });
      await createLimits(tools, "minimum", [
        { type: "Container", min: { memory: "1Gi" }, max: { "example.com/gpu": "1" } },
      ]);
      await createPod(tools, "nothing of two resources", [{}]);
      await createLimits(tools, "pods", [
        { type: "Pod", max: { memory: "2Gi" }, maxLimitRequestRatio: { memory: "2" } },
      ]);
      await untilRefused(tools);
      await createPod(tools, "no limit of the Pod", [{}]);
      await tools.send("a LimitRange with wrong values", {
        method: "POST",
        path: `/api/v1/namespaces/${tools.namespace}/limitranges`,
        body: {
          metadata: { name: "wrong" },
          spec: {
            limits: [
              { type: "Container", min: { cpu: "2" }, max: { cpu: "1" } },
              { type: "Container", maxLimitRequestRatio: { memory: "0.5" } },
              { type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "2" } },
              { type: "PersistentVolumeClaim", max: { cpu: "1" } },
              { type: "example.com/other", default: { cpu: "1" }, defaultRequest: { cpu: "2" }, max: { cpu: "500m" } },
              { type: "example.com/ratio", min: { cpu: "1" }, max: { cpu: "3" }, maxLimitRequestRatio: { cpu: "4" } },
            ],
          },
        },
      });
    },
  },
];

function container(name: string, resources: Json): Json {
  return { name, image: "nginx", resources };
}

const podsOf = ({ namespace }: RowContext): string => `/api/v1/namespaces/${namespace}/pods`;

async function createLimits({ namespace, send }: RowContext, name: string, limits: readonly Json[]): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/limitranges`;
  await send(`the LimitRange ${name}`, {
    method: "POST",
    path,
    body: { metadata: { name }, spec: { limits: [...limits] } },
  });
}

// Admission reads limits from a watch of its own.
async function untilRefused(tools: RowContext): Promise<void> {
  const body = { metadata: { name: "tried" }, spec: { containers: [container("c", {})] } };
  await tools.eventually({ method: "POST", path: `${podsOf(tools)}?dryRun=All`, body }, ({ status }) => status === 403);
}

async function createPod(
  tools: RowContext,
  step: string,
  resources: readonly Json[],
  spec: Json = {},
  query = "",
): Promise<void> {
  const containers = resources.map((each, index) => container(`c${String(index)}`, each));
  const body = {
    metadata: { name: step.toLowerCase().replaceAll(" ", "-") },
    spec: {
      schedulerName: "none",
      serviceAccountName: "default",
      automountServiceAccountToken: false,
      containers,
      ...spec,
    },
  };
  await tools.send(`a Pod: ${step}`, { method: "POST", path: `${podsOf(tools)}${query}`, body });
}

async function createClaim({ namespace, send }: RowContext, storage: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage } } };
  await send(`a claim of ${storage}`, {
    method: "POST",
    path,
    body: { metadata: { name: storage.toLowerCase() }, spec },
  });
}
