import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import type { Client, Reader } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { namespacedClient } from "../../src/client/namespaced-client.ts";
import { merge } from "../../src/client/patch.ts";
import {
  dryRunClient,
  interceptedClient,
  withFieldOwner,
  withFieldValidation,
} from "../../src/client/wrapped-clients.ts";
import { createFakeApi, type FakeApi } from "./fake-api.ts";

const Guestbook: Kind<KubernetesObject> = defineKind({ group: "webapp.demo", version: "v1" }, "Guestbook");
const Namespace: Kind<KubernetesObject> = defineKind({ group: "", version: "v1" }, "Namespace");
const GUESTBOOK = Guestbook.create({ metadata: { namespace: "a", name: "b" } });

function setUp(): { readonly api: FakeApi; readonly client: ReturnType<typeof createClient> } {
  const api = createFakeApi({ answer: ({ body, query }) => (query["watch"] === "true" ? new Response("") : body) });
  return { api, client: createClient(api.config) };
}

// Every writing call there is; the two deletions come last.
async function writeEverything(
  client: Client,
  owner: { readonly fieldOwner?: string } = { fieldOwner: "call" },
): Promise<void> {
  await client.create(GUESTBOOK, owner);
  await client.update(GUESTBOOK, owner);
  await client.patch(GUESTBOOK, merge(), owner);
  await client.apply(GUESTBOOK, owner);
  await client.status().update(GUESTBOOK, owner);
  await client.status().patch(GUESTBOOK, merge(), owner);
  await client.subResource("status").apply(GUESTBOOK, owner);
  await client.subResource("eviction").create(GUESTBOOK, GUESTBOOK, owner);
  await client.delete(GUESTBOOK);
  await client.deleteAllOf(Guestbook, { namespace: "a" });
}

describe("dry-run client", () => {
  it("every writing call is a dry run", async () => {
    const { api, client } = setUp();
    await writeEverything(dryRunClient(client));
    expect(api.requests.slice(0, -2).map(({ query }) => query["dryRun"])).toEqual(
      Array.from({ length: 8 }, () => "All"),
    );
    expect(api.requests.slice(-2).map(({ body }) => body)).toMatchObject([{ dryRun: ["All"] }, { dryRun: ["All"] }]);
  });
});

describe("field clients", () => {
  it("a field owner goes with every writing call, apply included, and the call's own wins", async () => {
    const { api, client } = setUp();
    await writeEverything(withFieldOwner(client, "wrapper"), {});
    expect(api.requests.slice(0, -2).map(({ query }) => query["fieldManager"])).toEqual(
      Array.from({ length: 8 }, () => "wrapper"),
    );
    await withFieldOwner(client, "wrapper").update(GUESTBOOK, { fieldOwner: "call" });
    expect(api.requests.at(-1)?.query["fieldManager"]).toBe("call");
  });

  it("a field validation goes with every writing call but apply", async () => {
    const { api, client } = setUp();
    await writeEverything(withFieldValidation(client, "Strict"));
    const applies = [3, 6];
    expect(api.requests.slice(0, -2).map(({ query }) => query["fieldValidation"])).toEqual(
      Array.from({ length: 8 }, (_each, index) => (applies.includes(index) ? undefined : "Strict")),
    );
  });

  it("createClient takes them as options", async () => {
    const api = createFakeApi();
    const client = createClient(api.config, { dryRun: true, fieldOwner: "me", fieldValidation: "Warn" });
    await client.create(GUESTBOOK);
    expect(api.requests[0]?.query).toEqual({ dryRun: "All", fieldManager: "me", fieldValidation: "Warn" });
  });
});

