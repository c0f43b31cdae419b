import { deepFreeze, type DeepReadonly, setCondition } from "@kubescaffold/k8s";
import { Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { type Client, controllerutil, editable, type Stored } from "../../src/index.ts";

// The compiler checks the following functions, which are never called.

export async function mutateReturnsOwned(client: Client, owner: DeepReadonly<Stored<Pod>>, pod: Pod): Promise<unknown> {
  const { createOrPatch, createOrUpdate, setControllerReference, setOwnerReference } = controllerutil;
  const spec = { restartPolicy: "Never", containers: [{ name: "main", imagePullPolicy: "Always" }] } as const;
  return await Promise.all([
    createOrUpdate(client, pod, (current) =>
      setControllerReference(owner, { ...current, spec: { restartPolicy: "Never", containers: [{ name: "main" }] } }),
    ),
    createOrPatch(client, pod, (current) =>
      setOwnerReference(owner, { ...current, spec: { restartPolicy: "Never", containers: [{ name: "main" }] } }),
    ),
    createOrUpdate(client, pod, async (current) => {
      await client.get(Pod, { namespace: "default", name: "other" });
      return setControllerReference(owner, current);
    }),
    createOrPatch(client, pod, (current) =>
      controllerutil.addFinalizer({ ...current, spec: { restartPolicy: "Always", containers: [] } }, "a/b"),
    ),
    createOrUpdate(client, pod, (current) => {
      current.spec = { ...spec, containers: [{ name: "main" }] };
    }),
    createOrUpdate(client, pod, (current) => {
      if (current.spec === undefined) return undefined;
      return current;
    }),
    createOrUpdate(client, pod),
    // @ts-expect-error -- a value that the field does not allow
    createOrUpdate(client, pod, (current) =>
      setControllerReference(owner, { ...current, spec: { restartPolicy: "Sometimes", containers: [] } }),
    ),
  ]);
}

export async function editableOfFound(client: Client): Promise<Pod | undefined> {
  const { items } = await client.list(Pod);
  return editable(items.find(({ metadata }) => metadata.name === "main"));
}

describe("everyday values", () => {
  it("a condition takes the time of a clock as it is", () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
    const ready = { type: "Ready", status: "True", reason: "Done", message: "" } as const;
    const [ofNumber, ofDate] = [clock.now(), new Date(clock.now())].map((now) => setCondition(undefined, ready, now));
    expect(ofNumber).toEqual(ofDate);
    expect(ofNumber?.conditions[0]?.lastTransitionTime).toBe("2026-01-02T03:04:05Z");
  });

  it("the editable copy of no object is undefined", () => {
    const none: DeepReadonly<Pod>[] = [];
    expect(editable(none[0])).toBeUndefined();
  });

  it("an object that is created from parts of a frozen one may be changed, and shares nothing with it", () => {
    const cached = deepFreeze(
      Pod.create({ metadata: { finalizers: ["a/b"] }, spec: { containers: [{ name: "main" }] } }),
    );
    const pod = Pod.create({ metadata: cached.metadata, spec: cached.spec ?? { containers: [] } });
    pod.metadata.finalizers?.push("c/d");
    pod.spec?.containers.push({ name: "other" });
    expect([cached.metadata.finalizers, cached.spec?.containers.length]).toEqual([["a/b"], 1]);
    expect([pod.metadata.finalizers, pod.spec?.containers.length]).toEqual([["a/b", "c/d"], 2]);
  });
});
