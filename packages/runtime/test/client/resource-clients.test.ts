import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { raw } from "../../src/client/patch.ts";
import { createClientset, createDynamicClient, type ResourceInterface } from "../../src/client/resource-clients.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { createFakeApi, type FakeApi } from "./fake-api.ts";

const Guestbook: Kind<KubernetesObject> = defineKind({ group: "webapp.demo", version: "v1" }, "Guestbook");
const OBJECT = Guestbook.create({ metadata: { name: "b" } });

function setUp(): FakeApi {
  return createFakeApi({
    answer: ({ method, query, body, path }) => {
      if (query["watch"] === "true") return new Response(`${JSON.stringify({ type: "ADDED", object: OBJECT })}\n`);
      const list = {
        apiVersion: "webapp.demo/v1",
        kind: "GuestbookList",
        metadata: {},
        items: [{ metadata: { name: "b" } }],
      };
      if (method !== "GET") return body;
      return path.endsWith("/guestbooks") ? list : OBJECT;
    },
  });
}

type Resource = ResourceInterface<KubernetesObject>;
type AnyResource = Pick<Resource, keyof Resource>;
type Namespaceable = AnyResource & { namespace(namespace: string): AnyResource };

const CLIENTS: readonly (readonly [string, (api: FakeApi) => Namespaceable])[] = [
  ["clientset", (api) => createClientset(createClient(api.config)).kind(Guestbook)],
  [
    "dynamic client",
    (api) =>
      createDynamicClient(createRestClient(api.config)).resource({
        group: "webapp.demo",
        version: "v1",
        resource: "guestbooks",
      }),
  ],
];

describe.each(CLIENTS)("%s", (_title, create) => {
  it("every verb goes to its endpoint", async () => {
    const api = setUp();
    const resource = create(api).namespace("a");
    await resource.get("b");
    await resource.create(OBJECT);
    await resource.update(OBJECT);
    await resource.updateStatus(OBJECT);
    await resource.patch("b", raw("application/merge-patch+json", { spec: 1 }));
    await resource.apply("b", OBJECT, { fieldOwner: "me" });
    await resource.delete("b");
    await resource.deleteCollection({ labels: { x: "y" } });
    const base = "/apis/webapp.demo/v1/namespaces/a/guestbooks";
    expect(api.requests.map(({ method, path }) => `${method} ${path.slice(base.length)}`)).toEqual([
      "GET /b",
      "POST ",
      "PUT /b",
      "PUT /b/status",
      "PATCH /b",
      "PATCH /b",
      "DELETE /b",
      "DELETE ",
    ]);
    expect(api.requests.every(({ path }) => path.startsWith(base))).toBe(true);
    expect(api.requests[4]).toMatchObject({ body: { spec: 1 }, contentType: "application/merge-patch+json" });
  });

  it("refuses a list that is none, and an object that is none", async () => {
    const resource = create(createFakeApi({ answer: () => Response.json({ kind: "Status", status: "Success" }) }));
    await expect(resource.list()).rejects.toMatchObject({ code: "CLIENT_UNEXPECTED_ANSWER" });
    const other = create(createFakeApi({ answer: () => new Response("[]") })).namespace("a");
    await expect(other.get("b")).rejects.toMatchObject({ code: "CLIENT_UNEXPECTED_ANSWER" });
  });

  it("lists go across namespaces unless one is named, and items carry their kind", async () => {
    const api = setUp();
    const list = await create(api).list({ limit: 1 });
    expect(list.items).toEqual([OBJECT]);
    expect(api.requests[0]).toMatchObject({ path: "/apis/webapp.demo/v1/guestbooks", query: { limit: "1" } });
    const events: unknown[] = [];
    for await (const event of create(api).namespace("a").watch()) {
      events.push(event);
    }
    expect(events).toEqual([{ type: "ADDED", object: OBJECT }]);
    expect(api.requests[1]?.path).toBe("/apis/webapp.demo/v1/namespaces/a/guestbooks");
  });
});
