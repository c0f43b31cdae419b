import type { Json, Row, RowContext } from "../row.ts";

interface PriorityClass {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly value: number;
  readonly preemptionPolicy: string;
}

const CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

export const PRIORITY_ROWS: readonly Row[] = [
  {
    row: 193,
    title: "Pods have the priority of their PriorityClass, of which the system has two",
    // A default class changes the Pods of all namespaces.
    isAlone: true,
    run: async (tools) => {
      const { send, cleanUp, note, quietly } = tools;
      for (const name of ["high", "never", "standard", "second"]) {
        cleanUp(async () => await quietly({ method: "DELETE", path: `${CLASSES}/${name}` }));
      }
      // Their descriptions are texts of each server.
      const { items } = (await quietly({ path: CLASSES })).body as { readonly items: readonly PriorityClass[] };
      note(
        "the classes of the system",
        items.map(({ metadata, value, preemptionPolicy }) => [
          metadata.name,
          metadata.generation,
          value,
          preemptionPolicy,
        ]),
      );
      await createPod(tools, "none", {});
      await createPod(tools, "of the system", { priorityClassName: "system-cluster-critical" });
      await createPod(tools, "for nodes", { priorityClassName: "system-node-critical" });
      await createPod(tools, "unknown", { priorityClassName: "unknown" });
      await createClass(tools, "high", { value: 1000 });
      await createClass(tools, "never", { value: -5, preemptionPolicy: "Never" });
      await createPod(tools, "high", { priorityClassName: "high" });
      await createPod(tools, "never", { priorityClassName: "never" });
      await createPod(tools, "a number that differs", { priorityClassName: "high", priority: 5 });
      await createPod(tools, "the same number", { priorityClassName: "high", priority: 1000 });
      await createPod(tools, "a number without a class", { priority: 5 });
      await createPod(tools, "a policy that differs", {
        priorityClassName: "never",
        preemptionPolicy: "PreemptLowerPriority",
      });
      await createPod(tools, "the same policy", { priorityClassName: "never", preemptionPolicy: "Never" });
      await updateWithoutPriority(tools, "never");
      await createClass(tools, "standard", { value: 7, globalDefault: true });
      await createPod(tools, "of the default class", {});
      await createClass(tools, "second", { value: 8, globalDefault: true });
      await createClass(tools, "second", { value: 8 });
      await send("a second default by update", {
        method: "PATCH",
        path: `${CLASSES}/second`,
        body: { globalDefault: true },
        contentType: "application/merge-patch+json",
      });
      await send("an update of the default", {
        method: "PATCH",
        path: `${CLASSES}/standard`,
        body: { description: "Most Pods" },
        contentType: "application/merge-patch+json",
      });
      await send("the deletion of a class of the system", {
        method: "DELETE",
        path: `${CLASSES}/system-node-critical?dryRun=All`,
      });
    },
  },
];

async function updateWithoutPriority({ namespace, quietly, send }: RowContext, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const { metadata, spec, ...pod } = (await quietly({ path })).body as { readonly metadata: Json; readonly spec: Json };
  const { priority: _priority, preemptionPolicy: _policy, ...rest } = spec;
  const body = { ...pod, metadata: { ...metadata, labels: { changed: "true" } }, spec: rest };
  await send("an update without the priority", { method: "PUT", path, body });
}

async function createClass({ send }: RowContext, name: string, body: Json): Promise<void> {
  await send(`the class ${name} ${JSON.stringify(body)}`, {
    method: "POST",
    path: CLASSES,
    body: { metadata: { name }, ...body },
  });
}

async function createPod({ namespace, send }: RowContext, step: string, spec: Json): Promise<void> {
  const containers = [{ name: "c", image: "nginx" }];
  await send(`a Pod: ${step}`, {
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/pods`,
    body: {
      metadata: { name: step.replaceAll(" ", "-") },
      spec: {
        schedulerName: "none",
        serviceAccountName: "default",
        automountServiceAccountToken: false,
        containers,
        ...spec,
      },
    },
  });
}
