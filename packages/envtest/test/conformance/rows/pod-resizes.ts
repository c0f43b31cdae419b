import { objectOf, type Json, type Row, type RowContext } from "../row.ts";

const STRATEGIC = "application/strategic-merge-patch+json";
const MERGE = "application/merge-patch+json";

export const POD_RESIZE_ROWS: readonly Row[] = [
  {
    row: 432,
    title: "the subresource resize changes the resources of containers, and nothing else",
    run: async (tools) => {
      await createPod(tools, "burstable", {
        containers: [
          { name: "first", image: "main:1", resources: { requests: { cpu: "1", memory: "1Gi" } } },
          { name: "second", image: "main:1", resources: { limits: { cpu: "2", "ephemeral-storage": "1Gi" } } },
        ],
        initContainers: [
          { name: "init", image: "init:1", resources: { requests: { cpu: "1" } } },
          { name: "sidecar", image: "side:1", restartPolicy: "Always", resources: { requests: { cpu: "1" } } },
        ],
      });
      const first = (resources: Json): Json => ({ containers: [{ name: "first", resources }] });
      await resize(tools, "more", first({ requests: { cpu: "1500m" }, limits: { cpu: "2" } }));
      await resize(tools, "other fields", { ...first({ requests: { cpu: "1600m" } }), priorityClassName: "x" });
      await resize(tools, "other fields of a container", {
        containers: [{ name: "first", image: "other:1", resources: { requests: { cpu: "1700m" } } }],
      });
      await resize(tools, "labels", first({ requests: { cpu: "1800m" } }), { labels: { a: "b" } });
      await resize(tools, "a request above its limit", first({ requests: { cpu: "3" } }));
      await resize(tools, "a removed request", first({ requests: { memory: null } }));
      await resize(tools, "a removed limit", first({ limits: { cpu: null } }));
      await resize(tools, "another resource", first({ requests: { "ephemeral-storage": "1Gi" } }));
      await resize(tools, "another policy", {
        containers: [{ name: "first", resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }],
      });
      await resize(tools, "an init container", {
        initContainers: [{ name: "init", resources: { requests: { cpu: "2" } } }],
      });
      await resize(tools, "a sidecar", {
        initContainers: [{ name: "sidecar", resources: { requests: { cpu: "2" } } }],
      });
      await resize(tools, "another container", { containers: [{ name: "third", image: "main:1" }] });
      await rename(tools);
      await createPod(tools, "best", { containers: [{ name: "first", image: "main:1" }] });
      await resize(tools, "another class", first({ requests: { cpu: "1" } }), {}, "best");
      const amounts = { cpu: "1", memory: "1Gi" };
      await createPod(tools, "guaranteed", {
        containers: [{ name: "first", image: "main:1", resources: { requests: amounts, limits: amounts } }],
      });
      await resize(tools, "the same class", first({ requests: { cpu: "2" }, limits: { cpu: "2" } }), {}, "guaranteed");
      await resize(tools, "a lower class", first({ limits: { cpu: "3" } }), {}, "guaranteed");
      await createPod(tools, "whole", {
        resources: { requests: amounts },
        containers: [{ name: "first", image: "main:1" }],
      });
      await resize(tools, "resources of a Pod", first({ requests: { cpu: "500m" } }), {}, "whole");
    },
  },
  {
    row: 433,
    title: "the subresource ephemeralcontainers adds containers, and changes nothing else",
    run: async (tools) => {
      await createPod(tools, "burstable", { containers: [{ name: "first", image: "main:1" }] });
      const added = { name: "debug", image: "debug:1" };
      const path = `${podPath(tools, "burstable")}/ephemeralcontainers`;
      const patch = async (step: string, spec: Json, metadata: Json = {}, contentType = STRATEGIC): Promise<void> => {
        const answer = await tools.quietly({ method: "PATCH", path, body: { metadata, spec }, contentType });
        tools.note(step, shown(objectOf(answer), answer.status));
      };
      await patch("a container", { ephemeralContainers: [added] });
      await patch("labels and other fields", { activeDeadlineSeconds: 5 }, { labels: { a: "b" } });
      await patch("another one with ports", {
        ephemeralContainers: [{ ...added, name: "ports", ports: [{ containerPort: 1 }] }],
      });
      await patch("none", { ephemeralContainers: [] }, {}, MERGE);
    },
  },
];

function podPath({ namespace }: RowContext, name: string): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

async function createPod(tools: RowContext, name: string, spec: Json): Promise<void> {
  const path = `/api/v1/namespaces/${tools.namespace}/pods`;
  await tools.quietly({ method: "POST", path, body: { metadata: { name }, spec: { schedulerName: "none", ...spec } } });
}

async function resize(
  tools: RowContext,
  step: string,
  spec: Json,
  metadata: Json = {},
  name = "burstable",
): Promise<void> {
  const path = `${podPath(tools, name)}/resize`;
  const answer = await tools.quietly({ method: "PATCH", path, body: { metadata, spec }, contentType: STRATEGIC });
  tools.note(step, shown(objectOf(answer), answer.status));
}

async function rename(tools: RowContext): Promise<void> {
  const pod = objectOf(await tools.quietly({ path: podPath(tools, "burstable") }));
  const containers = (pod.spec?.["containers"] ?? []) as readonly Json[];
  const body = { ...pod, spec: { ...pod.spec, containers: containers.toReversed() } };
  const answer = await tools.quietly({ method: "PUT", path: `${podPath(tools, "burstable")}/resize`, body });
  tools.note("other containers first", shown(objectOf(answer), answer.status));
}

function shown(answer: Json, status: number): Json {
  const { message, details, metadata, spec } = answer as {
    readonly message?: string;
    readonly details?: { readonly causes?: unknown };
    readonly metadata?: Json;
    readonly spec?: Json;
  };
  return {
    status,
    message,
    causes: details?.causes,
    labels: metadata?.["labels"],
    generation: metadata?.["generation"],
    spec: spec === undefined ? undefined : { ...spec, volumes: undefined },
  };
}
