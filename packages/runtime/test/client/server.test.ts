import { Environment } from "@kubescaffold/envtest";
import { defineKind, isConflict, isNotFound, type Kind, type RestConfig } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { ApplyOptions } from "../../src/client/options.ts";
import type { Stored } from "../../src/client/partial-object.ts";
import { raw } from "../../src/client/patch.ts";
import * as patch from "../../src/client/patches.ts";
import { createOrPatch, createOrUpdate, setControllerReference } from "../../src/controllerutil/controllerutil.ts";
import { createFinalizers } from "../../src/finalizer/finalizers.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createEventBroadcaster } from "../../src/recorder/event-broadcaster.ts";

interface Guestbook extends KubernetesObject {
  spec?: { size?: number };
  status?: { ready?: number };
}

const Guestbook: Kind<Guestbook> = defineKind<Guestbook>({ group: "client.demo", version: "v1" }, "Guestbook");

// The server's schema has a field that the type above does not know.
const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "guestbooks.client.demo" },
  spec: {
    group: "client.demo",
    names: { kind: "Guestbook", listKind: "GuestbookList", plural: "guestbooks", singular: "guestbook" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  future: { type: "object", additionalProperties: { type: "string" } },
                },
              },
              status: { type: "object", properties: { ready: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

const environment = new Environment({ crds: [CRD] });
let config: RestConfig;
let client: LiveClient;
let namespace: string;

beforeAll(async () => {
  config = await environment.start();
  client = createClient(config);
  const made = await client.create(Namespace.create({ metadata: { generateName: "client-" } }));
  namespace = made.metadata.name ?? "";
});

afterAll(() => environment.stop());

function create(name: string, spec: Guestbook["spec"] = { size: 1 }): Promise<Stored<Guestbook>> {
  return client.create(Guestbook.create({ metadata: { name, namespace }, spec }));
}

describe("the client on a server", () => {
  it("row 23: fields that the types do not know survive a read, a change and a write", async () => {
    const newer = { size: 1, future: { a: "b" } };
    await create("unknown-fields", newer);
    const read = await client.get(Guestbook, { name: "unknown-fields", namespace });
    const written = await client.update({ ...read, spec: { ...read.spec, size: 2 } });
    expect(written.spec).toEqual({ size: 2, future: { a: "b" } });
  });

  it("row 24: get, list and watch give the very same object, timestamps as text", async () => {
    const { metadata } = await create("one-shape");
    const got = await client.get(Guestbook, { name: "one-shape", namespace });
    const fields = { "metadata.name": "one-shape" };
    const listed = await client.list(Guestbook, { namespace, fields });
    const iterator = client.watch(Guestbook, { namespace, fields, resourceVersion: "0" })[Symbol.asyncIterator]();
    const watched = await iterator.next();
    await iterator.return?.();
    expect(typeof metadata.creationTimestamp).toBe("string");
    expect(listed.items).toEqual([got]);
    expect(watched.value).toEqual({ type: "ADDED", object: got });
  });

  it("row 26: writing with an outdated resourceVersion is a conflict, and nothing is overwritten", async () => {
    const stale = await create("conflict");
    const current = await client.update({ ...stale, spec: { size: 2 } });
    await expect(client.update({ ...stale, spec: { size: 3 } })).rejects.toSatisfy(isConflict);
    await expect(client.status().update({ ...stale, status: { ready: 1 } })).rejects.toSatisfy(isConflict);
    expect(await client.get(Guestbook, { name: "conflict", namespace })).toEqual(current);
  });

  it("row 27: update leaves status alone, and status().update everything else", async () => {
    const created = await create("isolation");
    const updated = await client.update({ ...created, spec: { size: 2 }, status: { ready: 9 } });
    expect(updated).toMatchObject({ spec: { size: 2 } });
    expect(updated.status).toBeUndefined();
    const withStatus = await client.status().update({ ...updated, spec: { size: 9 }, status: { ready: 1 } });
    expect(withStatus).toMatchObject({ spec: { size: 2 }, status: { ready: 1 } });
  });

  it("row 28: a merge patch with an optimistic lock is a conflict when it is stale, and equal objects change nothing", async () => {
    const stale = await create("lock");
    const current = await client.patch(
      { ...stale, spec: { size: 2 } },
      patch.mergeFrom(stale, { optimisticLock: true }),
    );
    const late = client.patch({ ...stale, spec: { size: 3 } }, patch.mergeFrom(stale, { optimisticLock: true }));
    await expect(late).rejects.toSatisfy(isConflict);
    expect((await client.patch(current, patch.mergeFrom(current))).metadata.resourceVersion).toBe(
      current.metadata.resourceVersion,
    );
  });

  it("a strategic merge patch adds a container beside one that another client added", async () => {
    const labels = { app: "web" };
    const deployment = await client.create(
      Deployment.create({
        metadata: { name: "web", namespace },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
        },
      }),
    );
    const adding = (name: string): Deployment => {
      const changed = structuredClone(deployment);
      changed.spec?.template.spec?.containers.push({ name, image: name });
      return changed;
    };
    await client.patch(adding("b"), patch.strategicMergeFrom(deployment));
    const both = await client.patch(adding("c"), patch.strategicMergeFrom(deployment));
    expect(both.spec?.template.spec?.containers.map(({ name }) => name).toSorted()).toEqual(["a", "b", "c"]);
  });

  it("row 29: apply records the owner, conflicts with another one unless forced, and takes dropped fields away", async () => {
    const apply = (spec: Guestbook["spec"], options: ApplyOptions): Promise<Guestbook> =>
      client.apply<Guestbook>(
        {
          apiVersion: "client.demo/v1",
          kind: "Guestbook",
          metadata: { name: "applied", namespace },
          ...(spec === undefined ? {} : { spec }),
        },
        options,
      );
    const applied = await apply({ size: 1 }, { fieldOwner: "one" });
    expect(applied.metadata.managedFields).toMatchObject([{ manager: "one", operation: "Apply" }]);
    const other = apply({ size: 2 }, { fieldOwner: "two" });
    await expect(other).rejects.toSatisfy(isConflict);
    await expect(other).rejects.toMatchObject({ status: { details: { causes: [{ field: ".spec.size" }] } } });
    expect((await apply({ size: 2 }, { fieldOwner: "two", forceOwnership: true })).spec).toEqual({ size: 2 });
    expect((await apply(undefined, { fieldOwner: "two" })).spec?.size).toBeUndefined();
    await expect(apply({ size: 3 }, {})).rejects.toMatchObject({ code: "CLIENT_MISSING_FIELD_OWNER" });
  });

  it("metadata alone can be read and watched, under the kind's own name", async () => {
    await create("metadata-only");
    const read = await client.get(Guestbook, { name: "metadata-only", namespace }, { metadataOnly: true });
    expect(read).toMatchObject({
      apiVersion: "client.demo/v1",
      kind: "Guestbook",
      metadata: { name: "metadata-only" },
    });
    expect(Object.keys(read)).not.toContain("spec");
  });

  it("guarantee 3: an object that was read with metadataOnly can be patched and deleted, but not created or updated", async () => {
    await create("partial", { size: 7 });
    const key = { name: "partial", namespace };
    const read = await client.get(Guestbook, key, { metadataOnly: true });
    const { items } = await client.list(Guestbook, { namespace, metadataOnly: true });
    const refused = { code: "CLIENT_PARTIAL_OBJECT" };
    // @ts-expect-error -- an update would erase the spec
    await expect(client.update(read)).rejects.toMatchObject(refused);
    // @ts-expect-error -- a copy is no more complete
    await expect(client.update({ ...read, metadata: { ...read.metadata, labels: { a: "b" } } })).rejects.toMatchObject(
      refused,
    );
    // @ts-expect-error -- nor is an item of a list
    await expect(client.update(items[0] ?? read)).rejects.toMatchObject(refused);
    // @ts-expect-error -- an update of the status would erase the status
    await expect(client.status().update(read)).rejects.toMatchObject(refused);
    // @ts-expect-error -- the created object would have no spec
    await expect(client.create(read)).rejects.toMatchObject(refused);
    // @ts-expect-error -- the result has no spec
    expect(read.spec).toBeUndefined();

    const labelled = await client.patch(
      read,
      raw("application/merge-patch+json", { metadata: { labels: { a: "b" } } }),
    );
    expect(labelled.metadata?.labels).toEqual({ a: "b" });
    expect((await client.get(Guestbook, key)).spec).toEqual({ size: 7 });
    const [event] = await firstEvents(client.watch(Guestbook, { namespace, metadataOnly: true }));
    // @ts-expect-error -- so is the object of an event
    await expect(client.update(event?.object ?? read)).rejects.toMatchObject(refused);
    await client.delete(read);
  });

  it("row 44: a user without permissions gets verb, resource, and scope at the first attempt", async () => {
    const stranger = createClient(await environment.addUser({ name: "stranger" }));
    await expect(stranger.list(Guestbook)).rejects.toThrow(
      'guestbooks.client.demo is forbidden: User "stranger" cannot list resource "guestbooks" in API group "client.demo" at the cluster scope',
    );
    const watch = stranger.watch(Guestbook, { namespace })[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toThrow(
      `cannot watch resource "guestbooks" in API group "client.demo" in the namespace "${namespace}"`,
    );
  });
});

describe("helpers of reconcilers on a server", () => {
  it("row 80: createOrUpdate and createOrPatch write only differences, and return what they wrote", async () => {
    const wanted = Guestbook.create({ metadata: { name: "wanted", namespace } });
    const sized = (size: number) => (object: Guestbook) => {
      object.spec = { size };
    };
    const results = [
      await createOrUpdate(client, wanted, sized(1)),
      await createOrUpdate(client, wanted, sized(1)),
      await createOrUpdate(client, wanted, sized(2)),
      await createOrPatch(client, wanted, sized(2)),
      await createOrPatch(client, wanted, (object) => ({ ...object, spec: { size: 3 }, status: { ready: 3 } })),
      await createOrPatch(client, wanted, (object) => ({ ...object, status: { ready: 4 } })),
      await createOrPatch(client, wanted, sized(5)),
    ];
    expect(results.map(({ result }) => result)).toEqual([
      "created",
      "unchanged",
      "updated",
      "unchanged",
      "updatedStatus",
      "updatedStatusOnly",
      "updated",
    ]);
    expect(results[4]?.object).toMatchObject({ spec: { size: 3 }, status: { ready: 3 } });
    const stored = await client.get(Guestbook, { namespace, name: "wanted" });
    expect(stored).toMatchObject({ spec: { size: 5 }, status: { ready: 4 } });
    const versions = results.map(({ object }) => object.metadata.resourceVersion);
    expect([versions[1], versions[3]]).toEqual([versions[0], versions[2]]);
    const patched = Guestbook.create({ metadata: { name: "patched", namespace } });
    expect(await createOrPatch(client, patched, sized(1))).toMatchObject({ result: "created" });
  });

  it("row 80: a mutate that renames is an error, and nothing is written", async () => {
    const before = await create("named");
    const rename = (object: Guestbook): Guestbook => ({ ...object, metadata: { ...object.metadata, name: "other" } });
    await expect(createOrUpdate(client, before, rename)).rejects.toMatchObject({ code: expect.any(String) });
    await expect(createOrPatch(client, before, rename)).rejects.toMatchObject({ code: expect.any(String) });
    await expect(client.get(Guestbook, { namespace, name: "other" })).rejects.toSatisfy(isNotFound);
    expect(await client.get(Guestbook, { namespace, name: "named" })).toEqual(before);
  });

  it("row 81: deletion runs the finalizer once, then the object is gone", async () => {
    let runs = 0;
    const finalizers = createFinalizers<Guestbook>();
    finalizers.register("client.demo/clean-up", async () => {
      runs += 1;
      return Promise.resolve();
    });
    const created = await create("finalized");
    const kept = await client.update((await finalizers.finalize(created)).object);
    await client.delete(kept);
    const deleting = await client.get(Guestbook, { name: "finalized", namespace });
    expect(deleting.metadata.deletionTimestamp).toBeDefined();
    await client.update((await finalizers.finalize(deleting)).object);
    await expect(client.get(Guestbook, { name: "finalized", namespace })).rejects.toSatisfy(isNotFound);
    expect(runs).toBe(1);
  });

  it("row 81: a controller reference is taken by the server as it is", async () => {
    const owner = await create("owner");
    const owned = setControllerReference(owner, Guestbook.create({ metadata: { name: "owned", namespace } }));
    expect((await client.create(owned)).metadata.ownerReferences).toEqual(owned.metadata.ownerReferences);
  });

  it("row 82: ten repetitions are one Event with their count", async () => {
    const regarding = await create("eventful");
    const broadcaster = createEventBroadcaster({ client, log: silentLogger });
    const recorder = broadcaster.recorder("client.demo/test");
    for (let repetition = 0; repetition < 10; repetition += 1) {
      recorder.event(regarding, { type: "Normal", reason: "Scaled", action: "Scale", note: "scaled it" });
    }
    await broadcaster.stop();
    const events = await client.list(Event, { namespace });
    const about = events.items.filter(({ regarding: object }) => object?.name === "eventful");
    expect(about).toHaveLength(1);
    expect(about[0]).toMatchObject({ reason: "Scaled", note: "scaled it", series: { count: 10 } });
  });
});

async function firstEvents<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  for await (const event of events) return [event];
  return [];
}
