import type { AdmissionRequest, Operation } from "@kubescaffold/k8s/admission/v1";
import { type HttpHandler, WebhookServer } from "@kubescaffold/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";

import { AdmittingServer } from "../../src/environment/check-admission.ts";

const OBJECT = { apiVersion: "test.example.com/v1", kind: "Book", metadata: { name: "mine" } };
const KIND = { group: "test.example.com", version: "v1", kind: "Book" };
const refuse: HttpHandler = async () => new Response("refused", { status: 500 });

// What the server itself is given in place of the handler.
function served(server: AdmittingServer, path: string): HttpHandler {
  const registered = vi.spyOn(WebhookServer.prototype, "register");
  server.register(path, refuse);
  return registered.mock.lastCall?.[1] ?? refuse;
}

async function ask(handler: HttpHandler, request: unknown): Promise<unknown> {
  const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
  const answer = await handler(new Request("https://a/", { method: "POST", body: JSON.stringify(review) }));
  return answer.ok ? await answer.json() : answer.status;
}

function about(operation: Operation, change: Partial<AdmissionRequest> = {}): Partial<AdmissionRequest> {
  return { uid: "1", operation, kind: KIND, object: OBJECT, ...change };
}

describe("a server in place of webhooks", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("admits everything, and records the operations on the object by the path of the webhook", async () => {
    const server = new AdmittingServer(OBJECT, { port: 0 });
    const [first, second] = [served(server, "/first"), served(server, "/second")];
    expect(await ask(first, about("CREATE"))).toEqual({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: "1", allowed: true },
    });
    await ask(first, about("CREATE"));
    await ask(first, about("DELETE", { object: null, oldObject: OBJECT }));
    await ask(second, about("UPDATE"));
    expect(server.asked()).toEqual({ "/first": ["CREATE", "DELETE"], "/second": ["UPDATE"] });
  });

  it.each([
    ["another object", { object: { ...OBJECT, metadata: { name: "other" } } }],
    ["another kind", { kind: { ...KIND, kind: "Page" } }],
    ["another version", { kind: { ...KIND, version: "v2" } }],
  ])("admits %s and notes nothing", async (_title, change) => {
    const server = new AdmittingServer(OBJECT, { port: 0 });
    const answer = await ask(served(server, "/first"), about("CREATE", change));
    expect(answer).toMatchObject({ response: { allowed: true } });
    expect(server.asked()).toEqual({ "/first": [] });
  });

  it("refuses a review without a request", async () => {
    expect(await ask(served(new AdmittingServer(OBJECT, { port: 0 }), "/first"), undefined)).toBe(400);
  });

  it("leaves conversions to their own webhook", () => {
    const server = new AdmittingServer(OBJECT, { port: 0 });
    expect(served(server, "/convert")).toBe(refuse);
    expect(server.asked()).toEqual({});
  });
});
