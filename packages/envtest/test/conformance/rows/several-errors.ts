import { gadget, pathOf } from "../kinds.ts";
import type { Answer, Json, Row, RowContext } from "../row.ts";

const CLAIM_TEMPLATE = { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaimTemplate" };

const TIME = "2026-01-01T00:00:00Z";

const OWNER = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "3b8cf2a5-0000-4000-8000-000000000001" };

const CONTAINER = { name: "a", image: "example.com/a" };

const METADATA: Readonly<Record<string, Json>> = {
  "a grace period of 0": { deletionGracePeriodSeconds: 0 },
  "a generation of 0": { generation: 0 },
  "empty lists": { finalizers: [], ownerReferences: [], managedFields: [] },
  "empty maps": { labels: {}, annotations: {} },
  "empty texts": { name: "", generateName: "", namespace: "", selfLink: "", uid: "", resourceVersion: "" },
  nulls: { creationTimestamp: null, deletionTimestamp: null, deletionGracePeriodSeconds: null },
  everything: {
    managedFields: [{ manager: "x" }],
    finalizers: ["example.com/x"],
    ownerReferences: [OWNER],
    deletionGracePeriodSeconds: 1,
    deletionTimestamp: TIME,
    creationTimestamp: TIME,
    generation: 1,
    resourceVersion: "1",
    uid: "x",
    selfLink: "x",
    namespace: "x",
    generateName: "x",
    name: "x",
  },
};

const APPLIED: Readonly<Record<string, Json>> = {
  "an element three times": { tags: ["a", "a", "b", "a"] },
  "unknown fields of elements": {
    items: [{ name: "a", x: 1 }, { name: "b", x: 1 }, { name: "c" }, { name: "d", x: 1 }],
  },
  "an element without a key": { items: [{ name: "a", x: 1 }, {}, { name: "d", x: 1 }] },
  "types of elements with the same key": {
    items: [
      { name: "a", weight: "x" },
      { name: "a", weight: "y" },
    ],
  },
};

/** Rows about requests with several errors, all of which are named. */
export const SEVERAL_ERRORS_ROWS: readonly Row[] = [
  {
    row: 543,
    title: "templates of claims have labels and annotations alone",
    run: async (context) => {
      const { namespace, quietly } = context;
      const templates = `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaimtemplates`;
      await quietly({ method: "POST", path: templates, body: claimTemplate("first", {}) });
      const { body } = await quietly({ path: `${templates}/first` });
      for (const [step, metadata] of Object.entries(METADATA)) {
        const created = claimTemplate("second", metadata);
        notePosted(
          context,
          `create with ${step}`,
          await quietly({ method: "POST", path: `${templates}?dryRun=All`, body: created }),
        );
        const updated = { ...(body as Json), spec: created["spec"] };
        notePosted(
          context,
          `update with ${step}`,
          await quietly({ method: "PUT", path: `${templates}/first?dryRun=All`, body: updated }),
        );
        const pods = `${pathOf("pods", namespace)}?dryRun=All`;
        notePosted(context, `Pod with ${step}`, await quietly({ method: "POST", path: pods, body: pod(metadata) }));
      }
    },
  },
  {
    row: 548,
    title: "resources of ephemeral containers in templates are refused although they are empty",
    run: async (context) => {
      const path = `${pathOf("podtemplates", context.namespace)}?dryRun=All`;
      for (const resources of [{}, { claims: [] }, { limits: {} }, { requests: {} }]) {
        const spec = { containers: [CONTAINER], ephemeralContainers: [{ ...CONTAINER, name: "debug", resources }] };
        const body = { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "t" }, template: { spec } };
        notePosted(context, JSON.stringify(resources), await context.quietly({ method: "POST", path, body }));
      }
    },
  },
  {
    row: 544,
    title: "an apply that cannot be merged names each error in lists",
    run: async ({ namespace, send }) => {
      const path = `${pathOf("gadgets", namespace)}/a?fieldManager=x`;
      for (const [step, spec] of Object.entries(APPLIED))
        await send(step, {
          method: "PATCH",
          path,
          contentType: "application/apply-patch+yaml",
          body: gadget("a", spec),
        });
    },
  },
];

function notePosted(context: RowContext, step: string, { status, body }: Answer): void {
  const { details } = body as { readonly details?: { readonly causes?: readonly Json[] } };
  context.note(step, { status, causes: details?.causes?.map(({ field, reason }) => [field, reason]) ?? [] });
}

function claimTemplate(name: string, metadata: Json): Json {
  const devices = { requests: [{ name: "a", exactly: { deviceClassName: "gpu.example.com" } }] };
  return { ...CLAIM_TEMPLATE, metadata: { name }, spec: { metadata, spec: { devices } } };
}

function pod(metadata: Json): Json {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const volumes = [{ name: "v", ephemeral: { volumeClaimTemplate: { metadata, spec } } }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [CONTAINER], volumes },
  };
}
