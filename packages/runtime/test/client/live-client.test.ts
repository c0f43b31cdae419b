import { defineKind, isConflict, isNotFound, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient, type ClientOptions } from "../../src/client/create-client.ts";
import * as patch from "../../src/client/patches.ts";
import { createFakeApi, failure, type FakeAnswer, type FakeApi } from "./fake-api.ts";

interface Guestbook extends KubernetesObject {
  readonly spec: { readonly size?: number };
}

const Guestbook: Kind<Guestbook> = defineKind<Guestbook>({ group: "webapp.demo", version: "v1" }, "Guestbook");
const Namespace = { group: "", version: "v1", kind: "Namespace" };
const KEY = { namespace: "a", name: "b" };
const PATH = "/apis/webapp.demo/v1/namespaces/a/guestbooks";

function guestbook(fields: Partial<Guestbook> = {}): Guestbook {
  return Guestbook.create({ metadata: { ...KEY, resourceVersion: "7" }, spec: { size: 1 }, ...fields });
}

function setUp(
  answer?: FakeAnswer,
  options?: Omit<ClientOptions, "cache">,
): { readonly api: FakeApi; readonly client: LiveClient } {
  const api = createFakeApi(answer === undefined ? {} : { answer });
  return { api, client: createClient(api.config, options) };
}

describe("reading", () => {
  it("row 23: get returns the object as stored, including unknown fields", async () => {
    const stored = { ...guestbook(), spec: { size: 1, future: { x: [null, 0.5] } }, extra: "kept" };
    const { api, client } = setUp(() => stored);
    expect(await client.get(Guestbook, KEY)).toEqual(stored);
    expect(api.requests).toMatchObject([{ method: "GET", path: `${PATH}/b`, query: {}, accept: "application/json" }]);
    const read = await client.get(Guestbook, KEY);
    await client.update({ ...read, spec: { ...read.spec, size: 2 } });
    expect(api.requests.at(-1)?.body).toEqual({ ...stored, spec: { ...stored.spec, size: 2 } });
  });

  it("a bare group, version and kind reads untyped objects", async () => {
    const { api, client } = setUp(() => ({ apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } }));
    const namespace = await client.get(Namespace, { name: "x", namespace: "ignored" });
    expect(namespace.metadata.name).toBe("x");
    expect(api.requests[0]?.path).toBe("/api/v1/namespaces/x");
  });

  it("names are encoded in the path", async () => {
    const { api, client } = setUp(() => ({}));
    await client.get(Namespace, { name: "system:Foo/x y" });
    expect(api.requests[0]?.path).toBe("/api/v1/namespaces/system%3AFoo%2Fx%20y");
  });

  it("list sends all conditions and gives every item its kind", async () => {
    const { api, client } = setUp(() => ({
      apiVersion: "webapp.demo/v1",
      kind: "GuestbookList",
      metadata: { resourceVersion: "9", continue: "more" },
      items: [{ metadata: { name: "b" }, spec: {} }],
    }));
    const list = await client.list(Guestbook, {
      namespace: "a",
      labels: { tier: "web", empty: "" },
      hasLabels: ["owned"],
      labelSelector: "env in (x, y)",
      fields: { "metadata.name": "a,b=c\\" },
      fieldSelector: "status.phase!=Done",
      limit: 5,
      continue: "token",
      resourceVersion: "3",
      resourceVersionMatch: "Exact",
    });
    expect(api.requests[0]).toMatchObject({
      path: PATH,
      query: {
        labelSelector: "tier=web,empty=,owned,env in (x, y)",
        fieldSelector: String.raw`metadata.name=a\,b\=c\\,status.phase!=Done`,
        limit: "5",
        continue: "token",
        resourceVersion: "3",
        resourceVersionMatch: "Exact",
      },
    });
    expect(list).toEqual({
      apiVersion: "webapp.demo/v1",
      kind: "GuestbookList",
      metadata: { resourceVersion: "9", continue: "more" },
      items: [{ apiVersion: "webapp.demo/v1", kind: "Guestbook", metadata: { name: "b" }, spec: {} }],
    });
  });

  it("a list without a namespace goes across all of them, and a server's null items are none", async () => {
    const { api, client } = setUp(() => ({ metadata: {}, items: null }));
    expect((await client.list(Guestbook)).items).toEqual([]);
    expect(api.requests[0]?.path).toBe("/apis/webapp.demo/v1/guestbooks");
  });

  it("metadata is requested by content type and returned under the requested kind", async () => {
    const { api, client } = setUp(() => ({
      apiVersion: "meta.k8s.io/v1",
      kind: "PartialObjectMetadata",
      metadata: { name: "b" },
    }));
    expect(await client.get(Guestbook, KEY, { metadataOnly: true })).toMatchObject({
      apiVersion: "webapp.demo/v1",
      kind: "Guestbook",
      metadata: { name: "b" },
    });
    expect(api.requests[0]?.accept).toContain("as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
  });

  it("row 25: the result of get belongs to the caller", async () => {
    const { client } = setUp(() => guestbook());
    const first = await client.get(Guestbook, KEY);
    Object.assign(first.spec, { size: 99 });
    expect((await client.get(Guestbook, KEY)).spec.size).toBe(1);
  });
});

