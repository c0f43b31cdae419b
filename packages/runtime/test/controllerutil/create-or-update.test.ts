import { defineKind, isConflict, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { interceptedClient } from "../../src/client/wrapped-clients.ts";
import { createOrPatch, createOrUpdate } from "../../src/controllerutil/controllerutil.ts";
import { createFakeApi, type FakeApi } from "../client/fake-api.ts";
import { createObjectStore } from "../client/object-store.ts";

interface Guestbook extends KubernetesObject {
  spec?: { size?: number };
  status?: { ready?: number };
}

const Guestbook: Kind<Guestbook> = defineKind<Guestbook>({ group: "webapp.demo", version: "v1" }, "Guestbook");
const WANTED: Guestbook = Guestbook.create({ metadata: { namespace: "a", name: "b" } });

function setUp(): { readonly api: FakeApi; readonly client: Client; readonly writes: () => readonly string[] } {
  const api = createFakeApi({ answer: createObjectStore().answer });
  const writes = (): readonly string[] =>
    api.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method}${path.endsWith("/status") ? " status" : ""}`);
  return { api, client: createClient(api.config), writes };
}

describe("createOrUpdate", () => {
  it("row 80: creates, leaves alone and updates, and writes nothing without need", async () => {
    const { client, writes } = setUp();
    const sized = (size: number) => (object: Guestbook) => {
      object.spec = { size };
    };
    expect(await createOrUpdate(client, WANTED, sized(1))).toMatchObject({
      result: "created",
      object: { spec: { size: 1 } },
    });
    expect(await createOrUpdate(client, WANTED, sized(1))).toMatchObject({
      result: "unchanged",
      object: { spec: { size: 1 } },
    });
    expect(await createOrUpdate(client, WANTED, sized(2))).toMatchObject({
      result: "updated",
      object: { spec: { size: 2 } },
    });
    expect(writes()).toEqual(["POST", "PUT"]);
    expect(WANTED).toEqual(Guestbook.create({ metadata: { namespace: "a", name: "b" } }));
  });

  it("mutate may return another object, and may be asynchronous", async () => {
    const { client } = setUp();
    const { object } = await createOrUpdate(client, WANTED, (each) => Promise.resolve({ ...each, spec: { size: 5 } }));
    expect(object.spec).toEqual({ size: 5 });
  });

  it("mutate gets a copy of a frozen object", async () => {
    const { client } = setUp();
    const frozen = Object.freeze({
      ...WANTED,
      metadata: Object.freeze({ ...WANTED.metadata }),
      spec: Object.freeze({ size: 1 }),
    });
    const cached = interceptedClient(client, { client: () => ({ get: () => Promise.resolve(frozen as never) }) });
    await expect(
      createOrUpdate(cached, WANTED, (object) => {
        object.spec = { size: 1 };
      }),
    ).resolves.toMatchObject({ result: "unchanged" });
  });

  it("row 80: a mutate that renames is an error, and nothing is written", async () => {
    const { client, writes } = setUp();
    const rename = (object: Guestbook): Guestbook => ({ ...object, metadata: { ...object.metadata, name: "c" } });
    await expect(createOrUpdate(client, WANTED, rename)).rejects.toMatchObject({ code: "CONTROLLER_OBJECT_RENAMED" });
    await expect(createOrPatch(client, WANTED, rename)).rejects.toThrow("Guestbook a/b to Guestbook a/c");
    expect(writes()).toEqual([]);
  });

  it("a conflict is thrown and not repeated", async () => {
    const { client, writes } = setUp();
    await client.create(WANTED);
    const call = createOrUpdate(client, WANTED, async (object) => {
      await client.update({ ...object, spec: { size: 7 } });
      object.spec = { size: 8 };
    });
    await expect(call).rejects.toSatisfy(isConflict);
    expect(writes()).toEqual(["POST", "PUT", "PUT"]);
  });

  it("another failure of the read is thrown", async () => {
    const { client } = setUp();
    const failing = interceptedClient(client, { client: () => ({ get: () => Promise.reject(new TypeError("down")) }) });
    await expect(createOrUpdate(failing, WANTED)).rejects.toThrow("down");
  });
});

describe("createOrPatch", () => {
  it("row 80: patches the object and its status each only where they differ", async () => {
    const { client, api, writes } = setUp();
    const set = (spec: Guestbook["spec"], status: Guestbook["status"]) => (object: Guestbook) => {
      Object.assign(object, { spec, status });
    };
    expect(await createOrPatch(client, WANTED, set({ size: 1 }, undefined))).toMatchObject({ result: "created" });
    expect((await createOrPatch(client, WANTED, set({ size: 1 }, undefined))).result).toBe("unchanged");
    expect((await createOrPatch(client, WANTED, set({ size: 2 }, undefined))).result).toBe("updated");
    expect((await createOrPatch(client, WANTED, set({ size: 2 }, { ready: 1 }))).result).toBe("updatedStatusOnly");
    const both = await createOrPatch(client, WANTED, set({ size: 3 }, { ready: 2 }));
    expect(both).toMatchObject({ result: "updatedStatus", object: { spec: { size: 3 }, status: { ready: 2 } } });
    expect(writes()).toEqual(["POST", "PATCH", "PATCH status", "PATCH", "PATCH status"]);
    const bodies = api.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    expect(bodies).toEqual([
      { spec: { size: 2 } },
      { status: { ready: 1 } },
      { spec: { size: 3 } },
      { status: { ready: 2 } },
    ]);
  });
});