describe("namespaced client", () => {
  it("fills the namespace in, for objects, keys and selections", async () => {
    const { api, client } = setUp();
    const scoped = namespacedClient(client, "a");
    const bare = Guestbook.create({ metadata: { name: "b" } });
    await scoped.get(Guestbook, { name: "b" });
    await scoped.list(Guestbook);
    await scoped.list(Guestbook, { namespace: "z" });
    await scoped.create(bare);
    await scoped.update(bare);
    await scoped.patch(bare, merge());
    await scoped.apply(bare, { fieldOwner: "me" });
    await scoped.status().update(bare);
    await scoped.delete(bare);
    await scoped.deleteAllOf(Guestbook);
    for await (const _event of scoped.watch(Guestbook)) {
      // There are none.
    }
    expect(api.requests.map(({ path }) => path.includes("/namespaces/a/"))).toEqual(
      Array.from({ length: 11 }, () => true),
    );
    expect(bare.metadata).toEqual({ name: "b" });
  });

  it("another namespace is refused, and objects of the cluster pass", async () => {
    const { api, client } = setUp();
    const scoped = namespacedClient(client, "z");
    await expect(scoped.get(Guestbook, { name: "b", namespace: "a" })).rejects.toThrow(
      "cannot use namespace a for Guestbook b: the client is for namespace z",
    );
    await expect(scoped.update(GUESTBOOK)).rejects.toMatchObject({ code: "CLIENT_NAMESPACE_MISMATCH" });
    await expect(scoped.status().update(GUESTBOOK)).rejects.toMatchObject({ code: "CLIENT_NAMESPACE_MISMATCH" });
    expect(api.requests).toEqual([]);
    await scoped.create(Namespace.create({ metadata: { name: "n" } }));
    expect(api.requests[0]).toMatchObject({ path: "/api/v1/namespaces", body: { metadata: { name: "n" } } });
  });
});

describe("intercepted client", () => {
  it("handles overridden methods and delegates the rest", async () => {
    const { api, client } = setUp();
    const updated: string[] = [];
    const intercepted = interceptedClient(client, {
      client: (inner) => ({
        get: () => Promise.reject(new TypeError("no network")),
        create: (object, options) => {
          const changed: typeof object = { ...object, metadata: { ...object.metadata, name: "c" } };
          return inner.create(changed, options);
        },
      }),
      subResource: (inner, name) => ({
        update: (object, options) => {
          updated.push(name);
          return inner.update(object, options);
        },
      }),
    });
    await expect(intercepted.get(Guestbook, { name: "b" })).rejects.toThrow("no network");
    expect((await intercepted.create(GUESTBOOK)).metadata.name).toBe("c");
    await intercepted.status().update(GUESTBOOK);
    await intercepted.subResource("scale").update(GUESTBOOK);
    expect(updated).toEqual(["status", "scale"]);
    expect(api.requests).toHaveLength(3);
  });
});

describe("cached client", () => {
  function setUpCache(unstructured?: boolean): {
    readonly api: FakeApi;
    readonly client: Client;
    readonly reads: string[];
  } {
    const api = createFakeApi();
    const reads: string[] = [];
    const reader: Reader = {
      get: (kind) => {
        reads.push(`get ${kind.kind}`);
        return Promise.resolve(GUESTBOOK as never);
      },
      list: (kind) => {
        reads.push(`list ${kind.kind}`);
        return Promise.resolve({ apiVersion: "", kind: "", metadata: {}, items: [] } satisfies ListOf<never>);
      },
    };
    const cache = { reader, disableFor: [Namespace], ...(unstructured === undefined ? {} : { unstructured }) };
    return { api, reads, client: createClient(api.config, { cache }) };
  }

  it("typed reads go to the cache, disabled kinds and writes to the server", async () => {
    const { api, client, reads } = setUpCache();
    await client.get(Guestbook, { name: "b", namespace: "a" });
    await client.list(Guestbook);
    expect(api.requests).toEqual([]);
    await client.get(Namespace, { name: "n" });
    await client.create(GUESTBOOK);
    expect(api.requests).toHaveLength(2);
    expect(reads).toEqual(["get Guestbook", "list Guestbook"]);
  });

  it("reads by a plain group, version, and kind go to the server by default", async () => {
    const gvk = { group: "webapp.demo", version: "v1", kind: "Guestbook" };
    const live = setUpCache();
    await live.client.list(gvk);
    expect(live.api.requests).toHaveLength(1);
    const cached = setUpCache(true);
    await cached.client.list(gvk);
    expect(cached.reads).toEqual(["list Guestbook"]);
  });
});
