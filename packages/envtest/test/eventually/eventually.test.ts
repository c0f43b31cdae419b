import { isConflict, isNotFound } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { eventually } from "../../src/eventually/eventually.ts";
import { EventuallyTimeoutError } from "../../src/failures/errors.ts";
import { createFakeClient } from "../../src/fake-client/fake-client.ts";
import { Widget, widget } from "../fake-client/sample-kinds.ts";

const KEY = { namespace: "default", name: "a" };
const SHORT = { timeoutMs: 60, intervalMs: 5 };

describe("eventually", () => {
  it("returns an object as soon as it exists and meets the condition", async () => {
    const client = createFakeClient({ kinds: [Widget] });
    const reading = eventually(client).get(Widget, KEY, ({ spec }) => spec?.size === 2);
    const created = await client.create(widget("a", { spec: { size: 1 } }));
    await client.update({ ...created, spec: { size: 2 } });
    expect((await reading).spec).toEqual({ size: 2 });
  });

  it("returns a list as soon as it meets the condition", async () => {
    const client = createFakeClient({ kinds: [Widget] });
    const reading = eventually(client).list(Widget, { namespace: "default" }, ({ items }) => items.length === 2);
    await client.create(widget("a"));
    await client.create(widget("b"));
    expect((await reading).items).toHaveLength(2);
  });

  it("updates an object in spite of conflicts", async () => {
    let conflicts = 2;
    const client = createFakeClient({
      objects: [widget("a", { spec: { size: 1 } })],
      interceptors: {
        client: (underlying) => ({
          update: async (object, options) => {
            if (conflicts-- > 0) {
              const labels = { attempt: String(conflicts) };
              const current = await underlying.get(Widget, KEY);
              await underlying.update({ ...current, metadata: { ...current.metadata, labels } });
            }
            return underlying.update(object, options);
          },
        }),
      },
    });
    const updated = await eventually(client).update(Widget, KEY, (object) => ({ ...object, spec: { size: 2 } }));
    expect(updated).toMatchObject({ spec: { size: 2 }, metadata: { labels: { attempt: "0" } } });
  });

  it("updates the status only", async () => {
    const client = createFakeClient({ objects: [widget("a", { spec: { size: 1 } })], statusSubresources: [Widget] });
    const change = (object: Widget): Widget => ({ ...object, spec: { size: 2 }, status: { ready: 1 } });
    await eventually(client).updateStatus(Widget, KEY, change);
    expect(await client.get(Widget, KEY)).toMatchObject({ spec: { size: 1 }, status: { ready: 1 } });
  });

  it("fails with the last error after the timeout", async () => {
    const client = createFakeClient();
    const failing = eventually(client, SHORT).get(ConfigMap, KEY);
    await expect(failing).rejects.toThrow(EventuallyTimeoutError);
    await expect(failing).rejects.toThrow(
      'timed out waiting for the condition of ConfigMap default/a after 60 ms: configmaps "a" not found',
    );
    await expect(failing).rejects.toSatisfy((error: Error) => isNotFound(error.cause));
  });

  it("reports a false condition, and a client that does not respond", async () => {
    const client = createFakeClient({ objects: [widget("a")] });
    await expect(eventually(client, SHORT).get(Widget, KEY, () => false)).rejects.toThrow("the condition is false");
    const silent = createFakeClient({
      interceptors: { client: () => ({ list: () => new Promise<never>(() => {}) }) },
    });
    await expect(eventually(silent, SHORT).list(ConfigMap)).rejects.toThrow("no response");
  });

  it("reports the conflict that did not end", async () => {
    const client = createFakeClient({ objects: [widget("a")] });
    const change = (object: Widget): Widget => ({
      ...object,
      metadata: { ...object.metadata, resourceVersion: "1" },
    });
    await expect(eventually(client, SHORT).update(Widget, KEY, change)).rejects.toSatisfy((error: Error) =>
      isConflict(error.cause),
    );
  });

  it("does not retry errors of a condition or a change", async () => {
    const client = createFakeClient({ objects: [widget("a")] });
    const broken = (): never => {
      throw new TypeError("broken");
    };
    await expect(eventually(client).get(Widget, KEY, broken)).rejects.toThrow(TypeError);
    await expect(eventually(client).update(Widget, KEY, broken)).rejects.toThrow(TypeError);
  });

  it("can be canceled", async () => {
    const canceling = new AbortController();
    const waiting = eventually(createFakeClient(), { signal: canceling.signal }).get(ConfigMap, KEY);
    canceling.abort(new Error("the test ends"));
    await expect(waiting).rejects.toThrow("the test ends");
  });
});
