import type { Json, Row, RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";

export const BINDING_ROWS: readonly Row[] = [
  {
    row: 604,
    title:
      "a binding puts a pod onto a node once, with its labels and annotations, unless the pod is gated, deleted, or another one",
    run: async (context) => {
      const { namespace, send, note, quietly } = context;
      for (const path of ["bindings", "pods/<name>/binding"]) {
        const prefix = path === "bindings" ? "b" : "p";
        const bind = async (step: string, name: string, fields: Json, query = ""): Promise<void> => {
          const folder = `/api/v1/namespaces/${namespace}/${path.replace("<name>", name)}${query}`;
          await send(`${path}: ${step}`, { method: "POST", path: folder, body: binding(name, fields) });
        };
        for (const name of ["free", "gated", "ending"]) await createPod(context, `${prefix}-${name}`);
        const free = `${prefix}-free`;
        await bind("another name", free, { metadata: { name: "other" } });
        await bind("no node", free, { target: { kind: "Node" } });
        await bind("no node, and another kind", free, { target: { kind: "Pod" } });
        await bind("no kind", free, { target: { name: "node-7" } }, "?dryRun=All");
        await bind("another uid", free, { metadata: { name: free, uid: "other" } });
        await bind("a version that is not current", free, { metadata: { name: free, resourceVersion: "1" } });
        await bind("a gated pod", `${prefix}-gated`, {});
        await quietly({ method: "DELETE", path: `/api/v1/namespaces/${namespace}/pods/${prefix}-ending` });
        await bind("a deleted pod", `${prefix}-ending`, {});
        const labels = { metadata: { name: free, labels: { app: "b", more: "c" }, annotations: { note: "d" } } };
        await bind("a pod", free, labels);
        const { metadata, spec, status } = (await quietly({ path: `/api/v1/namespaces/${namespace}/pods/${free}` }))
          .body as Readonly<Record<string, Json>>;
        const { labels: merged, annotations } = metadata ?? {};
        const conditions = (status?.["conditions"] as readonly Json[] | undefined) ?? [];
        note(`${path}: bound`, {
          labels: merged,
          annotations: annotations ?? {},
          nodeName: spec?.["nodeName"],
          conditions: conditions.filter(({ type }) => type === "PodScheduled").map((each) => each["status"]),
        });
        await bind("a pod that is bound", free, {});
        const ending = `/api/v1/namespaces/${namespace}/pods/${prefix}-ending`;
        await quietly({ method: "PATCH", path: ending, body: { metadata: { finalizers: null } }, contentType: MERGE });
      }
    },
  },
];

function binding(name: string, fields: Json): Json {
  return { metadata: { name }, target: { apiVersion: "v1", kind: "Node", name: "node-7" }, ...fields };
}

async function createPod({ namespace, quietly }: RowContext, name: string): Promise<void> {
  const gates = name.endsWith("gated") ? { schedulingGates: [{ name: "example.com/gate" }] } : {};
  const finalizers = name.endsWith("ending") ? { finalizers: ["example.com/held"] } : {};
  await quietly({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/pods`,
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { app: "a" }, ...finalizers },
      // No scheduler has this name.
      spec: { containers: [{ name: "c", image: "busybox:1" }], schedulerName: "nobody", ...gates },
    },
  });
}