describe("writing", () => {
  it("create posts to the collection, returns the server's answer and changes nothing in place", async () => {
    const { api, client } = setUp((request) => ({ ...(request.body as object), extra: "by the server" }));
    const object = Object.freeze(guestbook());
    expect(await client.create(object)).toEqual({ ...object, extra: "by the server" });
    expect(api.requests).toMatchObject([{ method: "POST", path: PATH, contentType: "application/json", body: object }]);
    expect(object).toEqual(guestbook());
  });

  it("row 26: update sends the resourceVersion, and a stale one is a conflict", async () => {
    const { api, client } = setUp(() => failure(409, "Conflict"));
    await expect(client.update(guestbook())).rejects.toSatisfy(isConflict);
    await expect(client.status().update(guestbook())).rejects.toSatisfy(isConflict);
    expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `PUT ${PATH}/b`,
      `PUT ${PATH}/b/status`,
    ]);
    expect(api.requests[0]?.body).toMatchObject({ metadata: { resourceVersion: "7" } });
  });

  it("options of writing calls become parameters", async () => {
    const { api, client } = setUp();
    const options = { dryRun: true, fieldOwner: "me", fieldValidation: "Strict" } as const;
    await client.create(guestbook(), options);
    await client.update(guestbook(), options);
    await client.patch(guestbook(), patch.merge(), options);
    await client.status().update(guestbook(), options);
    const query = { dryRun: "All", fieldManager: "me", fieldValidation: "Strict" };
    expect(api.requests.map((request) => request.query)).toEqual([query, query, query, query]);
    await client.apply(guestbook(), { ...options, forceOwnership: true });
    expect(api.requests.at(-1)?.query).toEqual({ ...query, force: "true" });
  });

  it("apply sends the configuration as it is, and needs an owner", async () => {
    const { api, client } = setUp();
    const configuration = { apiVersion: "webapp.demo/v1", kind: "Guestbook", metadata: KEY, spec: { size: 3 } };
    await client.apply<Guestbook>(configuration, { fieldOwner: "me" });
    expect(api.requests[0]).toMatchObject({
      method: "PATCH",
      path: `${PATH}/b`,
      contentType: "application/apply-patch+yaml",
      body: configuration,
    });
    await expect(client.apply<Guestbook>(configuration)).rejects.toMatchObject({ code: "CLIENT_MISSING_FIELD_OWNER" });
    expect(api.requests).toHaveLength(1);
  });

  it("delete sends its conditions as a body, and none without any", async () => {
    const { api, client } = setUp(() => ({ kind: "Status", status: "Success" }));
    await client.delete(guestbook());
    await client.delete(guestbook(), {
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u", resourceVersion: "7" },
      dryRun: true,
    });
    expect(api.requests.map(({ body }) => body)).toEqual([
      undefined,
      {
        kind: "DeleteOptions",
        apiVersion: "v1",
        gracePeriodSeconds: 0,
        propagationPolicy: "Foreground",
        preconditions: { uid: "u", resourceVersion: "7" },
        dryRun: ["All"],
      },
    ]);
  });

  it("deleteAllOf is one call on the collection", async () => {
    const { api, client } = setUp(() => ({ kind: "Status", status: "Success" }));
    await client.deleteAllOf(Guestbook, { namespace: "a", labels: { tier: "web" }, propagationPolicy: "Background" });
    expect(api.requests).toMatchObject([
      { method: "DELETE", path: PATH, query: { labelSelector: "tier=web" }, body: { propagationPolicy: "Background" } },
    ]);
    await expect(client.deleteAllOf(Guestbook)).rejects.toMatchObject({ code: "CLIENT_MISSING_NAMESPACE" });
  });

  it("calls that lack a name, a namespace or a kind never leave the house", async () => {
    const { api, client } = setUp();
    await expect(client.get(Guestbook, { name: "", namespace: "a" })).rejects.toMatchObject({
      code: "CLIENT_MISSING_NAME",
    });
    await expect(client.get(Guestbook, { name: "b" })).rejects.toMatchObject({ code: "CLIENT_MISSING_NAMESPACE" });
    await expect(client.create(guestbook({ metadata: { name: "b" } }))).rejects.toMatchObject({
      code: "CLIENT_MISSING_NAMESPACE",
      message: "cannot create Guestbook without a namespace",
    });
    const nameless = { metadata: { name: "b" } } as unknown as KubernetesObject;
    await expect(client.update(nameless)).rejects.toMatchObject({ code: "CLIENT_MISSING_KIND" });
    expect(api.requests).toEqual([]);
  });
});

