import { objectOf, type Json, type Row, type RowContext } from "../row.ts";

const CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";

/** Rows about RuntimeClasses, and smaller kinds of the whole cluster. */
export const RUNTIME_CLASS_ROWS: readonly Row[] = [
  {
    row: 382,
    title: "a pod gets the overhead, node selector, and tolerations of its runtime class",
    run: async (tools) => {
      const { namespace, note, cleanUp, quietly } = tools;
      const name = `row-${namespace}`;
      cleanUp(() => quietly({ method: "DELETE", path: `${CLASSES}/${name}` }));
      const toleration = { key: "sandbox", operator: "Exists" };
      await quietly({
        method: "POST",
        path: CLASSES,
        body: {
          apiVersion: "node.k8s.io/v1",
          kind: "RuntimeClass",
          metadata: { name },
          handler: "sandbox",
          overhead: { podFixed: { cpu: "250m", memory: "64Mi" } },
          scheduling: { nodeSelector: { sandbox: "yes" }, tolerations: [toleration] },
        },
      });
      const specs = {
        plain: {},
        tolerant: { tolerations: [{ key: "sandbox", operator: "Equal", value: "a", effect: "NoSchedule" }] },
        conflicting: { nodeSelector: { sandbox: "no" } },
        heavier: { overhead: { cpu: "1" } },
        weightless: { overhead: {} },
      };
      for (const [pod, spec] of Object.entries(specs)) note(pod, await podWith(tools, pod, name, spec));
      note("with a class that does not exist", await podWith(tools, "absent", "row-absent", {}));
      note("with an overhead of its own", await podWith(tools, "own", undefined, { overhead: { cpu: "1" } }));
      note("with an empty overhead of its own", await podWith(tools, "own", undefined, { overhead: {} }));
      await podWith(tools, "bare", undefined, {});
      const path = `/api/v1/namespaces/${namespace}/pods/bare`;
      const { body } = await quietly({ path });
      const { spec, ...bare } = body as { readonly spec: Json };
      const changed = await quietly({ method: "PUT", path, body: { ...bare, spec: { ...spec, overhead: {} } } });
      note("an empty overhead in an update", {
        status: changed.status,
        isStored: "overhead" in (objectOf(changed).spec as Json),
      });
    },
  },
  {
    row: 383,
    title: "the name of an IPAddress is an address in canonical form",
    run: async ({ send, quietly, cleanUp }) => {
      const parentRef = { resource: "services", namespace: "default", name: "row" };
      for (const name of ["203.0.113.7", "2001:db8::7", "2001:DB8::8", "203.0.113", "203.0.113.07"]) {
        const body = { apiVersion: "networking.k8s.io/v1", kind: "IPAddress", metadata: { name }, spec: { parentRef } };
        cleanUp(() => quietly({ method: "DELETE", path: `${ADDRESSES}/${name}` }));
        await send(name, { method: "POST", path: ADDRESSES, body });
      }
    },
  },
  {
    row: 385,
    title: "the value and the preemption policy of a priority class cannot change",
    run: async ({ namespace, send, quietly, cleanUp }) => {
      const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
      const metadata = { name: `row-${namespace}` };
      cleanUp(() => quietly({ method: "DELETE", path: `${path}/${metadata.name}` }));
      const body = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata, value: 5 };
      await quietly({ method: "POST", path, body });
      for (const change of [{ value: 6 }, { preemptionPolicy: "Never" }, { description: "changed" }]) {
        await send(JSON.stringify(change), {
          method: "PATCH",
          path: `${path}/${metadata.name}`,
          body: change,
          contentType: "application/merge-patch+json",
        });
      }
    },
  },
  {
    row: 384,
    title: "a CSINode may have no drivers",
    run: async ({ namespace, send, quietly, cleanUp }) => {
      const path = "/apis/storage.k8s.io/v1/csinodes";
      for (const [step, spec] of Object.entries({ none: { drivers: null }, empty: { drivers: [] } })) {
        const name = `${step}-${namespace}`;
        cleanUp(() => quietly({ method: "DELETE", path: `${path}/${name}` }));
        const body = { apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name }, spec };
        await send(step, { method: "POST", path, body });
      }
    },
  },
];

async function podWith(
  { namespace, quietly }: RowContext,
  name: string,
  runtimeClassName: string | undefined,
  spec: object,
): Promise<unknown> {
  const { status, body } = await quietly({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/pods`,
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: {
        ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
        containers: [{ name: "main", image: "main:1" }],
        schedulerName: "none",
        ...spec,
      },
    },
  });
  const answer = body as { readonly message?: string; readonly spec?: Readonly<Record<string, unknown>> };
  if (status !== 201) return { status, message: answer.message?.replaceAll(namespace, "<namespace>") };
  const { overhead, nodeSelector, tolerations } = answer.spec ?? {};
  return { status, overhead, nodeSelector, tolerations };
}
