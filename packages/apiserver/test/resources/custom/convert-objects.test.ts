import { beforeEach, describe, expect, it } from "vitest";

import type { WebhookCall } from "../../../src/http/webhook-client.ts";
import { loadRelease } from "../../../src/release/release.ts";
import { createServerOf } from "../../../src/server/create-api-server.ts";
import { CRDS, foo, fooCrd, TestServer, type Body } from "../../support/test-server.ts";

const V1 = "/apis/example.com/v1/namespaces/default/foos";
const V2 = "/apis/example.com/v2/namespaces/default/foos";

function convertedCrd(conversionReviewVersions: readonly string[] = ["v1"]): Body {
  const crd = fooCrd();
  crd.spec.versions.push({ ...crd.spec.versions[0], name: "v2", storage: false });
  const clientConfig = { service: { namespace: "system", name: "webhook", path: "/convert" } };
  crd.spec.conversion = { strategy: "Webhook", webhook: { conversionReviewVersions, clientConfig } };
  return crd;
}

const inV2 = (name: string, spec: object): object => ({ ...foo(name, spec), apiVersion: "example.com/v2" });

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly Body[] };
}

// Sizes are ten times as big in v2.
function answerOf({ apiVersion, kind, request: { uid, desiredAPIVersion, objects } }: Review): object {
  const factor = desiredAPIVersion.endsWith("v2") ? 10 : 0.1;
  const convertedObjects = objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: { ...object.spec, size: object.spec.size * factor },
  }));
  return { apiVersion, kind, response: { uid, result: { status: "Success" }, convertedObjects } };
}