describe("subresources", () => {
  it("reading, creating, replacing, patching and applying go to the subresource", async () => {
    const { api, client } = setUp(
      (request) => request.body ?? { kind: "Scale", apiVersion: "autoscaling/v1", metadata: {} },
    );
    const scale = client.subResource("scale");
    expect(await scale.get(guestbook())).toMatchObject({ kind: "Scale" });
    const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: {}, spec: { replicas: 3 } };
    await scale.update(guestbook(), { body });
    await client
      .subResource("eviction")
      .create(guestbook(), { apiVersion: "policy/v1", kind: "Eviction", metadata: KEY });
    await client.status().patch(guestbook({ spec: { size: 2 } }), patch.mergeFrom(guestbook()));
    await client.status().apply(guestbook(), { fieldOwner: "me" });
    expect(api.requests.map(({ method, path }) => `${method} ${path.slice(PATH.length)}`)).toEqual([
      "GET /b/scale",
      "PUT /b/scale",
      "POST /b/eviction",
      "PATCH /b/status",
      "PATCH /b/status",
    ]);
    expect(api.requests[1]?.body).toEqual(body);
    expect(api.requests[3]?.body).toEqual({ spec: { size: 2 } });
  });
});

describe("patches", () => {
  it("each kind of patch has its media type and body", async () => {
    const { api, client } = setUp(() => guestbook());
    const changed = guestbook({ spec: { size: 2 } });
    const steps = [{ op: "replace", path: "/spec/size", value: 2 }] as const;
    await client.patch(changed, patch.mergeFrom(guestbook()));
    await client.patch(changed, patch.merge());
    await client.patch(changed, patch.json(steps));
    await client.patch(changed, patch.apply(), { fieldOwner: "me", forceOwnership: true });
    await client.patch(changed, patch.raw("application/merge-patch+json", { spec: null }));
    expect(api.requests.map(({ contentType, body }) => [contentType, body])).toEqual([
      ["application/merge-patch+json", { spec: { size: 2 } }],
      ["application/merge-patch+json", changed],
      ["application/json-patch+json", steps],
      ["application/apply-patch+yaml", changed],
      ["application/merge-patch+json", { spec: null }],
    ]);
  });

  it("a strategic merge patch merges lists of things with a key", () => {
    const deployment = (...names: readonly string[]): KubernetesObject & { readonly spec: unknown } => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "x", resourceVersion: "3" },
      spec: { template: { spec: { containers: names.map((name) => ({ name, image: "i" })) } } },
    });
    const strategic = patch.strategicMergeFrom(deployment("a"), { optimisticLock: true });
    expect(strategic.type).toBe("application/strategic-merge-patch+json");
    expect(strategic.data(deployment("a", "b"))).toMatchObject({
      metadata: { resourceVersion: "3" },
      spec: { template: { spec: { containers: [{ name: "b", image: "i" }] } } },
    });
    expect(() => patch.strategicMergeFrom(guestbook()).data(guestbook())).toThrow("only built-in kinds");
  });
});

