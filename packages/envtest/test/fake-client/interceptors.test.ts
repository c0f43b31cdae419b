import { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import { type Interceptors, patch, type LiveClient } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { createFakeClient } from "../../src/fake-client/fake-client.ts";
import { Widget, widget } from "./sample-kinds.ts";

const KEY = { namespace: "default", name: "a" };
const OBJECT = ConfigMap.create({ metadata: { ...KEY } });

const refuse = (verb: string) => (): Promise<never> => Promise.reject(new Error(`${verb} is refused`));

const refuseWatch = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: refuse("watch") }),
});

const REFUSING: Interceptors = {
  client: () => ({
    get: refuse("get"),
    list: refuse("list"),
    create: refuse("create"),
    update: refuse("update"),
    patch: refuse("patch"),
    apply: refuse("apply"),
    delete: refuse("delete"),
    deleteAllOf: refuse("deleteAllOf"),
    watch: refuseWatch,
  }),
  subResource: (_client, name) => ({
    get: refuse(`get of ${name}`),
    create: refuse(`create of ${name}`),
    update: refuse(`update of ${name}`),
    patch: refuse(`patch of ${name}`),
    apply: refuse(`apply of ${name}`),
  }),
};

const CALLS: Readonly<Record<string, (client: LiveClient) => Promise<unknown>>> = {
  get: (client) => client.get(ConfigMap, KEY),
  list: (client) => client.list(ConfigMap),
  create: (client) => client.create(OBJECT),
  update: (client) => client.update(OBJECT),
  patch: (client) => client.patch(OBJECT, patch.merge()),
  apply: (client) => client.apply(OBJECT, { fieldOwner: "test" }),
  delete: (client) => client.delete(OBJECT),
  deleteAllOf: (client) => client.deleteAllOf(ConfigMap, { namespace: "default" }),
  watch: async (client) => client.watch(ConfigMap)[Symbol.asyncIterator]().next(),
  "get of scale": (client) => client.subResource("scale").get(OBJECT),
  "create of eviction": (client) => client.subResource("eviction").create(OBJECT, OBJECT),
  "update of status": (client) => client.status().update(OBJECT),
  "patch of status": (client) => client.status().patch(OBJECT, patch.merge()),
  "apply of status": (client) => client.status().apply(OBJECT, { fieldOwner: "test" }),
};

describe("interceptors of a fake client", () => {
  const refusing = createFakeClient({ objects: [OBJECT], interceptors: REFUSING });

  it.each(Object.keys(CALLS))("can replace %s", async (verb) => {
    await expect(CALLS[verb]?.(refusing)).rejects.toThrow(`${verb} is refused`);
  });

  it("do not replace the underlying client", async () => {
    expect(await refusing.underlying.get(ConfigMap, KEY)).toMatchObject({ metadata: KEY });
  });

  it("may call the underlying client and change the result", async () => {
    const client = createFakeClient({
      objects: [OBJECT, widget("a")],
      statusSubresources: [Widget],
      interceptors: {
        client: (underlying) => ({
          get: async (kind, key, options) => {
            const object = await underlying.get(kind, key, options);
            return { ...object, metadata: { ...object.metadata, labels: { seen: "true" } } };
          },
        }),
        subResource: (underlying, name) => ({
          update: async (object, options) => {
            const annotations = { subresource: name };
            const changed: typeof object = { ...object, metadata: { ...object.metadata, annotations } };
            return underlying.update(changed, options);
          },
        }),
      },
    });
    const read = await client.get(Widget, KEY);
    expect(read.metadata.labels).toEqual({ seen: "true" });
    const updated = await client.status().update({ ...read, status: { ready: 1 } });
    expect(updated).toMatchObject({ status: { ready: 1 } });
    expect((await client.get(ConfigMap, KEY)).metadata.labels).toEqual({ seen: "true" });
  });

  it("see the indexes", async () => {
    const seen: number[] = [];
    const client = createFakeClient({
      objects: [OBJECT],
      interceptors: {
        client: (underlying) => ({
          list: async (kind, options) => {
            const list = await underlying.list(kind, options);
            seen.push(list.items.length);
            return list;
          },
        }),
      },
    });
    await client.indexField(ConfigMap, "data.size", ({ data }) => [String(Object.keys(data ?? {}).length)]);
    await client.list(ConfigMap, { fields: { "data.size": "0" } });
    await client.list(ConfigMap, { fields: { "data.size": "1" } });
    expect(seen).toEqual([1, 0]);
  });

  it("can fail once", async () => {
    let failures = 1;
    const client = createFakeClient({
      interceptors: {
        client: (underlying) => ({
          create: async (object, options) => {
            if (object.kind === "Pod" && failures-- > 0) throw new Error("no quota");
            return underlying.create(object, options);
          },
        }),
      },
    });
    const pod = Pod.create({ metadata: { ...KEY }, spec: { containers: [{ name: "a", image: "a" }] } });
    await expect(client.create(pod)).rejects.toThrow("no quota");
    expect(await client.create(pod)).toMatchObject({ metadata: KEY });
  });
});