describe("conversion by webhooks", () => {
  let server: TestServer;
  let calls: Review[];
  let lastCall: WebhookCall | undefined;
  let isDown: boolean;

  beforeEach(() => {
    calls = [];
    isDown = false;
    server = new TestServer({
      callWebhook: (call) => {
        const review = JSON.parse(call.body) as Review;
        calls.push(review);
        lastCall = call;
        return isDown ? Promise.resolve("down") : Promise.resolve(JSON.stringify(answerOf(review)));
      },
    });
  });

  it("row 84: stores one version, and serves all", async () => {
    await server.define(convertedCrd());
    const created = await server.post(V2, inV2("a", { size: 30 }));
    expect([created.code, created.body.spec]).toEqual([201, { size: 30 }]);
    expect([lastCall?.clientConfig.service?.port, lastCall?.timeoutSeconds]).toEqual([443, 30]);
    expect((await server.get(`${V1}/a`)).body.spec).toEqual({ size: 3 });
    expect((await server.get(`${V2}/a`)).body).toMatchObject({ apiVersion: "example.com/v2", spec: { size: 30 } });
  });

  it("restores objects of a version that is no longer stored, by a write without a change", async () => {
    await server.define(convertedCrd());
    await server.post(V1, foo("a", { size: 1 }));
    await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.versions.forEach((version: Body) => (version.storage = version.name === "v2"));
    });
    const write = async (): Promise<string> =>
      (await server.change(`${V1}/a`, () => undefined)).body.metadata.resourceVersion;
    const first = await write();
    expect(Number(first)).toBeGreaterThan(
      Number((await server.get(`${CRDS}/foos.example.com`)).body.metadata.resourceVersion),
    );
    expect(await write()).toBe(first);
    calls.length = 0;
    expect((await server.get(`${V2}/a`)).body.spec).toEqual({ size: 10 });
    expect(calls).toEqual([]);
  });

  it("asks for nothing but what is stored in another version, and for a whole list at once", async () => {
    await server.define(convertedCrd());
    for (const name of ["a", "b", "c"]) await server.post(V1, foo(name, { size: 1 }));
    await server.get(V1);
    expect(calls).toEqual([]);
    const list = await server.get(V2);
    expect(list.body.items.map((item: Body) => [item.metadata.name, item.spec.size])).toEqual([
      ["a", 10],
      ["b", 10],
      ["c", 10],
    ]);
    expect(calls.map(({ request }) => request.objects.length)).toEqual([3]);
    expect((await server.get(`${V2}?limit=1`)).body.items).toHaveLength(1);
  });

  it("sends what happens to watches in its order, each object converted", async () => {
    await server.define(convertedCrd());
    await server.post(V1, foo("a", { size: 1 }));
    const watch = await server.watch(`${V2}?watch=1`);
    await server.post(V1, foo("b", { size: 2 }));
    await server.post(V2, inV2("c", { size: 30 }));
    await server.delete(`${V1}/a`);
    const events = await watch.take(4);
    watch.stop();
    expect(events.map(({ type, object }) => [type, object.apiVersion, object.metadata.name, object.spec.size])).toEqual(
      [
        ["ADDED", "example.com/v2", "a", 10],
        ["ADDED", "example.com/v2", "b", 20],
        ["ADDED", "example.com/v2", "c", 30],
        ["DELETED", "example.com/v2", "a", 10],
      ],
    );
  });

  it("fails requests and ends watches when the webhook does not answer, and leaves the stored version alone", async () => {
    await server.define(convertedCrd());
    await server.post(V1, foo("a", { size: 1 }));
    isDown = true;
    for (const answer of [
      await server.get(`${V2}/a`),
      await server.get(V2),
      await server.post(V2, inV2("b", { size: 1 })),
      await server.delete(`${V2}/a`),
    ]) {
      expect(answer.code).toBe(500);
      expect(answer.body.message).toMatch(/conversion webhook for example\.com\/v\d, Kind=Foo failed: /u);
    }
    const watch = await server.watch(`${V2}?watch=1`);
    expect(await watch.take(1)).toMatchObject([{ type: "ERROR", object: { code: 500 } }]);
    watch.stop();
    expect((await server.get(`${V1}/a`)).code).toBe(200);
    expect((await server.get(`${V1}/b`)).code).toBe(404);
  });

  it("names the objects that cannot be read since 1.37", async () => {
    await server.define(convertedCrd());
    for (const name of ["a", "b"]) await server.post(V1, foo(name, { size: 1 }));
    isDown = true;
    const corrupt = (key: string): unknown =>
      expect.stringMatching(
        new RegExp(
          `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=\\d+: conversion webhook for `,
          "u",
        ),
      );
    const place = "/example.com/foos/default";
    expect((await server.get(`${V2}/a`)).body).toMatchObject({
      code: 500,
      reason: "InternalError",
      details: { causes: [{ message: corrupt(`${place}/a`) }] },
    });
    expect((await server.get(V2)).body).toMatchObject({
      code: 500,
      reason: "StorageReadError",
      message: expect.stringMatching(
        /^failed to read one or more foos\.example\.com from the storage: .* \(and 1 more\)$/u,
      ),
      details: {
        name: "list",
        group: "example.com",
        kind: "foos",
        causes: ["a", "b"].map((name) => ({
          reason: "UnexpectedServerResponse",
          field: `/registry${place}/${name}`,
          message: corrupt(`/registry${place}/${name}`),
        })),
      },
    });
    const update = await server.put(`${V2}/a`, inV2("a", { size: 2 }));
    expect(update.body).toMatchObject({
      code: 500,
      message: expect.stringMatching(/^object not decodable revision=\d+: /u),
    });
    expect(update.body.reason).toBeUndefined();
  });

  it("names no objects before 1.37", async () => {
    const release = loadRelease("1.36");
    if (release === undefined) throw new Error("no tables of 1.36");
    const older = new TestServer({ callWebhook: () => Promise.resolve("down") }, (options) =>
      createServerOf(release, options),
    );
    await older.define(convertedCrd());
    await older.post(V1, foo("a", { size: 1 }));
    for (const path of [`${V2}/a`, V2])
      expect((await older.get(path)).body.message).toMatch(
        /^conversion webhook for example\.com\/v1, Kind=Foo failed: /u,
      );
  });

  it("speaks the older review where the definition has it first", async () => {
    await server.define(convertedCrd(["v9", "v1beta1", "v1"]));
    await server.post(V2, inV2("a", { size: 30 }));
    expect(calls.map(({ apiVersion }) => apiVersion)).toEqual([
      "apiextensions.k8s.io/v1beta1",
      "apiextensions.k8s.io/v1beta1",
    ]);
  });

  it("row 122: does not establish a definition whose authority cannot be read", async () => {
    const crd = convertedCrd();
    crd.spec.conversion.webhook.clientConfig.caBundle = "bm8=";
    await server.define(crd);
    const { body } = await server.get(`${CRDS}/foos.example.com`);
    expect(body.status.conditions).toContainEqual(
      expect.objectContaining({ type: "Established", status: "False", reason: "InvalidCABundle" }),
    );
  });
});