describe("watching", () => {
  const lines = (...events: readonly unknown[]): Response =>
    new Response(events.map((event) => `${JSON.stringify(event)}\n`).join(""));

  it("a watch requests bookmarks and a timeout, and returns the events in order", async () => {
    const added = { type: "ADDED", object: guestbook() };
    const error = { type: "ERROR", object: { kind: "Status", status: "Failure", code: 410, reason: "Expired" } };
    const { api, client } = setUp(() => lines(added, error));
    const events: unknown[] = [];
    for await (const event of client.watch(Guestbook, { namespace: "a", resourceVersion: "7", labels: { x: "y" } })) {
      events.push(event);
    }
    expect(events).toEqual([added, error]);
    expect(api.requests[0]?.path).toBe(PATH);
    const { timeoutSeconds, ...query } = api.requests[0]?.query ?? {};
    expect(query).toEqual({ watch: "true", allowWatchBookmarks: "true", resourceVersion: "7", labelSelector: "x=y" });
    expect(Number(timeoutSeconds)).toBeGreaterThanOrEqual(300);
    expect(Number(timeoutSeconds)).toBeLessThan(600);
  });

  it("row 24: get, list and watch give one object in one shape, timestamps as text", async () => {
    const stored = guestbook({ metadata: { ...KEY, creationTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "7" } });
    const { apiVersion: _apiVersion, kind: _kind, ...withoutKind } = stored;
    const { client } = setUp(({ query, path }) => {
      if (query["watch"] === "true") return lines({ type: "ADDED", object: stored });
      return path.endsWith("/b") ? stored : { metadata: {}, items: [withoutKind] };
    });
    const [listed] = (await client.list(Guestbook, { namespace: "a" })).items;
    const watched: unknown[] = [];
    for await (const event of client.watch(Guestbook, { namespace: "a" })) {
      watched.push(event.object);
    }
    expect(await client.get(Guestbook, KEY)).toEqual(stored);
    expect(listed).toEqual(stored);
    expect(watched).toEqual([stored]);
  });

  it("a watch that outlives its timeout is closed", async () => {
    const clock = new FakeClock();
    const { api, client } = setUp(
      () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("\n")) })),
      { clock },
    );
    const iterator = client.watch(Guestbook, { timeoutSeconds: 300 })[Symbol.asyncIterator]();
    const next = iterator.next().catch((error: unknown) => error);
    await clock.advance(359_000);
    expect(api.requests).toHaveLength(1);
    await clock.advance(1000);
    expect(await next).toMatchObject({ code: "CLIENT_UNREACHABLE", failure: "timeout" });
    expect(clock.pendingTimers).toBe(0);
  });

  it("the signal ends a watch with its reason, and no timer stays", async () => {
    const clock = new FakeClock();
    const { client } = setUp(() => new Response(new ReadableStream({})), { clock });
    const controller = new AbortController();
    const iterator = client.watch(Guestbook, { signal: controller.signal })[Symbol.asyncIterator]();
    const next = iterator.next();
    await clock.advance(0);
    controller.abort(new Error("stopped"));
    await expect(next).rejects.toThrow("stopped");
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("kinds that come and go", () => {
  it("an endpoint that the server no longer has is looked up again", async () => {
    const { api, client } = setUp(() => new Response("404 page not found", { status: 404 }));
    await expect(client.get(Guestbook, KEY)).rejects.toSatisfy(isNotFound);
    const before = api.discovery.length;
    await expect(client.get(Guestbook, KEY)).rejects.toSatisfy(isNotFound);
    expect(api.discovery.length).toBeGreaterThan(before);
  });

  it("row 44: a refusal contains the server's verb, resource, and scope at the first attempt", async () => {
    const message =
      'guestbooks.webapp.demo is forbidden: User "ann" cannot list resource "guestbooks" in API group "webapp.demo" at the cluster scope';
    const { api, client } = setUp(() => failure(403, "Forbidden", message));
    await expect(client.list(Guestbook)).rejects.toThrow(message);
    expect(api.requests).toHaveLength(1);
  });
});
